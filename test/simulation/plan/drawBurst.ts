// Bursts: many records of different streams at one moment, each in a transaction of its own, while their nonces get
// lost, are replaced, or the server is killed. They are drawn apart from the rest of a plan, which they leave as it is.
import type { Random } from '../world/random.ts';
import type { Fault, Plan, PlannedRequest } from './plan.ts';

/** What a burst adds to a plan. */
export interface Burst {
  readonly settings: Readonly<Record<string, number>>;
  readonly requests: readonly PlannedRequest[];
  readonly faults: readonly Fault[];
}

/** Share of the runs on a network that have a burst. */
const BURSTS = 0.3;
/** What a run without a burst has. */
export const NO_BURST: Burst = { settings: {}, requests: [], faults: [] };
const KILLS = ['SIGKILL', 'power failure'] as const;
const KINDS = ['createAsset', 'createEvent', 'createEvent', 'createLocation'];

interface BurstTime {
  readonly atMs: number;
  readonly spanMs: number;
}

const drawRequests = (random: Random, { atMs, spanMs }: BurstTime, first: number): PlannedRequest[] =>
  Array.from({ length: random.integer(12, 28) }, (_, at) => ({
    kind: random.pick(KINDS),
    atMs: atMs + random.integer(0, spanMs),
    number: first + at,
    tenant: random.integer(0, 1),
    target: random.integer(0, 3),
    isKeyed: random.chance(0.5),
    repeatsUnkeyed: false,
    vanishes: false,
    isDoubled: false,
    renames: true,
    rivalMs: -1,
  }));

const FAULTS: readonly ((random: Random, atMs: number, settings: Plan['settings']) => Fault)[] = [
  (random, atMs) => ({ kind: 'loseNonce', atMs, place: random.pick([0, 0.3, 0.6]), nonces: random.pick([1, 1, 2]) }),
  (random, atMs) => ({ kind: 'loseNonce', atMs, place: random.pick([0, 0.3, 0.6]), nonces: random.pick([1, 1, 2]) }),
  (random, atMs, { blockMs }) => ({
    kind: 'feeSpike',
    atMs,
    factor: random.pick([3, 5, 12]),
    durationMs: blockMs! * random.integer(3, 15),
  }),
  (random, atMs, { confirmations }) => ({
    kind: 'reorg',
    atMs,
    depth: confirmations === 0 ? 2 : Math.max(1, confirmations! - 1),
    extraBlocks: random.integer(0, 1),
    replacement: random.pick(['fewer', 'empty']),
    vanishing: random.pick([0.3, 0.6]),
  }),
  (random, atMs) => ({ kind: 'killNow', atMs, how: random.pick(KILLS) }),
  (_, atMs) => ({ kind: 'dropTransactions', atMs, share: 0.5 }),
  (_, atMs) => ({ kind: 'foreignNonce', atMs }),
];

// The nonces of later records stay in the pools without the first, and the server starts again.
const drawGapAndKill = (random: Random, atMs: number): Fault[] => [
  { kind: 'loseNonce', atMs, place: 0, nonces: 1 },
  { kind: 'killNow', atMs: atMs + random.integer(10, 300), how: random.pick(KILLS) },
];

/** The burst of a run on a network, if it has one. `first` is the number of its first request. */
export const drawBurst = (random: Random, spanMs: number, first: number, settings: Plan['settings']): Burst => {
  if (!random.chance(BURSTS)) return NO_BURST;
  const blockMs = settings.blockMs!;
  const atMs = random.integer(0, spanMs);
  // Events of an asset follow one another only once they were answered.
  const requestsMs = random.pick([30, 1_500]);
  const isHeld = random.chance(0.7);
  const held = { kind: 'emptyBlocks', atMs, durationMs: blockMs * random.integer(2, 5) };
  const drawTime = (): number => atMs + random.integer(50, 6 * blockMs);
  const drawn = Array.from({ length: random.integer(1, 3) }, () => random.pick(FAULTS)(random, drawTime(), settings));
  const faults = random.chance(0.3) ? drawGapAndKill(random, drawTime()) : drawn;
  return {
    settings: {
      batchRecordsMax: random.pick([1, 1, 2]),
      outboxEntriesMax: 100,
      commitWaitMs: random.pick([200, 2_000]),
      transactionsInFlight: random.pick([16, 16, 4]),
    },
    requests: drawRequests(random, { atMs, spanMs: requestsMs }, first),
    faults: [...(isHeld ? [held] : []), ...faults],
  };
};
