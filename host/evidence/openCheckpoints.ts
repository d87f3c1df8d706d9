// Opens the block log of a ledger, and issues its checkpoints.
import { createAttester } from '../../chain/blockLog/attester.ts';
import type { CheckpointSigner } from '../../chain/blockLog/checkpointSigner.ts';
import type { PreviousLog } from '../../chain/blockLog/logIdentity.ts';
import { toHex } from '../../ledger/encoding/hex.ts';
import { encodeVerifierKey } from '../../ledger/evidence/verifierKey.ts';
import { toKey } from '../../ledger/identity.ts';
import { dataPaths } from '../files/dataPaths.ts';
import type { Ledger } from '../openLedger.ts';
import { listOwnTenants } from '../servedTenants.ts';
import type { Config } from '../settings/config.ts';
import { type Checkpointer, startCheckpointer } from './checkpointer.ts';
import { type ContractAccount, createContractAccount } from './contractAccount.ts';
import { isEmbedded, type LogSettings, openLedgerLog } from './ledgerLog.ts';
import { linkLog } from './linkedLog.ts';
import { openRecordedCheckpoints, type RecordedCheckpoints } from './recordedCheckpoints.ts';
import { type AnchoredSettings, openShownLog, type ShownLog } from './shownLog.ts';

const EMBEDDED_PERIOD_SECONDS = 600;
const NETWORK_PERIOD_SECONDS = 60;
/** On a network a transaction delays those of records by a block, and every tenant's attestations can be seen there. */
const NETWORK_TENANTS_PER_TRANSACTION = 4;

/** The log of a ledger that issues checkpoints. */
export interface Checkpoints extends Pick<Checkpointer, 'request'>, Pick<ShownLog, 'log' | 'newest' | 'refusing'> {
  /** The checkpoints that another ledger has. */
  readonly recorded: Pick<RecordedCheckpoints, 'find' | 'newest'>;
  readonly origin: string;
  /** Text of the key that verifies the log's signature. */
  readonly logKey: string;
  /** Text of the key that verifies when the log signed. */
  readonly timeKey: string;
  readonly findAccount: ContractAccount['find'];
  close(): Promise<void>;
}

type CheckpointSettings = LogSettings & AnchoredSettings & Partial<Pick<Config, 'checkpointSeconds'>>;
// The ledger's clock may stand still for hours, where the machine's was ahead once.
const elapsedMs = (): number => performance.now();

type OnProblem = (message: string, cause?: unknown) => void;

const toPeriodMs = (ledger: Ledger, { checkpointSeconds }: CheckpointSettings): number =>
  1_000 * (checkpointSeconds ?? (isEmbedded(ledger) ? EMBEDDED_PERIOD_SECONDS : NETWORK_PERIOD_SECONDS));

// Before the first checkpoint of each start, so that the record is below it.
const createLink = (
  ledger: Ledger,
  { origin }: CheckpointSigner,
  previous: PreviousLog | undefined,
  onProblem: OnProblem,
): (() => Promise<void>) => {
  let linked: Promise<void> | undefined;
  return async () => {
    if (previous !== undefined) linked ??= linkLog(ledger, { origin, previous }, onProblem);
    await linked;
  };
};

/**
 * Opens the block log of a ledger, and issues checkpoints from now on; undefined with CHECKPOINT_SECONDS=0.
 * @throws LedgerError and Error as `openLedgerLog` and `openShownLog`.
 */
export const openCheckpoints = async (
  ledger: Ledger,
  settings: CheckpointSettings,
  onProblem: OnProblem,
): Promise<Checkpoints | undefined> => {
  const periodMs = toPeriodMs(ledger, settings);
  if (periodMs === 0) return undefined;
  const opened = await openLedgerLog(ledger, settings);
  const { log, signer, firstBlock, previous } = opened;
  const directory = dataPaths(ledger.dataDir).log;
  const recorded = await openRecordedCheckpoints({ directory, firstBlock, signer, log, onProblem });
  const shown = await openShownLog(ledger, opened, settings, { recorded, onProblem });
  const link = createLink(ledger, signer, previous, onProblem);
  const account = createContractAccount({ ...ledger, directory, elapsedMs, onProblem });
  const { trees, catchUpTo, contract, relayer, completion, now } = ledger;
  const { request, stop } = startCheckpointer({
    log,
    attester: createAttester({
      trees,
      catchUpTo,
      contract,
      sender: relayer,
      tenantsPerTransaction: isEmbedded(ledger) ? 1 : NETWORK_TENANTS_PER_TRANSACTION,
    }),
    cosign: shown.cosign,
    isShown: () => shown.newest()?.size === shown.log.head()?.size,
    readTenants: () => listOwnTenants(ledger).map((identity) => toHex(toKey(identity))),
    periodMs,
    now,
    elapsedMs,
    whenReady: async (signal) => {
      await completion.wait(signal);
      // Nothing waits for it: a node may answer this request alone too late.
      void account.prove();
      await link();
    },
    onProblem,
  });
  const [logKey, timeKey] = [encodeVerifierKey(signer.logKey), encodeVerifierKey(signer.timeKey)];
  const close = async (): Promise<void> => {
    account.stop();
    await Promise.all([shown.stop(), stop()]);
  };
  const { find: findAccount } = account;
  const { origin } = signer;
  const { newest, refusing } = shown;
  return { log: shown.log, newest, refusing, recorded, request, origin, logKey, timeKey, findAccount, close };
};
