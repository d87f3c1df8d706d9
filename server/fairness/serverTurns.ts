// The turns that all requests of one server share.
import { setImmediate } from 'node:timers/promises';
import { createRunInSlices, type RunInSlices, SLICE_MS } from './timeSlices.ts';
import { createTurns, type RunInTurn } from './turns.ts';

/** The turns of a server. A party is a tenant, or a client network without a token. */
export interface ServerTurns {
  /** Runs long work in time slices, so that other requests are served in between. */
  readonly runInSlices: RunInSlices;
  /** Runs a read of many records. Its cost is the number of records. */
  readonly runRead: RunInTurn;
  /** Decodes and checks a large body, one in each turn of the event loop. Parties are charged for the time. */
  readonly runBody: RunInTurn;
}

/** Records that a party reads at once for each thread: as many as a large page has. */
const READ_RECORDS = 1_000;
/** Parties that read so much at once. */
const READING_PARTIES = 4;

/** How the turns of a server are created. */
export interface ServerTurnsOptions {
  /** Threads that read beside the main thread; none unless given. */
  readonly readWorkers?: number;
  /** Monotonic milliseconds; those of the process unless given. */
  readonly nowMs?: () => number;
  /** Resolves when the event loop has processed all other pending events. */
  readonly pause?: () => Promise<unknown>;
}

/** Creates the turns of one server. */
export const createServerTurns = (options: ServerTurnsOptions = {}): ServerTurns => {
  const { readWorkers = 0, nowMs = () => performance.now(), pause = () => setImmediate() } = options;
  const ofPartyMax = READ_RECORDS * (readWorkers + 1);
  return {
    runInSlices: createRunInSlices({ nowMs, pause, sliceMs: SLICE_MS }),
    runRead: createTurns({ max: ofPartyMax * READING_PARTIES, ofPartyMax }),
    runBody: createTurns({ nowMs, rest: pause }),
  };
};
