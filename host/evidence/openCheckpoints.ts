// Opens the block log of a ledger, and issues its checkpoints.
import { mkdir } from 'node:fs/promises';
import { createAttester } from '../../chain/blockLog/attester.ts';
import { type BlockLog, hasCheckpoint, openBlockLog, type SignedHead } from '../../chain/blockLog/blockLog.ts';
import { type CheckpointSigner, createCheckpointSigner } from '../../chain/blockLog/checkpointSigner.ts';
import {
  type LogIdentity,
  type PreviousLog,
  readLogIdentity,
  writeLogIdentity,
} from '../../chain/blockLog/logIdentity.ts';
import { createWitnessClient, type WitnessAddress } from '../../chain/blockLog/witnessClient.ts';
import { openWitnessedLog, type WitnessedLog } from '../../chain/blockLog/witnessedLog.ts';
import { syncDirectory } from '../../chain/leveldb/syncDirectory.ts';
import { toHex } from '../../ledger/encoding/hex.ts';
import { isSameBytes } from '../../ledger/evidence/bytes.ts';
import { encodeVerifierKey } from '../../ledger/evidence/verifierKey.ts';
import { toKey } from '../../ledger/identity.ts';
import { dataPaths } from '../files/dataPaths.ts';
import type { IndexedChain } from '../indexedChain.ts';
import type { Ledger } from '../openLedger.ts';
import type { Config } from '../settings/config.ts';
import { toQuorum } from '../settings/witnessSettings.ts';
import { type Checkpointer, startCheckpointer } from './checkpointer.ts';
import { type ContractAccount, openContractAccount } from './contractAccount.ts';
import { startCosigning } from './cosigning.ts';
import { linkLog } from './linkedLog.ts';
import { type AnchorSettings, openAnchoring } from './openAnchoring.ts';
import { openRecordedCheckpoints, type RecordedCheckpoints } from './recordedCheckpoints.ts';
import { openTimestamping } from './timestamping.ts';

const EMBEDDED_PERIOD_SECONDS = 600;
const NETWORK_PERIOD_SECONDS = 60;
/** On a network a transaction delays those of records by a block, and every tenant's attestations can be seen there. */
const NETWORK_TENANTS_PER_TRANSACTION = 4;

/** The log of a ledger that issues checkpoints. */
export interface Checkpoints extends Pick<Checkpointer, 'request'> {
  /** Its `head` is the checkpoint that is shown: with witnesses the newest one with a quorum of them. */
  readonly log: BlockLog;
  /** The newest checkpoint that the log signed, which may be ahead of the one that is shown. */
  readonly newest: () => SignedHead | undefined;
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

type CheckpointSettings = LogSettings &
  AnchorSettings &
  Partial<Pick<Config, 'checkpointSeconds' | 'witnesses' | 'witnessQuorum' | 'tsaUrl' | 'tsaCaFile'>>;
type OnProblem = (message: string, cause?: unknown) => void;
type LogSettings = Partial<Pick<Config, 'logOrigin' | 'publicUrl' | 'publicHosts'>>;
type LoggedLedger = Pick<IndexedChain, 'chain' | 'contract' | 'keyring'> & Pick<Ledger, 'dataDir' | 'deploymentBlock'>;

const isEmbedded = ({ chain }: Pick<LoggedLedger, 'chain'>): boolean => chain.copyJournalTo !== undefined;

const toOrigin = ({ chain, contract }: LoggedLedger, { logOrigin, publicUrl, publicHosts }: LogSettings): string => {
  const host = publicUrl === undefined ? (publicHosts?.[0] ?? 'localhost') : new URL(publicUrl).host;
  return logOrigin ?? `${host}/${chain.chainId}/${contract}`;
};

const refuseOrigin = (origin: string, { origin: known }: LogIdentity): Error =>
  new Error(
    `LOG_ORIGIN is ${origin}, and DATA_DIR/log is the block log ${known}. Nothing was changed. Unset LOG_ORIGIN, or move DATA_DIR/log ` +
      'elsewhere to begin a new log',
  );

// The name that checkpoints were published with stays, also when PUBLIC_HOSTS changes.
const openIdentity = async (ledger: LoggedLedger, settings: LogSettings, directory: string): Promise<LogIdentity> => {
  const known = await readLogIdentity(directory);
  const { logOrigin } = settings;
  if (known !== undefined && logOrigin !== undefined && logOrigin !== known.origin)
    throw refuseOrigin(logOrigin, known);
  if (known !== undefined) return known;
  const identity = { origin: toOrigin(ledger, settings), firstBlock: isEmbedded(ledger) ? 0 : ledger.deploymentBlock };
  await writeLogIdentity(directory, identity);
  return identity;
};

/**
 * Opens the block log of a ledger, and creates its directory and key at the first start.
 * @throws LedgerError LOG_CORRUPT or CHAIN_UNAVAILABLE as `openBlockLog`; Error when LOG_ORIGIN names another log, or
 * the key is missing.
 */
export const openLedgerLog = async (ledger: LoggedLedger & Pick<Ledger, 'now'>, settings: LogSettings) => {
  const { dataDir, keyring, chain, now } = ledger;
  const { log: directory } = dataPaths(dataDir);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await syncDirectory(dataDir);
  const { origin, firstBlock, previous } = await openIdentity(ledger, settings, directory);
  const key = hasCheckpoint(directory) ? keyring.requireLogKey() : keyring.openLogKey();
  const signer = createCheckpointSigner(origin, await key);
  const log = await openBlockLog({ directory, firstBlock, signer, chain, now });
  return {
    log,
    signer,
    firstBlock,
    previous,
    witnessed: () => openWitnessedLog(log, { directory, firstBlock, signer }),
  };
};

const toPeriodMs = (ledger: LoggedLedger, { checkpointSeconds }: CheckpointSettings): number =>
  1_000 * (checkpointSeconds ?? (isEmbedded(ledger) ? EMBEDDED_PERIOD_SECONDS : NETWORK_PERIOD_SECONDS));

// A log without witnesses shows each checkpoint that it signs.
interface ShownLog {
  readonly log: BlockLog;
  readonly newest: () => SignedHead | undefined;
  readonly cosign: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

const showAll = (log: BlockLog): ShownLog => ({
  log,
  newest: log.head,
  cosign: async () => undefined,
  stop: async () => undefined,
});

const assertOthers = (witnesses: readonly WitnessAddress[], { logKey }: CheckpointSigner): void => {
  const own = witnesses.find(({ key }) => isSameBytes(key.publicKey, logKey.publicKey));
  if (own !== undefined)
    throw new Error(`WITNESSES has ${own.key.name}, the key of the log itself, which is no witness`);
};

const showWitnessed = (
  log: WitnessedLog,
  witnesses: readonly WitnessAddress[],
  { quorum, onProblem, now }: { quorum: number; onProblem: OnProblem; now: () => number },
): ShownLog => {
  const { newest, publish } = log;
  const clients = witnesses.map((witness) => createWitnessClient(witness, { log, now }));
  const { cosign, stop } = startCosigning({ witnesses: clients, quorum, publish, onProblem });
  return {
    log,
    newest,
    cosign: async () => {
      const head = newest();
      if (head !== undefined) await cosign(head);
    },
    stop,
  };
};

// With the time stamp of the checkpoint that is shown, as soon as there is one.
const showStamped = async (shown: ShownLog, dataDir: string, settings: CheckpointSettings, onProblem: OnProblem) => {
  const { tsaUrl: url, tsaCaFile: caFile } = settings;
  if (url === undefined || caFile === undefined) return shown;
  const { head } = shown.log;
  const options = { directory: dataPaths(dataDir).log, url, caFile, onProblem };
  const { find, stamp, stop } = await openTimestamping(options, head());
  const findHead = (): SignedHead | undefined => {
    const known = head();
    return known && { ...known, timestamp: find(known) };
  };
  return {
    ...shown,
    log: { ...shown.log, head: findHead },
    cosign: async () => {
      await shown.cosign();
      const known = head();
      if (known !== undefined) stamp(known);
    },
    stop: async () => void (await Promise.all([shown.stop(), stop()])),
  };
};

// With the checkpoint that is shown recorded on another ledger, one in a period.
const showRecorded = async (
  shown: ShownLog,
  ledger: Ledger,
  settings: CheckpointSettings,
  { recorded, onProblem }: { recorded: RecordedCheckpoints; onProblem: OnProblem },
): Promise<ShownLog> => {
  const anchoring = await openAnchoring(ledger, settings, recorded, onProblem);
  if (anchoring === undefined) return shown;
  return {
    ...shown,
    cosign: async () => {
      await shown.cosign();
      const head = shown.log.head();
      if (head !== undefined) anchoring.anchor(head);
    },
    stop: async () => void (await Promise.all([shown.stop(), anchoring.stop()])),
  };
};

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
 * @throws LedgerError and Error as `openLedgerLog`; Error when the witnesses or their quorum are impossible, or a file
 * of the settings can't be used.
 */
export const openCheckpoints = async (
  ledger: Ledger,
  settings: CheckpointSettings,
  onProblem: OnProblem,
): Promise<Checkpoints | undefined> => {
  const periodMs = toPeriodMs(ledger, settings);
  if (periodMs === 0) return undefined;
  const { witnesses = [], witnessQuorum } = settings;
  const quorum = toQuorum(witnesses, witnessQuorum);
  const { log, signer, firstBlock, previous, witnessed } = await openLedgerLog(ledger, settings);
  assertOthers(witnesses, signer);
  const unstamped =
    witnesses.length === 0
      ? showAll(log)
      : showWitnessed(await witnessed(), witnesses, { quorum, onProblem, now: ledger.now });
  const directory = dataPaths(ledger.dataDir).log;
  const recorded = await openRecordedCheckpoints({ directory, firstBlock, signer, log, onProblem });
  const stamped = await showStamped(unstamped, ledger.dataDir, settings, onProblem);
  const shown = await showRecorded(stamped, ledger, settings, { recorded, onProblem });
  const link = createLink(ledger, signer, previous, onProblem);
  const account = await openContractAccount({ ...ledger, directory, onProblem });
  const { trees, catchUpTo, contract, relayer, wallets, completion, now } = ledger;
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
    readTenants: () => wallets.tenantIdentities().map((identity) => toHex(toKey(identity))),
    periodMs,
    now,
    whenReady: async (signal) => {
      await completion.wait(signal);
      await account.prove();
      await link();
    },
    onProblem,
  });
  const [logKey, timeKey] = [encodeVerifierKey(signer.logKey), encodeVerifierKey(signer.timeKey)];
  const close = async (): Promise<void> => void (await Promise.all([shown.stop(), stop()]));
  const { find: findAccount } = account;
  const { origin } = signer;
  return { log: shown.log, newest: shown.newest, recorded, request, origin, logKey, timeKey, findAccount, close };
};
