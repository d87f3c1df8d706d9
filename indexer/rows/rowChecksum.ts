// A row as LevelDB has it: its bytes, then a checksum over key and bytes. LevelDB's own checksums are not looked at when it reads, and the
// binding has no option for that. A row under a changed key is wrong too.
import { crc32 } from 'node:zlib';
import { decodeRow, encodeRow, type Row } from './rows.ts';

const CHECKSUM_BYTES = 4;
/** What CRC-32 gives for any bytes with their own checksum behind them. */
const RESIDUE = 0x2144df1c;
const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

// FNV-1a: any changed byte gives another number. For a key this is faster than a call of the native CRC.
const hashKey = (key: Uint8Array): number => {
  let hash = FNV_OFFSET;
  for (let at = 0; at < key.length; at += 1) hash = Math.imul(hash ^ key[at]!, FNV_PRIME);
  return hash >>> 0;
};

/** The bytes of a row under a key. */
export const encodeStored = (key: Uint8Array, row: Row): Buffer => {
  const bytes = encodeRow(row);
  const stored = Buffer.allocUnsafe(bytes.length + CHECKSUM_BYTES);
  stored.set(bytes);
  stored.writeUInt32LE(crc32(bytes, hashKey(key)), bytes.length);
  return stored;
};

/** The row of the bytes under a key; undefined when they are not what was written there. */
export const decodeStored = (key: Uint8Array, stored: Buffer): Row | undefined => {
  const length = stored.length - CHECKSUM_BYTES;
  if (length <= 0 || crc32(stored, hashKey(key)) !== RESIDUE) return undefined;
  return decodeRow(stored.subarray(0, length));
};
