// The checkpoints of a log that another ledger has, each with its record there in a file of its own, named by the size
// of the log: `log/elsewhere/<16 digits>`. `log/elsewhere/pending` is the checkpoint that is to be recorded, durable
// before the other ledger gets it, so that the same event is asked for again after a kill.
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { BlockLog } from '../../chain/blockLog/blockLog.ts';
import type { CheckpointSigner } from '../../chain/blockLog/checkpointSigner.ts';
import { createDurableFiles } from '../../chain/blockLog/durableFiles.ts';
import { ELSEWHERE_DIRECTORY, listComplete, readText, refuseLog } from '../../chain/blockLog/logFiles.ts';
import { readRoot } from '../../chain/blockLog/logHashes.ts';
import { verifyOwnNote } from '../../chain/blockLog/ownNote.ts';
import { createBoundedMap } from '../../indexer/boundedMap.ts';
import type { LedgerError } from '../../ledger/errors.ts';
import { checkElsewhere } from '../../ledger/evidence/bundle/roots.ts';
import { isSameBytes } from '../../ledger/evidence/bytes.ts';
import { toUtf8 } from '../../ledger/evidence/lines.ts';
import { decodeSignedNote } from '../../ledger/evidence/signedNote.ts';
import type { FileElsewhere } from './evidenceFile.ts';

/** A checkpoint that is to be recorded on another ledger. */
export interface PendingCheckpoint {
  /** The signed note. */
  readonly note: string;
  /** Number of blocks that it covers. */
  readonly size: number;
  /** When this was decided. */
  readonly begunAtSeconds: number;
}

/** A checkpoint that another ledger has. */
export interface RecordedCheckpoint extends PendingCheckpoint {
  /** Number of its newest block. */
  readonly newestBlock: number;
  readonly record: FileElsewhere;
}

/** The checkpoints of a log that another ledger has. */
export interface RecordedCheckpoints {
  /** The largest one. */
  newest(): Omit<RecordedCheckpoint, 'record'> | undefined;
  /** The smallest one that covers a block. One whose file is damaged is reported and not used. */
  find(blockNumber: number): Promise<RecordedCheckpoint | undefined>;
  /** The checkpoint that is to be recorded. */
  pending(): PendingCheckpoint | undefined;
  /** Decides that a checkpoint is to be recorded; undefined: none. Durable when it resolves. */
  setPending(checkpoint: PendingCheckpoint | undefined): Promise<void>;
  /** Keeps the record of a checkpoint, which is then not pending any more. Durable when it resolves. */
  keep(checkpoint: PendingCheckpoint, record: FileElsewhere): Promise<void>;
}

/** Options of `openRecordedCheckpoints`. */
export interface RecordedOptions {
  /** Of the log. */
  readonly directory: string;
  /** Number of the block that is entry 0 of the log. */
  readonly firstBlock: number;
  readonly signer: Pick<CheckpointSigner, 'origin' | 'logKey' | 'timeKey'>;
  readonly log: Pick<BlockLog, 'readTile' | 'head'>;
  readonly onProblem: (message: string, cause?: unknown) => void;
}

interface Stored {
  readonly checkpoint: string;
  readonly begun_at: number;
  readonly record?: FileElsewhere;
}

const PENDING = 'pending';
const NAME = /^\d{16}$/;
const LOADED_BYTES_MAX = 4 * 1024 * 1024;

const toPath = (name: string): string => `${ELSEWHERE_DIRECTORY}/${name}`;

// An older directory log would have none of the newer records.
const REMEDY = 'The server goes on without this file. Restore it alone from a backup, and restart, or delete it';
const PENDING_REMEDY = 'The server goes on without this file, and replaces it with the next checkpoint that is due';

const toRemedy = (name: string): string => (name === PENDING ? PENDING_REMEDY : REMEDY);
const refuseFile = (name: string, problem: string, cause?: unknown): LedgerError =>
  refuseLog(`log/${toPath(name)} ${problem}`, toRemedy(name), cause);

const toName = (size: number): string => String(size).padStart(16, '0');

const encode = ({ note, begunAtSeconds }: PendingCheckpoint, record?: FileElsewhere): string =>
  `${JSON.stringify({ checkpoint: note, begun_at: begunAtSeconds, ...(record && { record }) })}\n`;

const parse = (name: string, text: string): Stored => {
  try {
    const stored = JSON.parse(text) as Stored;
    if (typeof stored.checkpoint === 'string' && Number.isSafeInteger(stored.begun_at)) return stored;
  } catch (cause) {
    throw refuseFile(name, 'is damaged', cause);
  }
  throw refuseFile(name, 'is damaged');
};

// Compared with the key and the tree, so that its proofs of blocks lead to it.
const readStored = async (
  { directory, signer, log }: RecordedOptions,
  name: string,
): Promise<{ pending: PendingCheckpoint; record: FileElsewhere | undefined }> => {
  const path = toPath(name);
  const {
    checkpoint: note,
    begun_at: begunAtSeconds,
    record,
  } = parse(name, await readFile(join(directory, path), 'utf8'));
  const { size, root } = verifyOwnNote(path, note, signer, toRemedy(name));
  if (size > (log.head()?.size ?? 0) || !isSameBytes(await readRoot(log, size), root))
    throw refuseFile(name, 'is not a checkpoint of the tree in log');
  return { pending: { note, size, begunAtSeconds }, record };
};

const readRecorded = async (options: RecordedOptions, name: string): Promise<RecordedCheckpoint> => {
  const { pending, record } = await readStored(options, name);
  try {
    await checkElsewhere(record, toUtf8(decodeSignedNote(pending.note).text), undefined);
  } catch (cause) {
    throw refuseFile(name, 'has no record of its checkpoint', cause);
  }
  if (toName(pending.size) !== name) throw refuseFile(name, 'has a checkpoint of another size');
  return { ...pending, newestBlock: options.firstBlock + pending.size - 1, record: record! };
};

/** The checkpoints of a log that another ledger has, as its directory has them. Those that are damaged are reported. */
export const openRecordedCheckpoints = async (options: RecordedOptions): Promise<RecordedCheckpoints> => {
  const { directory, firstBlock, onProblem } = options;
  const files = createDurableFiles(directory);
  const loaded = createBoundedMap<RecordedCheckpoint>(LOADED_BYTES_MAX);
  let names = (await listComplete(join(directory, ELSEWHERE_DIRECTORY))).filter((name) => NAME.test(name));

  const unless = async <T>(name: string, read: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await read();
    } catch (cause) {
      names = names.filter((each) => each !== name);
      onProblem(`log/${toPath(name)} is not used as a record of a checkpoint on another ledger`, cause);
      return undefined;
    }
  };
  const load = async (name: string): Promise<RecordedCheckpoint | undefined> => {
    const known = loaded.get(name);
    if (known !== undefined) return known;
    const recorded = await unless(name, () => readRecorded(options, name));
    if (recorded !== undefined) loaded.set(name, recorded, JSON.stringify(recorded).length);
    return recorded;
  };
  const write = async (name: string, text: string): Promise<void> => {
    await files.write(toPath(name), text);
    await files.syncNames();
  };
  const findNewest = async (): Promise<RecordedCheckpoint | undefined> => {
    for (let name = names.at(-1); name !== undefined; name = names.at(-1)) {
      const recorded = await load(name);
      if (recorded !== undefined) return recorded;
    }
    return undefined;
  };
  const findPending = async (): Promise<PendingCheckpoint | undefined> => {
    const isThere = (await readText(join(directory, toPath(PENDING)))) !== undefined;
    return isThere ? unless(PENDING, async () => (await readStored(options, PENDING)).pending) : undefined;
  };

  let newest: Omit<RecordedCheckpoint, 'record'> | undefined = await findNewest();
  // After a kill between the record and the end of its checkpoint's pending both are there.
  let pending = await findPending();
  if ((pending?.size ?? 0) <= (newest?.size ?? 0)) pending = undefined;
  const removePending = () => rm(join(directory, toPath(PENDING)), { force: true });
  return {
    newest: () => newest,
    find: async (blockNumber) => {
      for (;;) {
        const name = names.find((each) => firstBlock + Number(each) - 1 >= blockNumber);
        const recorded = name === undefined ? undefined : await load(name);
        if (name === undefined || recorded !== undefined) return recorded;
      }
    },
    pending: () => pending,
    setPending: async (checkpoint) => {
      pending = undefined;
      if (checkpoint === undefined) return removePending();
      await write(PENDING, encode(checkpoint));
      pending = checkpoint;
    },
    keep: async (checkpoint, record) => {
      const name = toName(checkpoint.size);
      await write(name, encode(checkpoint, record));
      names = [...names.filter((each) => each !== name), name].sort();
      newest = { ...checkpoint, newestBlock: firstBlock + checkpoint.size - 1 };
      pending = undefined;
      await removePending();
    },
  };
};
