// Reads records of a file in LevelDB's log format, as its log::Reader does: damaged records are skipped with the rest
// of their block, and a record that is cut off at the end of the file isn't reported.
import { toMaskedCrc } from '../../../../chain/leveldb/crc32c.ts';
import { BLOCK_BYTES, FRAGMENT, HEADER_BYTES } from './logWriter.ts';

const LENGTH_AT = 4;
const TYPE_AT = 6;

/** Called for each damage with LevelDB's text. */
export type OnCorruption = (reason: string) => void;

/** A fragment with a correct checksum; `bad`: bytes were skipped. */
type Fragment = { readonly type: number; readonly data: Buffer } | 'bad';

function* readBlock(block: Buffer, isLast: boolean, onCorruption: OnCorruption): Iterable<Fragment> {
  for (let at = 0; at + HEADER_BYTES <= block.length; ) {
    const length = block.readUInt16LE(at + LENGTH_AT);
    const type = block[at + TYPE_AT]!;
    const end = at + HEADER_BYTES + length;
    if (end > block.length) {
      // The writer was cut off while it wrote this record.
      if (isLast) return;
      onCorruption('bad record length');
      return yield 'bad';
    }
    if (type === 0 && length === 0) {
      yield 'bad';
      return;
    }
    if (toMaskedCrc(block.subarray(at + TYPE_AT, end)) !== block.readUInt32LE(at)) {
      onCorruption('checksum mismatch');
      return yield 'bad';
    }
    yield { type, data: block.subarray(at + HEADER_BYTES, end) };
    at = end;
  }
}

function* readFragments(file: Buffer, onCorruption: OnCorruption): Iterable<Fragment> {
  for (let from = 0; from < file.length; from += BLOCK_BYTES) {
    const isLast = from + BLOCK_BYTES > file.length;
    yield* readBlock(file.subarray(from, from + BLOCK_BYTES), isLast, onCorruption);
  }
}

/** The records of a file that LevelDB would read, in order. */
export function* readRecords(file: Buffer, onCorruption: OnCorruption): Iterable<Buffer> {
  let parts: Buffer[] | undefined;
  const endPartial = (reason: string): void => {
    if (parts?.some(({ length }) => length > 0)) onCorruption(reason);
    parts = undefined;
  };
  for (const fragment of readFragments(file, onCorruption)) {
    if (fragment === 'bad') {
      if (parts !== undefined) onCorruption('error in middle of record');
      parts = undefined;
    } else if (fragment.type === FRAGMENT.full) {
      endPartial('partial record without end(1)');
      yield fragment.data;
    } else if (fragment.type === FRAGMENT.first) {
      endPartial('partial record without end(2)');
      parts = [fragment.data];
    } else if (parts === undefined) {
      onCorruption('missing start of fragmented record');
    } else {
      parts.push(fragment.data);
      if (fragment.type !== FRAGMENT.last) continue;
      yield Buffer.concat(parts);
      parts = undefined;
    }
  }
}
