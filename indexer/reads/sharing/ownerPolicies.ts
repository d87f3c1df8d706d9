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

interface FoundPolicies {
  readonly policies: ReadonlyMap<string, KnownPolicy>;
  /** Whether there are older ones beyond the bound. */
  readonly isCut: boolean;
}

interface KnownPolicies extends FoundPolicies {
  /** The count of the row `policyChanges` when the policies were read. */
  readonly changes: number;
  /** Those of the policies that were created last first. */
  readonly grants: readonly Grant[];
}

/**
 * Characters of one tenant's policies. The oldest policies beyond that grant nothing: a tenant takes no more of the
 * server than this, whatever it grants.
 */
const CHARACTERS_MAX = 8 * 2 ** 20;
/** Characters of the policies that are kept, of all tenants: in memory, grants need about five times as many bytes. */
const KEPT_CHARACTERS_MAX = 4 * CHARACTERS_MAX;
const POLICY_CHARACTERS = 100;
/** Policies that are read at once: other requests have their turn in between. */
const AT_ONCE = 32;

const keptOf = createGenerationCache<KnownPolicies>(KEPT_CHARACTERS_MAX);

const toKnown = ({ number, record }: PolicyRow, before: KnownPolicy | undefined): KnownPolicy => {
  const { condition_syntax: syntax } = record;
  const text = JSON.stringify([record.filters, record.access_permissions, ...(syntax === undefined ? [] : [syntax])]);
  return before?.text === text ? before : { number, text, grants: toGrants(record) };
};

const countCharacters = (policies: Iterable<KnownPolicy>): number =>
  [...policies].reduce((sum, { text }) => sum + text.length + POLICY_CHARACTERS, 0);

const toGrantsOf = (policies: ReadonlyMap<string, KnownPolicy>): Grant[] =>
  [...policies.values()].sort((a, b) => b.number - a.number).flatMap(({ grants }) => grants);

const readAll = async (snapshot: Snapshot, tenantKey: Uint8Array): Promise<FoundPolicies> => {
  const collection = 'accessPolicies' as const;
  const conditions = { all: [PRESENT[collection]], none: [] };
  const everything = { from: 0, to: Number.POSITIVE_INFINITY, isNewestFirst: true };
  const numbers = await numbersFrom(select(snapshot, { tenantKey, collection, conditions }, everything), 0);
  const policies = new Map<string, KnownPolicy>();
  let characters = 0;
  for (let at = 0; at < numbers.length; at += AT_ONCE) {
    const members = { tenantKey, collection, numbers: numbers.slice(at, at + AT_ONCE) };
    const rows = await readMembers(snapshot, members, (key, stream) => keys.namedKey(key, collection, stream));
    for (const row of rows as PolicyRow[]) {
      const known = toKnown(row, undefined);
      characters += countCharacters([known]);
      if (characters > CHARACTERS_MAX) return { policies, isCut: true };
      policies.set(toStreamIdentityOf(row.record), known);
    }
  }
  return { policies, isCut: false };
};

// The policies after changes of some; undefined if all must be read.
const changePolicies = (
  snapshot: Snapshot,
  tenantKey: Uint8Array,
  known: FoundPolicies,
  changed: readonly string[],
): FoundPolicies | undefined => {
  if (known.isCut) return undefined;
  const policies = new Map(known.policies);
  for (const identity of new Set(changed)) {
    const key = keys.namedKey(tenantKey, 'accessPolicies', toKey(identity));
    const row = snapshot.read(key) as PolicyRow | undefined;
    if (row === undefined) throw createMissingRowError(key);
    if (row.record.is_deleted) policies.delete(identity);
    else policies.set(identity, toKnown(row, policies.get(identity)));
  }
  return countCharacters(policies.values()) > CHARACTERS_MAX ? undefined : { policies, isCut: false };
};

const isSame = (one: FoundPolicies, other: FoundPolicies): boolean =>
  one.policies.size === other.policies.size &&
  [...one.policies].every(([identity, policy]) => other.policies.get(identity) === policy);

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
  const found =
    (known && changed && changePolicies(snapshot, tenantKey, known, changed)) ?? (await readAll(snapshot, tenantKey));
  const grants = known !== undefined && isSame(known, found) ? known.grants : toGrantsOf(found.policies);
  const isNewest = known === undefined || known.changes < changes;
  if (isNewest) kept.set(tenantIdentity, { ...found, changes, grants }, countCharacters(found.policies.values()));
  return grants;
};
