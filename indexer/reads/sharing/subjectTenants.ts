// Which tenant a subject stands for: the one of which one of its wallets has written a committed record. A subject
// whose wallets lead to more than one tenant is ambiguous and stands for none.
import { fromHex, type Hex, toHex } from '../../../ledger/encoding/hex.ts';
import { toKey } from '../../../ledger/identity.ts';
import { type SubjectRecord, toWalletAddress } from '../../../ledger/records/subject.ts';
import { createMissingRowError } from '../../damage.ts';
import * as keys from '../../keys.ts';
import type { NamedRow, Row, SubjectName, TenantRow } from '../../rows/rows.ts';
import {
  authorRange,
  authorTenantOf,
  subjectAddressRange,
  subjectOwnerOf,
  tenantAuthorOf,
  tenantAuthorRange,
} from '../../sharingKeys.ts';
import type { Entry, Snapshot } from '../../snapshots.ts';

/** What these reads need of a snapshot. */
type Rows = Pick<Snapshot, 'read' | 'readFirst'>;

const PAGE_ENTRIES = 1_000;

/** Two tenants of an address show already that it is ambiguous. */
const TENANTS_READ = 2;

/**
 * The keys of the tenants of which accounts with these addresses have written records: none, one, or, if it is
 * ambiguous, two or more, which may not be all.
 */
export const readTenantKeysOf = async (rows: Rows, addresses: Iterable<Hex>): Promise<Hex[]> => {
  const tenants = new Set<Hex>();
  for (const address of new Set(addresses)) {
    const found = await rows.readFirst(authorRange(fromHex(address)), TENANTS_READ);
    for (const [key] of found) tenants.add(toHex(authorTenantOf(key)));
    if (tenants.size > 1) break;
  }
  return [...tenants];
};

const addressesOf = (subject: Pick<SubjectRecord, 'wallet_pub_key'>): Hex[] =>
  subject.wallet_pub_key.map(toWalletAddress);

/**
 * The identity of the tenant that a subject stands for; undefined if there is none yet, if it is ambiguous, and for a
 * tenant without a record of its own.
 */
export const readTenantOf = async (
  rows: Rows,
  subject: Pick<SubjectRecord, 'wallet_pub_key'>,
): Promise<string | undefined> => {
  const [tenantKey, ...others] = await readTenantKeysOf(rows, addressesOf(subject));
  if (tenantKey === undefined || others.length > 0) return undefined;
  return (rows.read(keys.tenantRowKey(fromHex(tenantKey))) as TenantRow | undefined)?.identity;
};

async function* readPages(rows: Rows, rangeAfter: (after?: Buffer) => keys.KeyRange): AsyncGenerator<Entry> {
  let page = await rows.readFirst(rangeAfter(), PAGE_ENTRIES);
  for (;;) {
    yield* page;
    if (page.length < PAGE_ENTRIES) return;
    page = await rows.readFirst(rangeAfter(page.at(-1)![0]), PAGE_ENTRIES);
  }
}

const readReferenced = (rows: Rows, key: Buffer): Row => {
  const row = rows.read(key);
  if (row === undefined) throw createMissingRowError(key);
  return row;
};

// The subjects of other tenants that have an address of one of the tenant's authors, each once.
async function* readCandidates(rows: Rows, tenantKey: Uint8Array): AsyncGenerator<SubjectName> {
  const seen = new Set<string>();
  for await (const [authorKey] of readPages(rows, (after) => tenantAuthorRange(tenantKey, after))) {
    const address = tenantAuthorOf(authorKey);
    for await (const [key, subjectIdentity] of readPages(rows, (after) => subjectAddressRange(address, after))) {
      const ownerKey = subjectOwnerOf(key);
      const name = `${toHex(ownerKey)} ${subjectIdentity}`;
      if (Buffer.compare(ownerKey, tenantKey) === 0 || seen.has(name)) continue;
      seen.add(name);
      const { identity } = readReferenced(rows, keys.tenantRowKey(ownerKey)) as TenantRow;
      yield { ownerIdentity: identity, subjectIdentity: subjectIdentity as string };
    }
  }
}

/** Whether a subject of another tenant stands for a tenant, by its committed version. */
export const standsForTenant = async (
  rows: Rows,
  { ownerIdentity, subjectIdentity }: SubjectName,
  tenantIdentity: string,
): Promise<boolean> => {
  const key = keys.namedKey(toKey(ownerIdentity), 'subjects', toKey(subjectIdentity));
  const { record } = readReferenced(rows, key) as NamedRow<SubjectRecord>;
  if (record.is_deleted) return false;
  const [tenantKey, ...others] = await readTenantKeysOf(rows, addressesOf(record));
  return others.length === 0 && tenantKey === toHex(toKey(tenantIdentity));
};

/** The subjects of all other tenants that stand for a tenant, by their committed versions, each once. */
export const readSubjectsFor = async (rows: Rows, tenantIdentity: string): Promise<SubjectName[]> => {
  const standing: SubjectName[] = [];
  for await (const subject of readCandidates(rows, toKey(tenantIdentity))) {
    if (await standsForTenant(rows, subject, tenantIdentity)) standing.push(subject);
  }
  return standing;
};
