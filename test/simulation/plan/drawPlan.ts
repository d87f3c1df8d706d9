// Draws the plan of a seed: what clients request, and which faults occur when.
import { createStream, type Random } from '../world/random.ts';
import type { Fault, Plan, PlannedRequest } from './plan.ts';

/** A kind of fault that plans draw. */
export interface DrawnKind {
  readonly weight: number;
  draw(random: Random): Omit<Fault, 'kind' | 'atMs'>;
}

const REQUEST_KINDS = ['createEvent', 'createEvent', 'createEvent', 'createAsset', 'createLocation', 'read', 'read'];
/** Milliseconds in which requests and faults begin. */
const SPANS_MS = [300, 3_000, 12_000];

const pickKind = (random: Random, kinds: Readonly<Record<string, DrawnKind>>): string =>
  random.pick(Object.entries(kinds).flatMap(([name, { weight }]) => Array.from({ length: weight }, () => name)));

const drawRequest = (random: Random, spanMs: number, number: number): PlannedRequest => {
  const atMs = random.integer(0, spanMs);
  const kind = random.pick(REQUEST_KINDS);
  const isKeyed = random.chance(0.5);
  return {
    kind,
    atMs,
    number,
    tenant: random.integer(0, 1),
    asset: random.integer(0, 3),
    isKeyed,
    repeatsUnkeyed: random.chance(0.3),
    vanishes: random.chance(0.08),
    isDoubled: random.chance(0.15),
  };
};

const drawFaults = (random: Random, spanMs: number, kinds: Readonly<Record<string, DrawnKind>>): Fault[] => {
  const count = random.pick([0, 1, 1, 2, 2, 3, 4, 6]);
  return Array.from({ length: count }, () => {
    const kind = pickKind(random, kinds);
    return { kind, atMs: random.integer(0, spanMs), ...kinds[kind]!.draw(random) };
  }).sort((a, b) => a.atMs - b.atMs);
};

const drawSettings = (random: Random): Record<string, number> => ({
  commitWaitMs: random.pick([200, 2_000, 10_000]),
  outboxEntriesMax: random.pick([4, 12, 100]),
  batchRecordsMax: random.pick([1, 3, 20]),
  batchBytesMax: random.pick([1_500, 20_000]),
});

/** The plan of a seed for a chain kind, with faults of these kinds. */
export const drawPlan = (
  seed: number,
  chain: Plan['chain'],
  kinds: Readonly<Record<string, DrawnKind>>,
  drawChainSettings: (random: Random) => Record<string, number> = () => ({}),
): Plan => {
  const random = createStream(seed, 'plan');
  const spanMs = random.pick(SPANS_MS);
  const requests = Array.from({ length: random.integer(4, 30) }, (_, number) => drawRequest(random, spanMs, number));
  return {
    seed,
    chain,
    settings: { ...drawSettings(random), ...drawChainSettings(random) },
    requests: requests.sort((a, b) => a.atMs - b.atMs),
    faults: drawFaults(random, spanMs, kinds),
  };
};
