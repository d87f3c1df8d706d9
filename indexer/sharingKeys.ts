// The keys of what sharing between tenants is decided by: which tenants an account has written records for, and which
// subjects name the account.
import type { KeyRange } from './keys.ts';
import { table } from './tables.ts';

const ADDRESS_BYTES = 20;
const KEY_BYTES = 32;

const HIGHEST = Buffer.alloc(2 * KEY_BYTES, 0xff);

/** The key whose row exists if the account with this address (20 bytes) is the author of a record of the tenant. */
export const authorKey = (address: Uint8Array, tenantKey: Uint8Array): Buffer => table('authors', address, tenantKey);
/** The tenants of which an account is an author of records. */
export const authorRange = (address: Uint8Array): Required<Pick<KeyRange, 'gte' | 'lt'>> => ({
  gte: table('authors', address),
  lt: table('authors', address, HIGHEST),
});
/** The tenant key in a key of `authorKey`. */
export const authorTenantOf = (key: Uint8Array): Uint8Array => key.subarray(1 + ADDRESS_BYTES);

/** The key of the same row by the tenant. */
export const tenantAuthorKey = (tenantKey: Uint8Array, address: Uint8Array): Buffer =>
  table('tenantAuthors', tenantKey, address);
/** The authors of a tenant's records, after one of them. */
export const tenantAuthorRange = (tenantKey: Uint8Array, after?: Buffer): KeyRange => ({
  ...(after === undefined ? { gte: table('tenantAuthors', tenantKey) } : { gt: after }),
  lt: table('tenantAuthors', tenantKey, HIGHEST),
});
/** The address in a key of `tenantAuthorKey`. */
export const tenantAuthorOf = (key: Uint8Array): Uint8Array => key.subarray(1 + KEY_BYTES);

/** The key of a subject under one of its addresses: its row is the subject's identity. */
export const subjectAddressKey = (address: Uint8Array, ownerKey: Uint8Array, streamKey: Uint8Array): Buffer =>
  table('subjectAddresses', address, ownerKey, streamKey);
/** The subjects that have an address, of all tenants, after one of them. */
export const subjectAddressRange = (address: Uint8Array, after?: Buffer): KeyRange => ({
  ...(after === undefined ? { gte: table('subjectAddresses', address) } : { gt: after }),
  lt: table('subjectAddresses', address, HIGHEST, Uint8Array.of(0xff)),
});
/** The key of the tenant that owns the subject, in a key of `subjectAddressKey`. */
export const subjectOwnerOf = (key: Uint8Array): Uint8Array =>
  key.subarray(1 + ADDRESS_BYTES, 1 + ADDRESS_BYTES + KEY_BYTES);

/** The key of the changes of a tenant's access policies. */
export const policyChangesKey = (ownerKey: Uint8Array): Buffer => table('policyChanges', ownerKey);
/** The key of the changes of other tenants' subjects that may stand for a tenant, or may have. */
export const standingChangesKey = (tenantKey: Uint8Array): Buffer => table('standingChanges', tenantKey);
/** The key of the number of first records of tenants by accounts that subjects name. */
export const authorChangesKey = (): Buffer => table('authorChanges');
/** The key whose row exists if a subject has had this address (20 bytes). */
export const namedAddressKey = (address: Uint8Array): Buffer => table('namedAddresses', address);

/** The key of the tenant of which an account is an author of records: its row is empty if there are several. */
export const authorTenantKey = (address: Uint8Array): Buffer => table('authorTenants', address);
/** The key of the identities of a tenant's access policies that let other tenants record events. */
export const writePoliciesKey = (ownerKey: Uint8Array): Buffer => table('writePolicies', ownerKey);
/** The key of an event that another tenant contributed to an asset of the owner: its row is the event's number. */
export const contributionKey = (ownerKey: Uint8Array, eventKey: Uint8Array): Buffer =>
  table('contributions', ownerKey, eventKey);
/** The key of an event that a tenant contributed to another one's asset: its row is the identity of its record. */
export const contributedKey = (writerKey: Uint8Array, eventKey: Uint8Array): Buffer =>
  table('contributed', writerKey, eventKey);
