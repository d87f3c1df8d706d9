// Compares the outbox's files with its entries in memory: an entry whose removal is not on the disk comes back at each
// start.
import { readEntries } from '../../../chain/leveldb/readEntries.ts';
import { decodeEntry } from '../../../chain/writing/outboxCodec.ts';
import type { OutboxEntry } from '../../../chain/writing/outboxEntries.ts';
import { dataPaths } from '../../../host/files/dataPaths.ts';
import type { Violation } from '../plan/plan.ts';
import { DATA_DIR } from '../server/settings.ts';

const CHECK = 'the outbox on the disk is that in memory';
/** The first and the last key of an entry: keys are digits. */
const RANGE = { smallest: Buffer.from('0'), largest: Buffer.from(':') };

const toText = ({ sequence, status, record }: OutboxEntry): string => `${status} ${record.identity} (${sequence})`;

const readTexts = async (): Promise<Set<string>> => {
  const decode = (value: Buffer, key: Buffer): string => toText(decodeEntry(Number(key.toString()), value));
  const stored = await readEntries(dataPaths(DATA_DIR).outbox, RANGE, decode);
  return new Set(stored.map(({ value }) => value));
};

/** Compares the files as they are now with the entries in memory. `when` completes a sentence about the files. */
export const checkOutboxFiles = async (entries: readonly OutboxEntry[], when: string): Promise<Violation[]> => {
  const known = new Set(entries.map(toText));
  const stored = await readTexts();
  const surplus = [...stored]
    .filter((text) => !known.has(text))
    .map((text) => `the files have ${text} ${when}, the memory doesn't`);
  const missing = [...known]
    .filter((text) => !stored.has(text))
    .map((text) => `the memory has ${text}, the files don't ${when}`);
  return [...surplus, ...missing].map((text) => ({ check: CHECK, text }));
};
