// Locations and their versions: an update changes only what it requests of the version that it follows; of several that
// follow the same one, the first on the chain holds; and who has seen a version never sees an older one later.
import { isDeepStrictEqual } from 'node:util';
import { toStreamIdentityOf } from '../../../ledger/identity.ts';
import { type LocationRecord, type LocationResource, toLocationResource } from '../../../ledger/records/location.ts';
import type { LedgerRecord } from '../../../ledger/records/record.ts';
import type { LocationSight } from '../clients/history.ts';
import { labelOf } from '../clients/recordLabel.ts';
import type { Violation } from '../plan/plan.ts';
import { isForeignVersion } from '../thirdParties/thirdPartyCalls.ts';
import type { ChainCheckInput, ChainRecord } from './chainChecks.ts';
import type { OrderCheckInput } from './orderChecks.ts';
import { type Check, runChecks } from './runChecks.ts';

/** What the checks of locations need. */
export interface LocationCheckInput extends Pick<ChainCheckInput & OrderCheckInput, 'history' | 'failed' | 'late'> {
  /** The records that the run added to the chain, in its order, with the versions of third parties. */
  readonly records: readonly ChainRecord[];
  /** The first versions of the locations that exist before the run. */
  readonly first: readonly LocationRecord[];
}

const toVersion = ({ record }: { readonly record: LedgerRecord }): LocationRecord[] =>
  record.type === 'location' ? [record] : [];

const byLocation = (versions: readonly LocationRecord[]): Map<string, LocationRecord[]> =>
  Map.groupBy(versions, toStreamIdentityOf);

type VersionInput = Pick<LocationCheckInput, 'first' | 'records'>;

// All versions of each location on the chain, oldest first.
const toVersions = ({ first, records }: VersionInput): Map<string, LocationRecord[]> =>
  byLocation([...first, ...records.flatMap(toVersion)]);

// Each version that held at a time, in the order of the chain: it follows the one before it.
const toHeld = (versions: readonly LocationRecord[]): LocationRecord[] => {
  const held: LocationRecord[] = [];
  for (const version of versions) if (version.follows === (held.at(-1)?.identity ?? '')) held.push(version);
  return held;
};

const toAllHeld = (input: VersionInput): Map<string, LocationRecord[]> =>
  new Map([...toVersions(input)].map(([identity, versions]) => [identity, toHeld(versions)]));

const findConflicts = (input: VersionInput): LocationRecord[] =>
  [...toVersions(input).values()].flatMap((versions) => versions.filter((one) => !toHeld(versions).includes(one)));

/** The labels of the versions on the chain that never held. */
export const findConflicting = (input: VersionInput): ReadonlySet<string> => new Set(findConflicts(input).map(labelOf));

// The locations whose versions may have another order than that of their requests.
const findUnordered = ({ records, late }: LocationCheckInput): ReadonlySet<string> => {
  const versions = records.filter(({ record }) => late.has(record.identity)).flatMap(toVersion);
  return new Set(byLocation(versions).keys());
};

// The versions that the contract refused. Answers may have shown them before.
const toFailed = ({ failed }: LocationCheckInput): Map<string, LocationRecord[]> =>
  byLocation(failed.flatMap(toVersion));

const checkUpdates: Check<LocationCheckInput> = (input) => {
  const updates = input.history.requests.filter(({ kind }) => kind === 'updateLocation');
  const bodies = new Map(updates.map(({ label, body }) => [label, body]));
  const failed = toFailed(input);
  return [...toVersions(input)].flatMap(([identity, versions]) =>
    versions.flatMap((version) => {
      const body = bodies.get(labelOf(version));
      if (body === undefined) return [];
      const known = [...versions, ...(failed.get(identity) ?? [])];
      const base = known.find((one) => one.identity === version.follows);
      const isChanged =
        base !== undefined && isDeepStrictEqual(toLocationResource(version), { ...toLocationResource(base), ...body });
      return isChanged
        ? []
        : [`${JSON.stringify(version)} is not the version that it follows with the requested change`];
    }),
  );
};

// On one server each update follows the one before it, unless the contract refuses that one, or a reorg undoes it.
const checkConflicts: Check<LocationCheckInput> = (input) => {
  const { records } = input;
  const foreign = byLocation(records.filter(isForeignVersion).flatMap(toVersion));
  const [failed, unordered] = [toFailed(input), findUnordered(input)];
  const hasReason = (identity: string): boolean =>
    foreign.has(identity) || failed.has(identity) || unordered.has(identity);
  return findConflicts(input)
    .filter((version) => !hasReason(toStreamIdentityOf(version)))
    .map((version) => `${labelOf(version)} follows ${version.follows}, which another version had followed`);
};

const isShownBy =
  (shown: LocationResource) =>
  (version: LocationRecord): boolean =>
    isDeepStrictEqual(toLocationResource(version), shown);

interface PlacedSight extends LocationSight {
  /** Positions of the first and of the last version that held and has the content that was shown. */
  readonly firstAt: number;
  readonly lastAt: number;
}

const placeSights = (input: LocationCheckInput): PlacedSight[] => {
  const held = toAllHeld(input);
  return input.history.locationSights.map((sight) => {
    const ofLocation = held.get(sight.shown.identity) ?? [];
    const isShown = isShownBy(sight.shown);
    return { ...sight, firstAt: ofLocation.findIndex(isShown), lastAt: ofLocation.findLastIndex(isShown) };
  });
};

const checkShown: Check<LocationCheckInput> = (input) => {
  const [versions, failed] = [toVersions(input), toFailed(input)];
  const foreign = byLocation(input.records.filter(isForeignVersion).flatMap(toVersion));
  return placeSights(input)
    .filter(({ firstAt, sentMs, shown: { identity }, shown }) => {
      // Before the last requests, a version may be shown that never holds: it was pending. The last requests are sent
      // when no record of the server is pending; that of a third party may still be, and come first.
      const others = [...(failed.get(identity) ?? []), ...(versions.get(identity) ?? [])];
      const mayBePending = sentMs < input.history.lastFromMs || foreign.has(identity);
      return firstAt < 0 && !(mayBePending && others.some(isShownBy(shown)));
    })
    .map(({ shown }) => `${JSON.stringify(shown)} was shown, and the ledger has no such version that held`);
};

const checkNewest: Check<LocationCheckInput> = (input) => {
  const unordered = findUnordered(input);
  const sights = placeSights(input).filter(({ shown }) => !unordered.has(shown.identity));
  const ofLocation = Map.groupBy(sights, ({ shown }) => shown.identity);
  return [...ofLocation.values()].flatMap((ofOne) => {
    const known = ofOne.filter(({ firstAt }) => firstAt >= 0);
    return known.flatMap((later) => {
      const newer = known.find(({ atMs, firstAt }) => atMs <= later.sentMs && firstAt > later.lastAt);
      if (newer === undefined) return [];
      const { identity, attributes } = newer.shown;
      return [`${identity} had the version ${attributes.label}, and later ${later.shown.attributes.label}`];
    });
  });
};

const CHECKS: Readonly<Record<string, Check<LocationCheckInput>>> = {
  'an update changes only what it requests': checkUpdates,
  'versions conflict for a reason': checkConflicts,
  'versions that are shown exist': checkShown,
  'the newest version is shown': checkNewest,
};

/** Runs all checks of locations. */
export const checkLocations = (input: LocationCheckInput): Violation[] => runChecks(CHECKS, input);
