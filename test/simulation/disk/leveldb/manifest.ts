// LevelDB's MANIFEST: the state of a database's files, as a log of changes. A simulated database has no tables.
import { createByteReader, DamagedBytes } from '../../../../chain/leveldb/byteReader.ts';
import { readRecords } from './logReader.ts';
import { varintBytes, writeVarint } from './varint.ts';

const COMPARATOR = 'leveldb.BytewiseComparator';
const TAG = { comparator: 1, logNumber: 2, nextFile: 3, lastSequence: 4, previousLog: 9 } as const;

/** What a MANIFEST states. */
export interface ManifestState {
  /** Number of the first log that is replayed. */
  readonly logNumber: number;
  /** Number of the next new file. */
  readonly nextFile: number;
  readonly lastSequence: number;
}

/** A database that LevelDB refuses to open; the message is its text. */
export class Corruption extends Error {}

const encodeNumbers = (numbers: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(numbers.reduce((sum, number) => sum + varintBytes(number), 0));
  numbers.reduce((at, number) => writeVarint(bytes, number, at), 0);
  return bytes;
};

/** The change that names LevelDB's order of keys: the first of each MANIFEST. */
export const encodeComparator = (): Buffer =>
  Buffer.concat([encodeNumbers([TAG.comparator, COMPARATOR.length]), Buffer.from(COMPARATOR)]);

/** The change that an opened database writes; `isNew`: the one that a new database begins with. */
export const encodeState = ({ logNumber, nextFile, lastSequence }: ManifestState, isNew: boolean): Buffer => {
  const previousLog = isNew ? [] : [TAG.previousLog, 0];
  return encodeNumbers([
    ...[TAG.logNumber, logNumber, ...previousLog],
    ...[TAG.nextFile, nextFile, TAG.lastSequence, lastSequence],
  ]);
};

const readEdit = (record: Buffer, state: Map<number, number>): void => {
  const reader = createByteReader(record, 0);
  const numbers: readonly number[] = [TAG.logNumber, TAG.nextFile, TAG.lastSequence, TAG.previousLog];
  while (!reader.isAtEnd) {
    const tag = reader.varint();
    if (tag === TAG.comparator) reader.take(reader.varint());
    else if (numbers.includes(tag)) state.set(tag, reader.varint());
    else throw new DamagedBytes(0, `a simulated database has no change of kind ${tag}`);
  }
};

/** The state that a MANIFEST leads to. @throws Corruption as LevelDB does. */
export const readManifest = (file: Buffer): ManifestState => {
  const state = new Map<number, number>();
  const fail = (reason: string): never => {
    throw new Corruption(reason);
  };
  for (const record of readRecords(file, fail)) readEdit(record, state);
  const require = (tag: number, name: string): number => state.get(tag) ?? fail(`no ${name} entry in descriptor`);
  return {
    nextFile: require(TAG.nextFile, 'meta-nextfile'),
    logNumber: require(TAG.logNumber, 'meta-lognumber'),
    lastSequence: require(TAG.lastSequence, 'last-sequence-number'),
  };
};
