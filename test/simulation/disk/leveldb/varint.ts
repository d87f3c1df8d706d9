// LevelDB's integers of variable length: seven bits a byte, the lowest first.

/** Number of bytes of an encoded integer. */
export const varintBytes = (value: number): number => {
  let bytes = 1;
  for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes += 1;
  return bytes;
};

/** Writes an integer; returns the offset after it. */
export const writeVarint = (bytes: Uint8Array, value: number, from: number): number => {
  let at = from;
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) {
    bytes[at] = (rest % 0x80) | 0x80;
    at += 1;
  }
  bytes[at] = rest;
  return at + 1;
};

/** Integers one after the other. */
export const encodeVarints = (values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(values.reduce((sum, value) => sum + varintBytes(value), 0));
  values.reduce((at, value) => writeVarint(bytes, value, at), 0);
  return bytes;
};
