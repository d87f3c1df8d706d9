// Scenarios of the server's machine: faults that together cause what single ones rarely do.
import type { Random } from '../world/random.ts';
import type { Fault, PlannedRequest } from './plan.ts';

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
