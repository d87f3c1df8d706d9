// The subjects that stand for a tenant, kept in memory: after a change of one of them, only that one is looked at
// again.
import { toKey } from '../../../ledger/identity.ts';
import { type ChangesRow, changedSince } from '../../rows/changesRow.ts';
import type { SubjectName } from '../../rows/rows.ts';
import { authorChangesKey, standingChangesKey } from '../../sharingKeys.ts';
import type { Snapshot } from '../../snapshots.ts';
import { createGenerationCache } from '../generationCache.ts';
import { readSubjectsFor, standsForTenant } from './subjectTenants.ts';

/** Identities of subjects, by the identities of their tenants. A set is the same object until it changes. */
export type SubjectsByOwner = ReadonlyMap<string, ReadonlySet<string>>;

interface KnownSubjects {
  /** The rows `authorChanges` and `standingChanges` when the subjects were found. */
  readonly authors: number;
  readonly changes: number;
  readonly byOwner: SubjectsByOwner;
}

/** Subjects that are kept, of all tenants. */
const KEPT_SUBJECTS_MAX = 200_000;

const keptOf = createGenerationCache<KnownSubjects>(KEPT_SUBJECTS_MAX);

const isSameSet = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  one.size === other.size && [...one].every((each) => other.has(each));

const readAll = async (
  snapshot: Snapshot,
  tenantIdentity: string,
  before: SubjectsByOwner,
): Promise<SubjectsByOwner> => {
  const subjects = await readSubjectsFor(snapshot, tenantIdentity);
  const byOwner = new Map<string, ReadonlySet<string>>();
  for (const [owner, names] of Map.groupBy(subjects, ({ ownerIdentity }) => ownerIdentity)) {
    const found = new Set(names.map(({ subjectIdentity }) => subjectIdentity));
    const known = before.get(owner);
    byOwner.set(owner, known !== undefined && isSameSet(known, found) ? known : found);
  }
  return byOwner;
};

const changeSubject = async (
  snapshot: Snapshot,
  tenantIdentity: string,
  byOwner: SubjectsByOwner,
  subject: SubjectName,
): Promise<SubjectsByOwner> => {
  const { ownerIdentity, subjectIdentity } = subject;
  const known = byOwner.get(ownerIdentity) ?? new Set();
  const isStanding = await standsForTenant(snapshot, subject, tenantIdentity);
  if (known.has(subjectIdentity) === isStanding) return byOwner;
  const changed = new Set(known);
  if (isStanding) changed.add(subjectIdentity);
  else changed.delete(subjectIdentity);
  const others = [...byOwner].filter(([owner]) => owner !== ownerIdentity);
  return new Map(changed.size === 0 ? others : [...others, [ownerIdentity, changed]]);
};

const countSubjects = (byOwner: SubjectsByOwner): number =>
  [...byOwner.values()].reduce((sum, { size }) => sum + size, 1);

/** The subjects of all other tenants that stand for a tenant, by their committed versions. */
export const readStandingSubjects = async (snapshot: Snapshot, tenantIdentity: string): Promise<SubjectsByOwner> => {
  const authors = (snapshot.read(authorChangesKey()) as number | undefined) ?? 0;
  const row = snapshot.read(standingChangesKey(toKey(tenantIdentity))) as ChangesRow<SubjectName> | undefined;
  const changes = row?.count ?? 0;
  const kept = keptOf(snapshot);
  const known = kept.get(tenantIdentity);
  if (known?.authors === authors && known.changes === changes) return known.byOwner;
  const changed = known?.authors === authors ? changedSince(row, known.changes) : undefined;
  let byOwner = known?.byOwner ?? new Map();
  if (changed === undefined) byOwner = await readAll(snapshot, tenantIdentity, byOwner);
  else for (const each of changed) byOwner = await changeSubject(snapshot, tenantIdentity, byOwner, each);
  const isNewest = known === undefined || (known.authors <= authors && known.changes <= changes);
  if (isNewest) kept.set(tenantIdentity, { authors, changes, byOwner }, countSubjects(byOwner));
  return byOwner;
};
