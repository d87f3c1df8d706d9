// The keys of the tenants' trees, and of what the contract was made to attest.
import type { KeyRange } from './keys.ts';
import { table, toUint32 } from './tables.ts';

/** What a name is attested as. */
export type AttestedKind = 'stream' | 'record';

const KINDS: Readonly<Record<AttestedKind, number>> = { stream: 0, record: 1 };

/** The key of the number of leaves of a tenant's tree. */
export const treeKey = (tenantKey: Uint8Array): Buffer => table('trees', tenantKey);
/** The key of a leaf by its number. */
export const leafKey = (tenantKey: Uint8Array, index: number): Buffer => table('leaves', tenantKey, toUint32(index));
/** The leaves `from` to `to` - 1. */
export const leafRange = (tenantKey: Uint8Array, from: number, to: number): KeyRange => ({
  gte: leafKey(tenantKey, from),
  lt: leafKey(tenantKey, to),
});
/** The key of the leaf of the record at a position of its stream. */
export const streamLeafKey = (tenantKey: Uint8Array, streamKey: Uint8Array, sequence: number): Buffer =>
  table('streamLeaves', tenantKey, streamKey, toUint32(sequence));
/** The positions `from` to `to` of a stream, both included. */
export const streamLeafRange = (
  tenantKey: Uint8Array,
  streamKey: Uint8Array,
  from: number,
  to: number,
): Required<Pick<KeyRange, 'gte' | 'lte'>> => ({
  gte: streamLeafKey(tenantKey, streamKey, from),
  lte: streamLeafKey(tenantKey, streamKey, to),
});
/** The key of a record whose payload means nothing to the index. */
export const opaqueRecordKey = (tenantKey: Uint8Array, recordKey: Uint8Array): Buffer =>
  table('opaqueRecords', tenantKey, recordKey);
/** The key of the attestations of a tenant's tree. */
export const attestedTreeKey = (tenantKey: Uint8Array): Buffer => table('attestedTrees', tenantKey);
/** The key of the attestations of a stream or record. */
export const attestedNameKey = (tenantKey: Uint8Array, kind: AttestedKind, key: Uint8Array): Buffer =>
  table('attestedNames', tenantKey, Uint8Array.of(KINDS[kind]), key);
/** The key of the name that was attested to be absent in a slot of a tenant. */
export const absenceKey = (tenantKey: Uint8Array, slot: number): Buffer => table('absences', tenantKey, toUint32(slot));
/** The key of the number of names of a tenant that were attested to be absent. */
export const absenceCountKey = (tenantKey: Uint8Array): Buffer => table('absenceCounts', tenantKey);
