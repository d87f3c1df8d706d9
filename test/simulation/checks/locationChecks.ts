// Locations and their versions: an update changes only what it requests, and who has seen a version never sees an older
// one later.
import { isDeepStrictEqual } from 'node:util';
import { type LocationResource, toLocationResource } from '../../../ledger/records/location.ts';
import type { LedgerRecord } from '../../../ledger/records/record.ts';
import type { LocationSight } from '../clients/history.ts';
import type { Violation } from '../plan/plan.ts';
import type { ChainCheckInput } from './chainChecks.ts';
import type { OrderCheckInput } from './orderChecks.ts';
import { type Check, runChecks } from './runChecks.ts';

/** What the checks of locations need. */
export interface LocationCheckInput
  extends Pick<ChainCheckInput & OrderCheckInput, 'history' | 'records' | 'failed' | 'late'> {
  /** The locations that exist before the run. */
  readonly first: readonly LocationResource[];
}

interface Version {
  readonly shown: LocationResource;
  /** Empty for a version that exists before the run. */
  readonly acceptedAt: string;
}

const toVersion = ({ record }: { readonly record: LedgerRecord }): Version[] =>
  record.type === 'location' ? [{ shown: toLocationResource(record), acceptedAt: record.timestamp_accepted }] : [];

const byLocation = (versions: readonly Version[]): Map<string, Version[]> =>
  Map.groupBy(versions, ({ shown }) => shown.identity);

// The versions of each location, oldest first.
const toVersions = ({ first, records }: LocationCheckInput): Map<string, Version[]> =>
  byLocation([...first.map((shown) => ({ shown, acceptedAt: '' })), ...records.flatMap(toVersion)]);

// The locations whose versions may have another order than that of their requests.
const findUnordered = ({ records, late }: LocationCheckInput): ReadonlySet<string> => {
  const versions = records.filter(({ record }) => late.has(record.identity)).flatMap(toVersion);
  return new Set(byLocation(versions).keys());
};

// The versions that the contract refused. Answers may have shown them before.
const toFailed = ({ failed }: LocationCheckInput): Map<string, Version[]> => byLocation(failed.flatMap(toVersion));

// The versions that an update may be based on: the one before it, and pending ones that failed later.
const findBases = (before: Version | undefined, { acceptedAt }: Version, failed: readonly Version[]): Version[] => {
  const refused = failed.filter((one) => one.acceptedAt >= (before?.acceptedAt ?? '') && one.acceptedAt <= acceptedAt);
  return before === undefined ? refused : [before, ...refused];
};

const checkUpdates: Check<LocationCheckInput> = (input) => {
  const updates = input.history.requests.filter(({ kind }) => kind === 'updateLocation');
  const bodies = new Map(updates.map(({ label, body }) => [label, body]));
  const failed = toFailed(input);
  const unordered = findUnordered(input);
  const ordered = [...toVersions(input)].filter(([identity]) => !unordered.has(identity));
  return ordered.flatMap(([identity, versions]) =>
    versions.flatMap((version, at) => {
      const body = bodies.get(String(version.shown.attributes.label));
      if (body === undefined && at === 0) return [];
      const bases = findBases(versions[at - 1], version, failed.get(identity) ?? []);
      return bases.some(({ shown }) => isDeepStrictEqual(version.shown, { ...shown, ...body }))
        ? []
        : [`${identity} has the version ${JSON.stringify(version.shown)}, not one before it with the requested change`];
    }),
  );
};

interface PlacedSight extends LocationSight {
  /** Positions of the first and of the last version that has the content that was shown. */
  readonly firstAt: number;
  readonly lastAt: number;
}

const placeSights = (input: LocationCheckInput): PlacedSight[] => {
  const versions = toVersions(input);
  return input.history.locationSights.map((sight) => {
    const ofLocation = versions.get(sight.shown.identity) ?? [];
    const isShown = (version: Version): boolean => isDeepStrictEqual(version.shown, sight.shown);
    return { ...sight, firstAt: ofLocation.findIndex(isShown), lastAt: ofLocation.findLastIndex(isShown) };
  });
};

const checkShown: Check<LocationCheckInput> = (input) => {
  const failed = toFailed(input);
  return placeSights(input)
    .filter(({ firstAt, sentMs, shown }) => {
      // The last requests are sent when no record is pending.
      const refused = sentMs < input.history.lastFromMs ? (failed.get(shown.identity) ?? []) : [];
      return firstAt < 0 && !refused.some((version) => isDeepStrictEqual(version.shown, shown));
    })
    .map(({ shown }) => `${JSON.stringify(shown)} was shown, and the ledger has no such version`);
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
  'versions that are shown exist': checkShown,
  'the newest version is shown': checkNewest,
};

/** Runs all checks of locations. */
export const checkLocations = (input: LocationCheckInput): Violation[] => runChecks(CHECKS, input);
