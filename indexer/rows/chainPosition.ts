// Positions of records in the chain: records of all tenants are in one order by them.

/** Where the chain has a record. */
export interface ChainPosition {
  readonly blockNumber: number;
  readonly logIndex: number;
}

const BLOCK_BYTES = 6;
const BYTES = BLOCK_BYTES + 4;

/** A position as bytes that sort by it. */
export const encodeChainPosition = ({ blockNumber, logIndex }: ChainPosition): Uint8Array => {
  const bytes = Buffer.allocUnsafe(BYTES);
  bytes.writeUIntBE(blockNumber, 0, BLOCK_BYTES);
  bytes.writeUInt32BE(logIndex, BLOCK_BYTES);
  return bytes;
};

/** Decodes the position at the beginning of bytes. */
export const decodeChainPosition = (bytes: Uint8Array): ChainPosition => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, BYTES);
  return { blockNumber: buffer.readUIntBE(0, BLOCK_BYTES), logIndex: buffer.readUInt32BE(BLOCK_BYTES) };
};

/** Negative if the first position is before the second, 0 if both are the same. */
export const comparePositions = (a: ChainPosition, b: ChainPosition): number =>
  a.blockNumber - b.blockNumber || a.logIndex - b.logIndex;
