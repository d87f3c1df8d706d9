// What a power failure leaves of a file's unsynced bytes.
import type { Random } from '../world/random.ts';
import { type ByteRange, type FileNode, PAGE_BYTES, readBytes, unsyncedRanges } from './inodes.ts';

const SECTOR_BYTES = 512;
const FLIPPED_BITS_MAX = 3;

type Damage = (bytes: Buffer, random: Random) => void;

const keep: Damage = () => undefined;

const lose: Damage = (bytes) => {
  bytes.fill(0);
};

// The disk wrote one part of the page.
const tear: Damage = (bytes, random) => {
  const isAtSector = bytes.length > SECTOR_BYTES && random.chance(0.5);
  const at = isAtSector
    ? SECTOR_BYTES * random.integer(1, Math.floor((bytes.length - 1) / SECTOR_BYTES))
    : random.integer(0, bytes.length);
  if (random.chance(0.75)) bytes.fill(0, at);
  else bytes.fill(0, 0, at);
};

const flip: Damage = (bytes, random) => {
  for (let count = random.integer(1, FLIPPED_BITS_MAX); count > 0; count -= 1) {
    const at = random.integer(0, bytes.length - 1);
    bytes[at] = bytes[at]! ^ (1 << random.integer(0, 7));
  }
};

const PAGE_DAMAGES: readonly Damage[] = [keep, keep, keep, lose, lose, tear, tear, flip];

function* pagesOf({ from, to }: ByteRange): Iterable<ByteRange> {
  for (let at = from; at < to; ) {
    const end = Math.min(to, at - (at % PAGE_BYTES) + PAGE_BYTES);
    yield { from: at, to: end };
    at = end;
  }
}

const restore = (file: FileNode, bytes: Buffer): void => {
  file.bytes = bytes;
  file.length = bytes.length;
  file.isShared = true;
};

const cut = (file: FileNode, random: Random): void => {
  if (random.chance(0.4)) file.length = random.integer(file.syncedLength, file.length);
};

// How many runs see each of these: nothing is lost, everything is, or each page has its own fate.
const damageBytes = (file: FileNode, random: Random): void => {
  const ranges = unsyncedRanges(file);
  if (ranges.length === 0 || random.chance(0.2)) return;
  const bytes = Buffer.from(readBytes(file));
  const losesAll = random.chance(0.25);
  for (const page of ranges.flatMap((range) => [...pagesOf(range)])) {
    const damage = losesAll ? lose : random.pick(PAGE_DAMAGES);
    damage(bytes.subarray(page.from, page.to), random);
  }
  file.bytes = bytes;
  file.isShared = false;
  if (losesAll) file.length = file.syncedLength;
  else cut(file, random);
};

/**
 * A power failure while a file has unsynced bytes: each page of them is kept, lost (zeros), torn inside the page, or
 * has flipped bits, and the file may be shorter. A file that was emptied and not synced may have its old contents.
 * Synced bytes are kept.
 */
export const loseUnsynced = (file: FileNode, random: Random): void => {
  if (file.emptied !== undefined && random.chance(0.5)) restore(file, file.emptied);
  else damageBytes(file, random);
  file.syncedLength = file.length;
  file.doubtful = [];
  file.emptied = undefined;
};
