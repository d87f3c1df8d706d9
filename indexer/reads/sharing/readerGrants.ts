// What a reader is granted: by the access policies of other tenants whose subjects stand for the reader's tenant, and,
// for an application without a role, by those of its own tenant. What policies and subjects lead to is kept in memory
// until one of them changes.
import { toKey } from '../../../ledger/identity.ts';
import { allowsContributions, allowsRead, type Grant, isForPrincipal } from '../../../ledger/sharing/grants.ts';
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

/** Most grants of one owner that count for a principal. */
const GRANTS_MAX = 1_000;
/** Most names of attributes and display types to read in the grants of one owner to read that count for a principal. */
const NAMES_MAX = 5_000;

const keptOf = createGenerationCache<KnownGrants>(KEPT_GRANTS_MAX);

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
  const grants = all.filter(isFor);
  const isSame = known !== undefined && isSameList(known.owner.grants, grants);
  const owner = isSame ? known.owner : { tenantIdentity: ownerIdentity, tenantKey: toKey(ownerIdentity), grants };
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

const countNames = ({ attributesRead, typesRead }: Grant): number =>
  [attributesRead, typesRead].reduce((sum, names) => sum + (names === 'all' ? 1 : names.size), 0);

// What grants of one owner principals with different claims hold. The same grants are the same array, by which other
// reads keep what they compute of them.
interface KnownHeld {
  /** Those that allow what is asked for. */
  readonly allowed: readonly Grant[];
  /** Whether what a principal holds depends on its claims. */
  readonly isConditional: boolean;
  /** By the places of the grants. */
  readonly held: BoundedMap<OwnerGrants>;
  /** The same by the claims, which may be as long as a token. */
  readonly byClaims: BoundedMap<OwnerGrants>;
}

/** Grants that are kept of one owner for all principals of a tenant: at least five different sets of them. */
const HELD_GRANTS_MAX = 10 * GRANTS_MAX;
/** Characters of the claims of a tenant's principals whose grants of one owner are kept: some 2,000 principals. */
const CLAIMS_CHARACTERS_MAX = 2 * 2 ** 20;
const PRINCIPAL_CHARACTERS = 100;

// An owner decides how much a reader's requests have to look at, and other tenants wait for them. So the oldest grants
// beyond the bounds don't count: an owner takes no more of the server than this, whatever it grants.
const findPlaces = ({ allowed }: KnownHeld, claims: SharedReader['claims'], namesMax: number): number[] => {
  const places: number[] = [];
  let names = 0;
  for (const [at, grant] of allowed.entries()) {
    if (places.length === GRANTS_MAX) break;
    if (!isForPrincipal(grant, claims)) continue;
    names += countNames(grant);
    if (names <= namesMax) places.push(at);
  }
  return places;
};

/** Finds what principals hold of an owner's grants that are allowed, up to a number of names. */
const createHeld = (isAllowed: (grant: Grant) => boolean, namesMax: number) => {
  const known = new WeakMap<OwnerGrants, KnownHeld>();
  const toKnown = ({ grants }: OwnerGrants): KnownHeld => {
    const allowed = grants.filter(isAllowed);
    const isConditional = allowed.some(({ userAttributes }) => userAttributes.length > 0);
    const [held, byClaims] = [HELD_GRANTS_MAX, CLAIMS_CHARACTERS_MAX].map((max) => createBoundedMap<OwnerGrants>(max));
    return { allowed, isConditional, held: held!, byClaims: byClaims! };
  };
  return (owner: OwnerGrants, claims: SharedReader['claims']): OwnerGrants => {
    const all = known.get(owner) ?? toKnown(owner);
    known.set(owner, all);
    const name = all.isConditional ? JSON.stringify(claims) : '';
    const before = all.byClaims.get(name);
    if (before !== undefined) return before;
    const places = findPlaces(all, claims, namesMax);
    const placed = places.join();
    const found = all.held.get(placed) ?? { ...owner, grants: places.map((at) => all.allowed[at]!) };
    all.held.set(placed, found, places.length + 1);
    all.byClaims.set(name, found, name.length + PRINCIPAL_CHARACTERS);
    return found;
  };
};

const toReadable = createHeld(allowsRead, NAMES_MAX);
const toVisibleOrWritable = createHeld((grant) => allowsRead(grant) || allowsContributions(grant), Infinity);

/** The tenants that grant a reader something, each with these grants: a restricted one, its own tenant alone. */
export const readOwnerGrants = async (
  snapshot: Snapshot,
  tenantIdentity: string,
  { claims, isOwnRestricted }: SharedReader,
): Promise<OwnerGrants[]> => {
  const owners = await (isOwnRestricted ? readOwn : readOthers)(snapshot, tenantIdentity);
  return owners.map((owner) => toReadable(owner, claims)).filter(({ grants }) => grants.length > 0);
};

/** The same tenants, and those that grant something to write, each with these grants. */
export const readGrantsToWrite = async (
  snapshot: Snapshot,
  tenantIdentity: string,
  { claims, isOwnRestricted }: SharedReader,
): Promise<OwnerGrants[]> => {
  const owners = await (isOwnRestricted ? readOwn : readOthers)(snapshot, tenantIdentity);
  return owners.map((owner) => toVisibleOrWritable(owner, claims)).filter(({ grants }) => grants.length > 0);
};
