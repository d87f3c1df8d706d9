// What a reader is granted: by the access policies of other tenants whose subjects stand for the reader's tenant, and,
// for an application without a role, by those of its own tenant. What policies and subjects lead to is kept in memory
// until one of them changes.
import { toKey } from '../../../ledger/identity.ts';
import { allowsRead, type Grant, isForPrincipal } from '../../../ledger/sharing/grants.ts';
import { type BoundedMap, createBoundedMap } from '../../boundedMap.ts';
import type { SharedReader } from '../../sharedView.ts';
import type { Snapshot } from '../../snapshots.ts';
import { createGenerationCache } from '../generationCache.ts';
import { readGrantsOf } from './ownerPolicies.ts';
import { readStandingSubjects } from './standingSubjects.ts';

/** The grants that a tenant gives to a reader. */
export interface OwnerGrants {
  readonly tenantIdentity: string;
  readonly tenantKey: Uint8Array;
  readonly grants: readonly Grant[];
}

interface KnownGrants {
  /** What they are computed of. */
  readonly all: readonly Grant[];
  readonly subjects: ReadonlySet<string>;
  readonly owner: OwnerGrants;
}

/** Grants of all tenants that are kept: those of 50 owners with the most that each can give, at least. */
const KEPT_GRANTS_MAX = 100_000;

/** Most grants of one owner that count for a reader. */
const GRANTS_MAX = 1_000;
/** Most names of attributes and display types to read in these grants. */
const NAMES_MAX = 5_000;

const keptOf = createGenerationCache<KnownGrants>(KEPT_GRANTS_MAX);

const countNames = ({ attributesRead, typesRead }: Grant): number =>
  [attributesRead, typesRead].reduce((sum, names) => sum + (names === 'all' ? 1 : names.size), 0);

// An owner decides how much a reader's requests have to look at, and other tenants wait for them. So the oldest grants
// beyond the bounds don't count: an owner takes no more of the server than this, whatever it grants.
const keepBounded = (grants: readonly Grant[]): Grant[] => {
  let names = 0;
  return grants.slice(0, GRANTS_MAX).filter((grant) => {
    names += countNames(grant);
    return names <= NAMES_MAX;
  });
};

const toOwner = (tenantIdentity: string, grants: readonly Grant[]): OwnerGrants => ({
  tenantIdentity,
  tenantKey: toKey(tenantIdentity),
  grants: keepBounded(grants),
});

const isSameList = (one: readonly Grant[], other: readonly Grant[]): boolean =>
  one.length === other.length && one.every((grant, at) => grant === other[at]);

// Other reads keep what they compute of these grants by the object, so it stays the same as long as they do.
const readKept = async (
  snapshot: Snapshot,
  { name, ownerIdentity }: { readonly name: string; readonly ownerIdentity: string },
  { subjects, isFor }: { readonly subjects: ReadonlySet<string>; readonly isFor: (grant: Grant) => boolean },
): Promise<OwnerGrants> => {
  const all = await readGrantsOf(snapshot, ownerIdentity);
  const kept = keptOf(snapshot);
  const known = kept.get(name);
  if (known?.all === all && known.subjects === subjects) return known.owner;
  const found = toOwner(ownerIdentity, all.filter(isFor));
  const owner = known !== undefined && isSameList(known.owner.grants, found.grants) ? known.owner : found;
  kept.set(name, { all, subjects, owner }, owner.grants.length + 1);
  return owner;
};

const readOthers = async (snapshot: Snapshot, tenantIdentity: string): Promise<OwnerGrants[]> => {
  const byOwner = await readStandingSubjects(snapshot, tenantIdentity);
  const read = ([ownerIdentity, subjects]: [string, ReadonlySet<string>]): Promise<OwnerGrants> => {
    const isFor = ({ subjects: named }: Grant): boolean => named.some((subject) => subjects.has(subject));
    return readKept(snapshot, { name: `${ownerIdentity} ${tenantIdentity}`, ownerIdentity }, { subjects, isFor });
  };
  return Promise.all([...byOwner].map(read));
};

const NO_SUBJECTS: ReadonlySet<string> = new Set();

// The grants of the tenant itself: for principals only.
const readOwn = async (snapshot: Snapshot, tenantIdentity: string): Promise<OwnerGrants[]> => {
  const isFor = ({ subjects }: Grant): boolean => subjects.length === 0;
  const name = { name: tenantIdentity, ownerIdentity: tenantIdentity };
  return [await readKept(snapshot, name, { subjects: NO_SUBJECTS, isFor })];
};

// What principals with different claims hold of the grants of one owner. The same grants are the same array, by which
// other reads keep what they compute of them.
interface KnownHeld {
  readonly readable: readonly Grant[];
  /** Whether what a principal holds depends on its claims. */
  readonly isConditional: boolean;
  readonly held: BoundedMap<OwnerGrants>;
}

/** Grants that are kept of one owner for all principals of a tenant: at least five different sets of them. */
const HELD_GRANTS_MAX = 10 * GRANTS_MAX;

const knownHeld = new WeakMap<OwnerGrants, KnownHeld>();

const toKnownHeld = ({ grants }: OwnerGrants): KnownHeld => {
  const readable = grants.filter(allowsRead);
  const isConditional = readable.some(({ userAttributes }) => userAttributes.length > 0);
  return { readable, isConditional, held: createBoundedMap(HELD_GRANTS_MAX) };
};

const toHeld = (owner: OwnerGrants, claims: SharedReader['claims']): OwnerGrants => {
  const known = knownHeld.get(owner) ?? toKnownHeld(owner);
  knownHeld.set(owner, known);
  const { readable, isConditional, held } = known;
  const same = isConditional ? undefined : held.get('');
  if (same !== undefined) return same;
  const places = readable.flatMap((grant, at) => (isForPrincipal(grant, claims) ? [at] : []));
  const name = isConditional ? places.join() : '';
  const found = held.get(name) ?? { ...owner, grants: places.map((at) => readable[at]!) };
  held.set(name, found, places.length + 1);
  return found;
};

/** The tenants that grant a reader something, each with these grants: a restricted one, its own tenant alone. */
export const readOwnerGrants = async (
  snapshot: Snapshot,
  tenantIdentity: string,
  { claims, isOwnRestricted }: SharedReader,
): Promise<OwnerGrants[]> => {
  const owners = await (isOwnRestricted ? readOwn : readOthers)(snapshot, tenantIdentity);
  return owners.map((owner) => toHeld(owner, claims)).filter(({ grants }) => grants.length > 0);
};

/** The other tenants that grant a principal of a tenant something, to read or to write, each with these grants. */
export const readGrantsOfOthers = async (
  snapshot: Snapshot,
  tenantIdentity: string,
  claims: SharedReader['claims'],
): Promise<OwnerGrants[]> => {
  const owners = await readOthers(snapshot, tenantIdentity);
  return owners.map((owner) => ({ ...owner, grants: owner.grants.filter((grant) => isForPrincipal(grant, claims)) }));
};
