// Locations and their versions: an update changes only what it requests, and who has seen a version never sees an older
// one later.
import { isDeepStrictEqual } from 'node:util';
import { type LocationResource, toLocationResource } from '../../../ledger/records/location.ts';
import type { LocationSight } from '../clients/history.ts';
import type { Violation } from '../plan/plan.ts';
import type { ChainCheckInput } from './chainChecks.ts';
import { mayBeMissing } from './refusalChecks.ts';
import { type Check, runChecks } from './runChecks.ts';

/** What the checks of locations need. */
export interface LocationCheckInput extends Pick<ChainCheckInput, 'history' | 'records' | 'failed'> {
  /** The locations that exist before the run. */
  readonly first: readonly LocationResource[];
}

// The versions of each location, oldest first.
const toVersions = ({ first, records }: LocationCheckInput): Map<string, LocationResource[]> => {
  const added = records.flatMap(({ record }) => (record.type === 'location' ? [toLocationResource(record)] : []));
  return Map.groupBy([...first, ...added], ({ identity }) => identity);
};

const checkUpdates: Check<LocationCheckInput> = (input) => {
  const bodies = new Map(input.history.requests.map(({ label, body }) => [label, body]));
  return [...toVersions(input)].flatMap(([identity, versions]) =>
    versions.flatMap((version, at) => {
      const before = versions[at - 1];
      // A version may be based on a pending one that failed later.
      if (before === undefined || mayBeMissing(identity, input)) return [];
      const expected = { ...before, ...bodies.get(String(version.attributes.label)) };
      return isDeepStrictEqual(version, expected)
        ? []
        : [`${identity} has the version ${JSON.stringify(version)}, not ${JSON.stringify(expected)}`];
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
    const isShown = (version: LocationResource): boolean => isDeepStrictEqual(version, sight.shown);
    return { ...sight, firstAt: ofLocation.findIndex(isShown), lastAt: ofLocation.findLastIndex(isShown) };
  });
};

const checkShown: Check<LocationCheckInput> = (input) =>
  placeSights(input)
    .filter(({ firstAt, shown }) => firstAt < 0 && !mayBeMissing(shown.identity, input))
    .map(({ shown }) => `${JSON.stringify(shown)} was shown, and the chain has no such version`);

const checkNewest: Check<LocationCheckInput> = (input) => {
  const ofLocation = Map.groupBy(placeSights(input), ({ shown }) => shown.identity);
  return [...ofLocation.values()].flatMap((sights) => {
    const known = sights.filter(({ firstAt }) => firstAt >= 0);
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
