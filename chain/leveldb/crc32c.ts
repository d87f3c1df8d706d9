// The checksum in LevelDB's files: CRC-32C, masked as LevelDB's doc/log_format.md and doc/table_format.md describe.
import { createCRC32 } from 'hash-wasm';

const CASTAGNOLI = 0x82f63b78;
const MASK_DELTA = 0xa282ead8;

const hasher = await createCRC32(CASTAGNOLI);

/** Masked CRC-32C of some bytes, as LevelDB stores it. */
export const toMaskedCrc = (bytes: Uint8Array): number => {
  const digest = hasher.init().update(bytes).digest('binary');
  const crc = new DataView(digest.buffer, digest.byteOffset).getUint32(0);
  return (((crc >>> 15) | (crc << 17)) + MASK_DELTA) >>> 0;
};
