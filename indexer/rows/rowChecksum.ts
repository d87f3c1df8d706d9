// A row as LevelDB stores it: its bytes, then a checksum over key and bytes. LevelDB does not verify its own checksums
// when it reads, and the binding has no option to enable that. The key is included, so a row under another key is
// detected as well.
import { crc32 } from 'node:zlib';
import { decodeRow, encodeRow, type Row } from './rows.ts';

const CHECKSUM_BYTES = 4;
/** The CRC-32 of any bytes that are followed by their own CRC-32. */
const RESIDUE = 0x2144df1c;
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

// FNV-1a: a change of any single byte changes the hash. For a key, this is faster than a call of the native CRC-32.
const hashKey = (key: Uint8Array): number => {
  let hash = FNV_OFFSET;
  for (let at = 0; at < key.length; at += 1) hash = Math.imul(hash ^ key[at]!, FNV_PRIME);
  return hash >>> 0;
};

/** The bytes that are stored for a row under a key. */
export const encodeStored = (key: Uint8Array, row: Row): Buffer => {
  const bytes = encodeRow(row);
  const stored = Buffer.allocUnsafe(bytes.length + CHECKSUM_BYTES);
  stored.set(bytes);
  stored.writeUInt32LE(crc32(bytes, hashKey(key)), bytes.length);
  return stored;
};

/** Decodes the bytes stored under a key; undefined if they are not what was written under that key. */
export const decodeStored = (key: Uint8Array, stored: Buffer): Row | undefined => {
  const length = stored.length - CHECKSUM_BYTES;
  if (length <= 0 || crc32(stored, hashKey(key)) !== RESIDUE) return undefined;
  return decodeRow(stored.subarray(0, length));
};
