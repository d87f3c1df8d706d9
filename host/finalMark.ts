// The newest final block that the index had, in `final.json` of the data directory: an index that is lost, damaged or
// rebuilt must not make a start forget which blocks were final. Of a network only; the embedded chain has its journal.
import { createDurableFiles } from '../chain/blockLog/durableFiles.ts';
import { readText } from '../chain/blockLog/logFiles.ts';
import { raiseIfMistake } from '../chain/defects.ts';
import type { BlockRef } from '../chain/port.ts';
import type { Hex } from '../ledger/encoding/hex.ts';
import { dataPaths } from './files/dataPaths.ts';

const FILE = 'final.json';
const HASH = /^0x[0-9a-f]{64}$/;
/** Milliseconds between two writes: the index itself has the newest block, unless it is lost. */
const PERIOD_MS = 10_000;

const parse = (path: string, text: string): BlockRef => {
  try {
    const { number, hash } = JSON.parse(text) as { number: number; hash: Hex };
    if (Number.isSafeInteger(number) && HASH.test(hash)) return { number, hash };
  } catch {
    // The same as a file with other content.
  }
  throw new Error(`${path} is damaged; compare the chain of the nodes with another server's, then remove it`);
};

/** The block of a directory; undefined when it has none. @throws Error when the file is damaged. */
export const readFinalMark = async (dataDir: string): Promise<BlockRef | undefined> => {
  const path = dataPaths(dataDir).final;
  const text = await readText(path);
  return text === undefined ? undefined : parse(path, text);
};

const writeFinalMark = async (dataDir: string, { number, hash }: BlockRef): Promise<void> => {
  const files = createDurableFiles(dataDir);
  await files.write(FILE, `${JSON.stringify({ number, hash })}\n`);
  await files.syncNames();
};

/** Keeps the mark of a directory. */
export interface FinalMark {
  /** Writes the newest block that `readNewest` returns now, at once. Rejects when the disk refuses it. */
  write(): Promise<void>;
  /** The same at most every ten seconds, in the background. */
  note(): void;
  /** Writes it, and ends the writes. */
  stop(): Promise<void>;
}

/** The mark of a directory, as the index moves. */
export const createFinalMark = (
  dataDir: string,
  readNewest: () => BlockRef | undefined,
  onProblem: (message: string, cause?: unknown) => void,
): FinalMark => {
  let written: number | undefined;
  let isFailing = false;
  let writing = Promise.resolve();
  let nextMs = Number.NEGATIVE_INFINITY;
  const write = async (): Promise<void> => {
    const newest = readNewest();
    if (newest === undefined || newest.number === written) return;
    await writeFinalMark(dataDir, newest);
    written = newest.number;
  };
  const tryToWrite = async (): Promise<void> => {
    try {
      await write();
      isFailing = false;
    } catch (cause) {
      raiseIfMistake(cause);
      if (!isFailing) onProblem(`the newest final block can't be written to ${FILE}`, cause);
      isFailing = true;
    }
  };
  return {
    write,
    note: () => {
      if (performance.now() < nextMs) return;
      nextMs = performance.now() + PERIOD_MS;
      writing = writing.then(tryToWrite);
    },
    stop: async () => {
      await writing;
      await tryToWrite();
    },
  };
};
