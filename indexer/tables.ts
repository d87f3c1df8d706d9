// The tables of the index. docs/ARCHITECTURE.md lists what each has.

/** The first byte of the keys of each table. */
export const TABLES = {
  cursor: 0,
  records: 1,
  assets: 2,
  members: 3,
  postings: 4,
  columns: 5,
  zones: 6,
  tenants: 7,
  tenantNames: 8,
  applications: 9,
  checkpoints: 10,
  publicAssets: 11,
  named: 12,
  names: 13,
  blobs: 14,
  contents: 15,
  counters: 16,
  policyHeads: 17,
  policyPages: 18,
  publicBlobs: 19,
  blobBytes: 20,
  conflicts: 21,
  newerRecords: 22,
  trees: 23,
  leaves: 24,
  streamLeaves: 25,
  opaqueRecords: 26,
  attestedTrees: 27,
  attestedNames: 28,
  absences: 29,
  absenceCounts: 30,
  servedTenants: 31,
  unservedTenants: 32,
  authors: 33,
  tenantAuthors: 34,
  subjectAddresses: 35,
  policyChanges: 36,
  assetChanges: 37,
  authorTenants: 38,
  writePolicies: 39,
  contributions: 40,
  contributed: 41,
  publicEvents: 42,
  standingChanges: 43,
  authorChanges: 44,
  namedAddresses: 45,
  recordBytes: 46,
} as const;

/** Length of a number in a key. */
export const NUMBER_BYTES = 4;

/** A key of a table. */
export const table = (name: keyof typeof TABLES, ...fields: readonly Uint8Array[]): Buffer => {
  let length = 1;
  for (const field of fields) length += field.length;
  const key = Buffer.allocUnsafe(length);
  key[0] = TABLES[name];
  let at = 1;
  for (const field of fields) {
    key.set(field, at);
    at += field.length;
  }
  return key;
};

/** A number from 0 to 2^32 - 1 as bytes that sort by it. */
export const toUint32 = (number: number): Buffer => {
  const bytes = Buffer.allocUnsafe(NUMBER_BYTES);
  bytes.writeUInt32BE(number);
  return bytes;
};
