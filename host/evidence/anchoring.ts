// Has checkpoints of the block log recorded on another ledger, one in a period. Nothing waits for it: a server there
// that doesn't answer, refuses or lies delays neither checkpoints nor evidence.
import type { SignedHead } from '../../chain/blockLog/blockLog.ts';
import { toHex } from '../../ledger/encoding/hex.ts';
import { LedgerError } from '../../ledger/errors.ts';
import { decodeCheckpoint } from '../../ledger/evidence/checkpoint.ts';
import { toUtf8 } from '../../ledger/evidence/lines.ts';
import { sha256 } from '../../ledger/evidence/sha256.ts';
import { decodeSignedNote } from '../../ledger/evidence/signedNote.ts';
import { joinSignals } from '../../ledger/joinedSignal.ts';
import { toConnectionFailure } from '../connectionFailure.ts';
import type { FileElsewhere } from './evidenceFile.ts';
import type { OtherEvent, OtherLedger } from './otherLedger.ts';
import { OtherLedgerRefusal, RecordUnusable } from './otherLedgerRefusal.ts';
import type { PendingCheckpoint, RecordedCheckpoints } from './recordedCheckpoints.ts';

/** Has checkpoints recorded. */
export interface Anchoring {
  /** Has a checkpoint recorded if one is due, or goes on with an earlier one, without waiting. One at a time. */
  anchor(head: SignedHead): void;
  /** Ends the requests in progress. */
  stop(): Promise<void>;
}

/** Options of `startAnchoring`. */
export interface AnchoringOptions {
  readonly recorded: RecordedCheckpoints;
  readonly other: OtherLedger;
  /** The record in the text of evidence. @throws OtherLedgerRefusal when it doesn't prove the message. */
  readonly readRecord: (text: string, message: Uint8Array) => Promise<FileElsewhere>;
  readonly periodSeconds: number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly onProblem: (message: string, cause?: unknown) => void;
  /** For one attempt, in milliseconds. */
  readonly timeoutMs?: number;
}

/** The event waits for its chain, and then for a checkpoint there with its witnesses. */
const TIMEOUT_MS = 120_000;

// The same after a restart. A new attempt for the same checkpoint has another time.
const toEvent = ({ note, size, begunAtSeconds }: PendingCheckpoint): OtherEvent => {
  const { text } = decodeSignedNote(note);
  const hash = toHex(sha256(toUtf8(text))).slice(2);
  return {
    key: `checkpoint-${hash}-${begunAtSeconds}`,
    attributes: {
      arc_display_type: 'Checkpoint',
      checkpoint_sha256: hash,
      checkpoint_origin: decodeCheckpoint(text).origin,
      checkpoint_size: String(size),
    },
  };
};

const isLate = ({ name }: Error): boolean => name === 'TimeoutError' || name === 'AbortError';

// A failure of another kind needs another remedy. Texts of another party's server don't make a kind.
const toKind = (cause: unknown): string => {
  if (cause instanceof OtherLedgerRefusal) return `${cause.name} ${cause.status}`;
  if (cause instanceof LedgerError) return cause.code;
  return cause instanceof TypeError || isLate(cause as Error) ? 'unreachable' : (cause as Error).name;
};

const toCause = (cause: unknown): unknown => {
  if (cause instanceof OtherLedgerRefusal || cause instanceof LedgerError) return cause;
  return isLate(cause as Error)
    ? new Error('it has not answered in time, or has no checkpoint with the record yet')
    : toConnection(cause);
};

const toConnection = (cause: unknown): Error =>
  cause instanceof TypeError ? new Error(toConnectionFailure(cause), { cause }) : (cause as Error);

// The first of several failures of a kind, and their end.
const createReports = (onProblem: AnchoringOptions['onProblem']) => {
  let failure: string | undefined;
  return {
    failed: (cause: unknown): void => {
      const kind = toKind(cause);
      if (kind !== failure)
        onProblem('a checkpoint of the block log is not recorded on the other ledger', toCause(cause));
      failure = kind;
    },
    succeeded: (): void => {
      if (failure !== undefined) onProblem('checkpoints of the block log are recorded on the other ledger again');
      failure = undefined;
    },
  };
};

/** Has checkpoints recorded from now on. */
export const startAnchoring = (options: AnchoringOptions): Anchoring => {
  const { recorded, other, readRecord, periodSeconds, now, onProblem, timeoutMs = TIMEOUT_MS } = options;
  const stopping = new AbortController();
  const reports = createReports(onProblem);
  let running: Promise<void> | undefined;
  let next: SignedHead | undefined;

  // A clock that was set back must not end the records.
  const isDue = ({ size }: SignedHead, nowSeconds: number): boolean => {
    const newest = recorded.newest();
    if (newest === undefined) return true;
    const elapsed = nowSeconds - newest.begunAtSeconds;
    return size > newest.size && (elapsed >= periodSeconds || elapsed < 0);
  };

  const begin = async (head: SignedHead): Promise<PendingCheckpoint | undefined> => {
    const known = recorded.pending();
    const begunAtSeconds = Math.floor(now() / 1_000);
    if (known !== undefined || !isDue(head, begunAtSeconds)) return known;
    const checkpoint = { note: head.note, size: head.size, begunAtSeconds };
    await recorded.setPending(checkpoint);
    return checkpoint;
  };

  const record = async (checkpoint: PendingCheckpoint): Promise<void> => {
    using joined = joinSignals(stopping.signal, AbortSignal.timeout(timeoutMs));
    try {
      const text = await other.record(toEvent(checkpoint), joined.signal);
      await recorded.keep(checkpoint, await readRecord(text, toUtf8(decodeSignedNote(checkpoint.note).text)));
    } catch (cause) {
      if (cause instanceof RecordUnusable) await recorded.setPending(undefined);
      throw cause;
    }
  };

  const run = async (head: SignedHead): Promise<void> => {
    try {
      const checkpoint = await begin(head);
      if (checkpoint === undefined) return;
      await record(checkpoint);
      reports.succeeded();
    } catch (cause) {
      if (!stopping.signal.aborted) reports.failed(cause);
    }
  };

  // With the newest of the checkpoints that were shown meanwhile.
  const runAll = async (): Promise<void> => {
    for (let head = next; head !== undefined && !stopping.signal.aborted; head = next) {
      next = undefined;
      await run(head);
    }
  };

  return {
    anchor: (head) => {
      next = head;
      running ??= runAll().finally(() => {
        running = undefined;
      });
    },
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
};
