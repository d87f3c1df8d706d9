// The log as others see it: with the checkpoints that enough witnesses cosigned, their time stamps, and records of them
// on another ledger.
import type { BlockLog, SignedHead } from '../../chain/blockLog/blockLog.ts';
import type { CheckpointSigner } from '../../chain/blockLog/checkpointSigner.ts';
import { createWitnessClient, type WitnessAddress } from '../../chain/blockLog/witnessClient.ts';
import type { WitnessedLog } from '../../chain/blockLog/witnessedLog.ts';
import { isSameBytes } from '../../ledger/evidence/bytes.ts';
import { dataPaths } from '../files/dataPaths.ts';
import type { Ledger } from '../openLedger.ts';
import type { Config } from '../settings/config.ts';
import { toQuorum } from '../settings/witnessSettings.ts';
import { startCosigning } from './cosigning.ts';
import { type AnchorSettings, openAnchoring } from './openAnchoring.ts';
import type { RecordedCheckpoints } from './recordedCheckpoints.ts';
import { openTimestamping } from './timestamping.ts';

/** The settings of what vouches for checkpoints. */
export type AnchoredSettings = AnchorSettings &
  Partial<Pick<Config, 'witnesses' | 'witnessQuorum' | 'tsaUrl' | 'tsaCaFile'>>;

type OnProblem = (message: string, cause?: unknown) => void;

/** A log, and what vouches for its checkpoints. */
export interface ShownLog {
  /** Its `head` is the checkpoint that is shown: with witnesses the newest one with a quorum of them. */
  readonly log: BlockLog;
  /** The newest checkpoint that the log signed, which may be ahead of the one that is shown. */
  readonly newest: () => SignedHead | undefined;
  /** Resolves when the newest checkpoint has the cosignatures that it gets now. */
  readonly cosign: () => Promise<void>;
  /** Names of the witnesses that refuse the log. */
  readonly refusing: () => readonly string[];
  /** Ends the requests in progress. */
  readonly stop: () => Promise<void>;
}

/** An open log, as `openLedgerLog` opens it. */
interface SignedLog {
  readonly log: BlockLog;
  readonly signer: CheckpointSigner;
  /** Opens what witnesses cosigned. */
  readonly witnessed: () => Promise<WitnessedLog>;
}

// A log without witnesses shows each checkpoint that it signs.
const showAll = (log: BlockLog): ShownLog => ({
  log,
  newest: log.head,
  cosign: async () => undefined,
  refusing: () => [],
  stop: async () => undefined,
});

const assertOthers = (witnesses: readonly WitnessAddress[], { logKey }: CheckpointSigner): void => {
  const own = witnesses.find(({ key }) => isSameBytes(key.publicKey, logKey.publicKey));
  if (own !== undefined)
    throw new Error(`WITNESSES has ${own.key.name}, the key of the log itself, which is no witness`);
};

const showWitnessed = async (
  { log: all, signer, witnessed }: SignedLog,
  { witnesses = [], witnessQuorum }: AnchoredSettings,
  now: () => number,
  onProblem: OnProblem,
): Promise<ShownLog> => {
  const quorum = toQuorum(witnesses, witnessQuorum);
  assertOthers(witnesses, signer);
  if (witnesses.length === 0) return showAll(all);
  const log = await witnessed();
  const { newest, publish } = log;
  const clients = witnesses.map((witness) => createWitnessClient(witness, { log, now }));
  const { cosign, refusing, stop } = startCosigning({ witnesses: clients, quorum, publish, onProblem });
  return {
    log,
    newest,
    cosign: async () => {
      const head = newest();
      if (head !== undefined) await cosign(head);
    },
    refusing,
    stop,
  };
};

// With the time stamp of the checkpoint that is shown, as soon as there is one.
const showStamped = async (shown: ShownLog, dataDir: string, settings: AnchoredSettings, onProblem: OnProblem) => {
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
  settings: AnchoredSettings,
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

/**
 * The log as the settings let others see it. `recorded`: the checkpoints that another ledger has.
 * @throws Error when the witnesses or their quorum are impossible, or a file of the settings can't be used; LedgerError
 * LOG_CORRUPT when what witnesses cosigned is damaged.
 */
export const openShownLog = async (
  ledger: Ledger,
  log: SignedLog,
  settings: AnchoredSettings,
  { recorded, onProblem }: { recorded: RecordedCheckpoints; onProblem: OnProblem },
): Promise<ShownLog> => {
  const witnessed = await showWitnessed(log, settings, ledger.now, onProblem);
  const stamped = await showStamped(witnessed, ledger.dataDir, settings, onProblem);
  return showRecorded(stamped, ledger, settings, { recorded, onProblem });
};
