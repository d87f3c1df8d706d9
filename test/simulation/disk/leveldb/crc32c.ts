// The checksum of LevelDB's log records, computed without a call into WebAssembly: records are short.
const CASTAGNOLI = 0x82f6_3b78;
const MASK_DELTA = 0xa282_ead8;

const toTableEntry = (byte: number): number => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ CASTAGNOLI : crc >>> 1;
  return crc;
};

const TABLE = Int32Array.from({ length: 256 }, (_, byte) => toTableEntry(byte));

/** Masked CRC-32C of a range of bytes, as LevelDB stores it. */
export const toMaskedCrc = (bytes: Uint8Array, from: number, to: number): number => {
  let crc = -1;
  for (let at = from; at < to; at += 1) crc = TABLE[(crc ^ bytes[at]!) & 0xff]! ^ (crc >>> 8);
  crc = ~crc;
  return (((crc >>> 15) | (crc << 17)) + MASK_DELTA) >>> 0;
};
