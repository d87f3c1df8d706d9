// The row of the attestations of a tree, a stream or a record, oldest first. Anybody can attest anything as often as
// they pay for, so a row keeps 16 of them: the first, the newest, and of those between as many of each age on a
// logarithmic scale. So the newest one up to a block some time ago is not much older than that block.

/** An attestation with the place of its log. */
export interface KeptAttestation {
  readonly blockNumber: number;
  readonly transactionIndex: number;
  readonly logIndex: number;
  /** What was attested: a hash, and a number. */
  readonly hash: Uint8Array;
  readonly count: number;
}

const TAG = 11;
const ATTESTATIONS_MAX = 16;
const AT = { block: 0, transaction: 6, log: 10, count: 14, hash: 20 } as const;
const HASH_BYTES = 32;
const ENTRY_BYTES = AT.hash + HASH_BYTES;

const writeEntry = (row: Buffer, at: number, { hash, count, ...place }: KeptAttestation): void => {
  row.writeUIntBE(place.blockNumber, at + AT.block, 6);
  row.writeUInt32BE(place.transactionIndex, at + AT.transaction);
  row.writeUInt32BE(place.logIndex, at + AT.log);
  row.writeUIntBE(count, at + AT.count, 6);
  row.set(hash, at + AT.hash);
};

/** Encodes attestations. A hash of fewer than 32 bytes is followed by zeros. */
const encodeAttestations = (attestations: readonly KeptAttestation[]): Uint8Array => {
  const row = Buffer.alloc(1 + attestations.length * ENTRY_BYTES);
  row[0] = TAG;
  for (const [at, each] of attestations.entries()) writeEntry(row, 1 + at * ENTRY_BYTES, each);
  return row;
};

/** Decodes a row of attestations; none without a row. Each hash has 32 bytes. */
export const decodeAttestations = (bytes: Uint8Array | undefined): KeptAttestation[] => {
  if (bytes === undefined) return [];
  const row = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  return Array.from({ length: (row.length - 1) / ENTRY_BYTES }, (_, entry) => {
    const at = 1 + entry * ENTRY_BYTES;
    return {
      blockNumber: row.readUIntBE(at + AT.block, 6),
      transactionIndex: row.readUInt32BE(at + AT.transaction),
      logIndex: row.readUInt32BE(at + AT.log),
      count: row.readUIntBE(at + AT.count, 6),
      hash: row.subarray(at + AT.hash, at + ENTRY_BYTES),
    };
  });
};

// The attestation without which the others are spread best: whose neighbours' ages have the smallest ratio.
const findDispensable = (attestations: readonly KeptAttestation[]): number => {
  const newest = attestations.at(-1)!.blockNumber;
  const ageOf = (at: number): number => newest - attestations[at]!.blockNumber + 1;
  const ratioWithout = (at: number): number => ageOf(at - 1) / ageOf(at + 1);
  let found = 1;
  for (let at = 2; at < attestations.length - 1; at += 1) if (ratioWithout(at) < ratioWithout(found)) found = at;
  return found;
};

/** The row with one more attestation, which replaces an earlier one of the same block. */
export const appendAttestation = (row: Uint8Array | undefined, added: KeptAttestation): Uint8Array => {
  const known = decodeAttestations(row).filter(({ blockNumber }) => blockNumber !== added.blockNumber);
  const attestations = [...known, added];
  if (attestations.length > ATTESTATIONS_MAX) attestations.splice(findDispensable(attestations), 1);
  return encodeAttestations(attestations);
};

/** The newest attestation of a row in a block up to `untilBlock`. */
export const findAttestation = (row: Uint8Array | undefined, untilBlock: number): KeptAttestation | undefined =>
  decodeAttestations(row).findLast(({ blockNumber }) => blockNumber <= untilBlock);
