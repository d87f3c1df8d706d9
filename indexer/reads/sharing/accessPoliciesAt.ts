// The access policies of a tenant that were in effect at a time. All versions are read, because any policy may have
// been another one then, or not been deleted yet.
import { toKey, toStreamIdentityOf } from '../../../ledger/identity.ts';
import { type AccessPolicyRecord, toAccessPolicy } from '../../../ledger/records/accessPolicy.ts';
import * as keys from '../../keys.ts';
import type { NamedRow } from '../../rows/rows.ts';
import type { DatedAccessPolicy } from '../../sharingView.ts';
import type { NamedSource } from '../namedList.ts';
import { readMembers } from '../recordReads.ts';
import { readCount } from '../selection/selection.ts';
import { readCreated, readVersionAt } from '../versionAt.ts';

type Source = Pick<NamedSource<AccessPolicyRecord, never>, 'snapshot' | 'tenantIdentity' | 'uncommitted'>;

/** Policies that are read at once. */
const AT_ONCE = 512;

// The identities of all policies that the tenant ever had.
const readIdentities = async ({ snapshot, tenantIdentity, uncommitted }: Source): Promise<ReadonlySet<string>> => {
  const members = { tenantKey: toKey(tenantIdentity), collection: 'accessPolicies' } as const;
  const count = readCount(snapshot, members);
  const found = new Set(uncommitted.map(({ streamIdentity }) => streamIdentity));
  for (let from = 0; from < count; from += AT_ONCE) {
    const numbers = Array.from({ length: Math.min(AT_ONCE, count - from) }, (_, at) => from + at);
    const rows = await readMembers(snapshot, { ...members, numbers }, (key, stream) =>
      keys.namedKey(key, members.collection, stream),
    );
    for (const { record } of rows as NamedRow<AccessPolicyRecord>[]) found.add(toStreamIdentityOf(record));
  }
  return found;
};

const readAt = async (source: Source, identity: string, atMs: number): Promise<DatedAccessPolicy | undefined> => {
  const { snapshot, tenantIdentity, uncommitted } = source;
  const resource = { type: 'access_policy', tenantIdentity, streamIdentity: identity } as const;
  const waiting = uncommitted.filter(({ streamIdentity }) => streamIdentity === identity);
  const version = await readVersionAt(snapshot, resource, atMs, waiting);
  const policy = version && toAccessPolicy(version);
  if (policy === undefined) return undefined;
  const created = (await readCreated(snapshot, resource)) ?? waiting[0]!.record.timestamp_accepted;
  return { policy, createdMs: Date.parse(created) };
};

const byCreationDescending = (a: DatedAccessPolicy, b: DatedAccessPolicy): number =>
  b.createdMs - a.createdMs || (a.policy.identity < b.policy.identity ? 1 : -1);

/** The policies that were in effect at `atMs`, those that were created last first. */
export const readAccessPoliciesAt = async (source: Source, atMs: number): Promise<DatedAccessPolicy[]> => {
  const policies: DatedAccessPolicy[] = [];
  for (const identity of await readIdentities(source)) {
    const found = await readAt(source, identity, atMs);
    if (found !== undefined) policies.push(found);
  }
  return policies.sort(byCreationDescending);
};
