// Scenarios of the server's machine: faults that together cause what single ones rarely do.
import type { Random } from '../world/random.ts';
import type { Fault, Plan, PlannedRequest } from './plan.ts';

/** Milliseconds after a creation in which its record is written to the outbox, or removed from it. */
const WRITTEN_MS = 25;
/** Milliseconds after which the server tries to write again. */
const RETRY_MS = 1_000;

/** One write of the outbox fails while others are in progress, and the server ends before it has repaired the files. */
export const failWriteThenKill = (random: Random, { atMs }: PlannedRequest): readonly Fault[] => {
  const beginMs = atMs + random.integer(0, WRITTEN_MS);
  const killMs = beginMs + random.integer(1, RETRY_MS + WRITTEN_MS);
  return [
    { kind: 'diskErrors', atMs: beginMs, failing: 'one write', place: 'outbox', durationMs: RETRY_MS },
    { kind: 'killNow', atMs: killMs, how: random.pick(['SIGKILL', 'power failure']) },
  ];
};

/** The names of tables, and that of the file that lists them, contain these. */
const TABLE = '.ldb';
const MANIFEST = 'MANIFEST';
// An index that LevelDB refuses is built again.
const PLACES = ['chain', 'chain', 'outbox', 'index'] as const;
/** Share of the runs that aim at the name of a log, where it can be lost. */
const NAMES_LOST = 0.7;
/** Milliseconds after which most servers have started. Kills wait from then on, so that most writes follow. */
const STARTED_MS = 250;
/** A table is written and then synced; a run writes few. */
const TABLE_OPERATIONS_MAX = 2;

/**
 * The power fails while LevelDB changes its log: the change of the MANIFEST is cut off, or, where the name of a synced
 * file can be lost, that of the new log is, before the other log is in a table.
 */
export const failPowerAtLogChange = (
  random: Random,
  _creation: PlannedRequest,
  { isJournaled }: Plan['settings'],
): readonly Fault[] => {
  // Of all databases, the journal has the most synced writes.
  const aim =
    isJournaled === 0 && random.chance(NAMES_LOST)
      ? { place: 'chain', file: TABLE, operations: random.integer(0, TABLE_OPERATIONS_MAX) }
      : { place: random.pick(PLACES), file: MANIFEST, operations: 0 };
  return [{ kind: 'kill', atMs: STARTED_MS, how: 'power failure', point: 'after', ...aim }];
};
