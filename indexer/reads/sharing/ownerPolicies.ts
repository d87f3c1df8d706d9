// The grants of a tenant's access policies that are in effect, kept in memory: after a change of a policy, only that
// one is read again. The grants of a version that changes only names are the same objects as before.
import { toKey, toStreamIdentityOf } from '../../../ledger/identity.ts';
import type { AccessPolicyRecord } from '../../../ledger/records/accessPolicy.ts';
import { type Grant, toGrants } from '../../../ledger/sharing/grants.ts';
import { createMissingRowError } from '../../damage.ts';
import * as keys from '../../keys.ts';
import { PRESENT } from '../../projection/terms.ts';
import { type ChangesRow, changedSince } from '../../rows/changesRow.ts';
import type { NamedRow } from '../../rows/rows.ts';
import { policyChangesKey } from '../../sharingKeys.ts';
import type { Snapshot } from '../../snapshots.ts';
import { createGenerationCache } from '../generationCache.ts';
import { readMembers } from '../recordReads.ts';
import { numbersFrom } from '../selection/countedSelection.ts';
import { select } from '../selection/selection.ts';

type PolicyRow = NamedRow<AccessPolicyRecord>;

interface KnownPolicy {
  readonly number: number;
  /** What its grants depend on. */
  readonly text: string;
  readonly grants: readonly Grant[];
}

interface KnownPolicies {
  /** The count of the row `policyChanges` when the policies were read. */
  readonly changes: number;
  readonly policies: ReadonlyMap<string, KnownPolicy>;
  /** Those of the policies that were created last first. */
  readonly grants: readonly Grant[];
}

/** Characters of the policies that are kept, of all tenants: in memory, grants need about five times as many bytes. */
const KEPT_CHARACTERS_MAX = 16 * 2 ** 20;
const POLICY_CHARACTERS = 100;

const keptOf = createGenerationCache<KnownPolicies>(KEPT_CHARACTERS_MAX);

const toKnown = ({ number, record }: PolicyRow, before: KnownPolicy | undefined): KnownPolicy => {
  const text = JSON.stringify([record.filters, record.access_permissions]);
  return before?.text === text ? before : { number, text, grants: toGrants(record) };
};

const toGrantsOf = (policies: ReadonlyMap<string, KnownPolicy>): Grant[] =>
  [...policies.values()].sort((a, b) => b.number - a.number).flatMap(({ grants }) => grants);

const readAll = async (snapshot: Snapshot, tenantKey: Uint8Array): Promise<ReadonlyMap<string, KnownPolicy>> => {
  const collection = 'accessPolicies' as const;
  const conditions = { all: [PRESENT[collection]], none: [] };
  const everything = { from: 0, to: Number.POSITIVE_INFINITY, isNewestFirst: true };
  const numbers = await numbersFrom(select(snapshot, { tenantKey, collection, conditions }, everything), 0);
  const rows = await readMembers(snapshot, { tenantKey, collection, numbers }, (key, stream) =>
    keys.namedKey(key, collection, stream),
  );
  return new Map((rows as PolicyRow[]).map((row) => [toStreamIdentityOf(row.record), toKnown(row, undefined)]));
};

const changePolicies = (
  snapshot: Snapshot,
  tenantKey: Uint8Array,
  known: KnownPolicies,
  changed: readonly string[],
): Pick<KnownPolicies, 'policies' | 'grants'> => {
  const policies = new Map(known.policies);
  for (const identity of new Set(changed)) {
    const key = keys.namedKey(tenantKey, 'accessPolicies', toKey(identity));
    const row = snapshot.read(key) as PolicyRow | undefined;
    if (row === undefined) throw createMissingRowError(key);
    if (row.record.is_deleted) policies.delete(identity);
    else policies.set(identity, toKnown(row, policies.get(identity)));
  }
  const isSame =
    policies.size === known.policies.size &&
    [...policies].every(([identity, policy]) => known.policies.get(identity) === policy);
  return { policies, grants: isSame ? known.grants : toGrantsOf(policies) };
};

const countCharacters = (policies: KnownPolicies['policies']): number =>
  [...policies.values()].reduce((sum, { text }) => sum + text.length + POLICY_CHARACTERS, POLICY_CHARACTERS);

/**
 * The grants of the access policies of a tenant that are in effect, those of the newest policies first. The same array
 * until they change.
 */
export const readGrantsOf = async (snapshot: Snapshot, tenantIdentity: string): Promise<readonly Grant[]> => {
  const tenantKey = toKey(tenantIdentity);
  const row = snapshot.read(policyChangesKey(tenantKey)) as ChangesRow<string> | undefined;
  const changes = row?.count ?? 0;
  const kept = keptOf(snapshot);
  const known = kept.get(tenantIdentity);
  if (known?.changes === changes) return known.grants;
  const changed = known && changedSince(row, known.changes);
  const policies = known && changed ? undefined : await readAll(snapshot, tenantKey);
  const found =
    policies === undefined
      ? changePolicies(snapshot, tenantKey, known!, changed!)
      : { policies, grants: toGrantsOf(policies) };
  const isNewest = known === undefined || known.changes < changes;
  if (isNewest) kept.set(tenantIdentity, { changes, ...found }, countCharacters(found.policies));
  return found.grants;
};
