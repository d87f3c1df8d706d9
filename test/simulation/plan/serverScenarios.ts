// Scenarios of the server's machine: faults that together cause what single ones rarely do.
import type { Random } from '../world/random.ts';
import type { Fault, Plan, PlannedRequest } from './plan.ts';

const KILLS = ['SIGKILL', 'power failure'] as const;
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
    { kind: 'killNow', atMs: killMs, how: random.pick(KILLS) },
  ];
};

/** Milliseconds after a creation in which its record was written and its refusal isn't. */
const REFUSED_MS = [6, 18] as const;
/** Milliseconds before the creation in which its tenant loses the writer. */
const REMOVED_MS = [20, 60] as const;
/** Milliseconds after the creation in which the tenant gets the writer again. */
const ADDED_MS = [30, 300] as const;

/** The contract refuses a record while the outbox can't be written, and accepts it after the server's next start. */
export const killBeforeRefusalIsWritten = (random: Random, { atMs, tenant }: PlannedRequest): readonly Fault[] => {
  const removedMs = random.integer(...REMOVED_MS);
  const failMs = atMs + random.integer(...REFUSED_MS);
  const durationMs = removedMs + random.integer(...ADDED_MS);
  return [
    { kind: 'removeWriter', atMs: Math.max(0, atMs - removedMs), tenant: tenant!, durationMs },
    { kind: 'diskErrors', atMs: failMs, failing: 'writes', place: 'outbox', durationMs: 2 * RETRY_MS },
    { kind: 'killNow', atMs: failMs + random.integer(RETRY_MS / 2, RETRY_MS), how: random.pick(KILLS) },
  ];
};

/** Milliseconds by which the clock is set back: about as many pass until most servers have started again. */
const SET_BACK_MS = [700, 2_800] as const;

/** The clock is set back while the server is away: after its start it is a little behind the newest record. */
export const setClockBackWhileAway = (random: Random, { atMs }: PlannedRequest): readonly Fault[] => {
  const killMs = atMs + random.integer(WRITTEN_MS, 4 * WRITTEN_MS);
  return [
    { kind: 'killNow', atMs: killMs, how: random.pick(KILLS) },
    { kind: 'clockJump', atMs: killMs, byMs: -random.integer(...SET_BACK_MS), durationMs: 10 * RETRY_MS },
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
