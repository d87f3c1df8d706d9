// LevelDB's log format, used by its .log files and its MANIFEST: blocks of 32 KiB with records, each with a checksum.
// When a record of a .log file is damaged, LevelDB itself skips it and the rest of its block without an error.
import { DamagedBytes } from './byteReader.ts';
import { toMaskedCrc } from './crc32c.ts';

const BLOCK_BYTES = 32_768;
const HEADER_BYTES = 7;
const [FULL, FIRST, LAST] = [1, 2, 4];
const LENGTH_AT = 4;
const TYPE_AT = 6;

/** The records of a log. */
export interface LogRecords {
  readonly records: Buffer[];
  /** Where each record begins in the file, in bytes. */
  readonly offsets: number[];
  /** Where the complete records end. */
  readonly end: number;
}

interface Fragment {
  readonly type: number;
  readonly data: Buffer;
  readonly end: number;
}

const bytesLeftInBlock = (at: number): number => BLOCK_BYTES - (at % BLOCK_BYTES);

// Space that is too short for a header is padding.
const toNextHeader = (at: number): number => (bytesLeftInBlock(at) < HEADER_BYTES ? at + bytesLeftInBlock(at) : at);

/** The fragment at an offset; undefined when there is none with a correct checksum. */
const readFragment = (file: Buffer, at: number): Fragment | undefined => {
  if (at + HEADER_BYTES > file.length) return undefined;
  const length = file.readUInt16LE(at + LENGTH_AT);
  const type = file[at + TYPE_AT]!;
  const end = at + HEADER_BYTES + length;
  if (type < FULL || type > LAST || HEADER_BYTES + length > bytesLeftInBlock(at) || end > file.length) return undefined;
  if (toMaskedCrc(file.subarray(at + TYPE_AT, end)) !== file.readUInt32LE(at)) return undefined;
  return { type, data: file.subarray(at + HEADER_BYTES, end), end };
};

// The length of a damaged fragment can't be trusted, so every offset is tried.
const hasRecordAfter = (file: Buffer, from: number): boolean => {
  for (let at = from; at + HEADER_BYTES <= file.length; at += 1) {
    const type = file[at + TYPE_AT]!;
    if ((type === FULL || type === FIRST) && readFragment(file, at) !== undefined) return true;
  }
  return false;
};

/**
 * The records of a file, in order. Omits what follows the last complete record: a write that a power loss cut off looks
 * like that, and was never acknowledged.
 * @throws DamagedBytes when complete records follow a damaged one.
 */
export const readLogRecords = (file: Buffer): LogRecords => {
  const read = readCompleteRecords(file);
  if (hasRecordAfter(file, read.end + 1)) throw new DamagedBytes(read.end, 'a record has a wrong checksum');
  return read;
};

/** The records before the first one that is damaged or cut off. */
export const readCompleteRecords = (file: Buffer): LogRecords => {
  const records: Buffer[] = [];
  const offsets: number[] = [];
  let fragments: Buffer[] = [];
  let offset = 0;
  for (let at = 0; ; ) {
    const start = toNextHeader(at);
    const fragment = readFragment(file, start);
    if (fragment === undefined) return { records, offsets, end: start };
    if (fragment.type === FULL || fragment.type === FIRST) {
      fragments = [];
      offset = start;
    }
    fragments.push(fragment.data);
    if (fragment.type === FULL || fragment.type === LAST) {
      records.push(Buffer.concat(fragments));
      offsets.push(offset);
    }
    at = fragment.end;
  }
};
