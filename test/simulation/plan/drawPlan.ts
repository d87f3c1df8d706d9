// Draws the plan of a seed: what clients request, and which faults occur when.
import { LEDGER_LIMITS } from '../../../host/settings/installationLimits.ts';
import type { ChainKind } from '../chains/chainKind.ts';
import { ODD_LINES } from '../clients/lines.ts';
import { LISTS } from '../clients/lists.ts';
import { REMOVING_KINDS } from '../thirdParties/thirdPartyCalls.ts';
import { createStream, type Random } from '../world/random.ts';
import { drawBurst, NO_BURST } from './drawBurst.ts';
import type { Fault, Plan, PlannedRequest } from './plan.ts';
import { type ExpectedOperations, SERVER_FAULT_NAMES, SERVER_FAULTS } from './serverFaults.ts';

/** Kinds of requests, each as often as its weight. */
const REQUEST_KINDS = Object.entries({
  createEvent: 12,
  createAsset: 4,
  createLocation: 3,
  updateLocation: 4,
  read: 7,
  readLocation: 3,
  list: 3,
}).flatMap(([kind, weight]) => Array.from({ length: weight }, () => kind));
/** Share of the requests with a key whose key is sent with another body, too, and of updates with another update. */
const RIVALS = 0.25;
/** Milliseconds in which requests and faults begin. */
const SPANS_MS = [300, 3_000, 8_000];
/** Virtual milliseconds that a first start takes, about. */
const FIRST_START_MS = 200;

/** Kinds of faults of a run: a few that occur often, or all. Combinations of few kinds find what a mixture hides. */
const KINDS_OF_RUN = [1, 2, 3, 5, Number.POSITIVE_INFINITY];
/** Share of the runs whose faults include kills, whatever else they have. */
const RUNS_WITH_KILLS = 0.5;

/** Kinds of faults of a first start. */
const FIRST_START_KINDS = ['kill', 'kill', 'killAtStart', 'killAtStart', 'diskFull', 'diskErrors', 'stop'];

/** Operations that the server performs at least for each creation, and in a start, as measured. */
const OPERATIONS = {
  embedded: { creation: 10, start: 74 },
  network: { creation: 5, start: 44 },
} as const;
const FIRST_START_OPERATIONS = 110;
/** Parts of the data directory that the server writes to after its first start. */
const KILL_PLACES = { embedded: ['chain', 'outbox', 'index'], network: ['outbox', 'index'] } as const;
const FIRST_START_PLACES = ['keys', 'keys', 'chain', 'index'] as const;

/** Share of the runs whose index reads few blocks at a time and writes few records. */
const SMALL_INDEX_BATCHES = 0.4;
const INDEX_PAGE_BLOCKS = [1, 1, 3];
const INDEX_BATCH_RECORDS_MAX = 5;

/** Share of the runs with a scenario of the chain, where one is possible. */
const SCENARIOS = 0.3;
const FIRST_START_SCENARIOS = 0.6;

/** Requests of many lines in a run, drawn apart from the others, whose numbers they leave as they are. */
const LINE_REQUESTS = [0, 0, 0, 1, 1, 2];

/** Kinds of faults that wait for operations of the server. */
const WAITING_KINDS = ['kill', 'killAtStart'];
/** Kinds of faults that hit writes and transactions in progress, of which there are none most of the time. */
const KINDS_AFTER_CREATIONS = [
  'diskErrors',
  'reorg',
  'dropTransactions',
  'strayTransactions',
  'foreignNonce',
  'removeWriter',
];
/** Blocks in which a transaction that a creation needs is mined and, on most networks, becomes final. */
const BLOCKS_AFTER_CREATION = 5;
/** Milliseconds in which the embedded chain completes a creation, about. */
const EMBEDDED_CREATION_MS = 200;
/** Kinds of requests that make the server write. */
const CREATING_KINDS = ['createEvent', 'createAsset', 'createLocation', 'updateLocation'];

const drawKinds = (random: Random, names: readonly string[]): readonly string[] => {
  const count = random.pick(KINDS_OF_RUN);
  if (!Number.isFinite(count)) return names;
  const picked = Array.from({ length: count }, () => random.pick(names));
  return random.chance(RUNS_WITH_KILLS) ? [...picked, 'kill', 'killAtStart'] : picked;
};

const drawList = (random: Random): Omit<PlannedRequest, 'kind' | 'atMs'> => {
  const { list, ofAsset, orders } = random.pick(LISTS);
  // 0: no page size.
  return {
    target: random.integer(0, 3),
    list,
    ofAsset,
    order: random.pick(orders),
    pageSize: random.pick([0, 1, 2, 5]),
  };
};

const drawCreation = (random: Random): Omit<PlannedRequest, 'kind' | 'atMs'> => ({
  target: random.integer(0, 3),
  isKeyed: random.chance(0.5),
  repeatsUnkeyed: random.chance(0.3),
  vanishes: random.chance(0.08),
  isDoubled: random.chance(0.15),
  renames: random.chance(0.5),
  rivalMs: random.chance(RIVALS) ? random.pick([0, 20, 300, 5_000]) : -1,
});

const DRAWN: Readonly<Record<string, (random: Random) => Omit<PlannedRequest, 'kind' | 'atMs'>>> = {
  read: (random) => ({ target: random.integer(0, 29) }),
  readLocation: (random) => ({ target: random.integer(0, 3) }),
  list: drawList,
};

const drawRequest = (random: Random, spanMs: number, number: number): PlannedRequest => {
  const atMs = random.integer(0, spanMs);
  const kind = random.pick(REQUEST_KINDS);
  const tenant = random.integer(0, 1);
  return { kind, atMs, number, tenant, ...(DRAWN[kind] ?? drawCreation)(random) };
};

const drawLineRequest = (random: Random, spanMs: number, number: number): PlannedRequest => ({
  kind: 'createEvents',
  atMs: random.integer(0, spanMs),
  number,
  tenant: random.integer(0, 1),
  target: random.integer(0, 3),
  lines: random.integer(1, 9),
  oddLine: random.pick(ODD_LINES),
  keyedEach: random.pick([0, 1, 1, 2]),
  pieceCharacters: random.pick([70, 250, 1_000, 10_000]),
  pauseMsMax: random.pick([0, 5, 400]),
  repeatsUnkeyed: random.chance(0.3),
  isDoubled: random.chance(0.15),
  piecesUntilEnd: random.chance(0.15) ? random.integer(1, 4) : -1,
});

const drawLineRequests = (random: Random, spanMs: number, first: number): PlannedRequest[] =>
  Array.from({ length: random.pick(LINE_REQUESTS) }, (_, at) => drawLineRequest(random, spanMs, first + at));

// Two removals of one writer could end in another order than they began, and leave the tenant without a writer. Two
// faults with stray transactions could lose the same nonce, which no record fills.
const withoutOverlaps = (faults: readonly Fault[]): readonly Fault[] =>
  faults.filter((fault, at) => {
    const isStray = fault.kind === 'strayTransactions';
    const isSame = ({ kind, tenant }: Fault): boolean =>
      (isStray && kind === fault.kind) || (REMOVING_KINDS.includes(kind) && tenant === fault.tenant);
    return !REMOVING_KINDS.includes(fault.kind) || faults.findIndex(isSame) === at;
  });

type KindOfPlan = Pick<ChainKind, 'drawSettings' | 'faultNames' | 'drawFault' | 'drawScenario'>;

interface FaultContext {
  readonly chain: Plan['chain'];
  /** The only kinds of faults; undefined: all. */
  readonly only: readonly string[] | undefined;
  readonly settings: Plan['settings'];
  readonly spanMs: number;
  /** The requests that make the server write. */
  readonly creations: readonly PlannedRequest[];
}

const toExpected = ({ chain, settings, spanMs, creations }: FaultContext, atMs: number): ExpectedOperations => {
  const { creation, start } = OPERATIONS[chain];
  if (settings.isFirstStart) {
    const untilQuiet = Math.round(FIRST_START_OPERATIONS * (1 - atMs / spanMs));
    return { untilQuiet, ofStart: FIRST_START_OPERATIONS, places: FIRST_START_PLACES };
  }
  const left = creations.filter((request) => request.atMs >= atMs).length;
  return { untilQuiet: creation * left, ofStart: start, places: KILL_PLACES[chain] };
};

const drawTime = (random: Random, kind: string, { settings, spanMs, creations }: FaultContext): number => {
  if (creations.length === 0) return random.integer(0, spanMs);
  // Without a creation that follows, a kill would wait for operations that never come.
  if (WAITING_KINDS.includes(kind)) return random.pick(creations).atMs;
  if (!KINDS_AFTER_CREATIONS.includes(kind)) return random.integer(0, spanMs);
  const inProgressMs = settings.blockMs === undefined ? EMBEDDED_CREATION_MS : BLOCKS_AFTER_CREATION * settings.blockMs;
  return random.pick(creations).atMs + random.integer(0, inProgressMs);
};

const drawFaults = (
  random: Random,
  context: FaultContext,
  { faultNames, drawFault }: Pick<ChainKind, 'faultNames' | 'drawFault'>,
): (Fault | undefined)[] => {
  const { settings, only } = context;
  const drawn = settings.isFirstStart ? FIRST_START_KINDS : drawKinds(random, [...SERVER_FAULT_NAMES, ...faultNames]);
  const kinds = only ?? drawn;
  const count = random.pick([0, 1, 1, 2, 2, 3, 3, 4, 5, 6]) + (only?.length ?? 0);
  return Array.from({ length: count }, (): Fault | undefined => {
    const kind = random.pick(kinds);
    const atMs = drawTime(random, kind, context);
    if (faultNames.includes(kind)) return drawFault(random, { kind, atMs }, settings);
    return { kind, atMs, ...SERVER_FAULTS[kind]!.draw(random, toExpected(context, atMs)) };
  });
};

// Combinations that single faults rarely are, or single faults.
const drawScenarioOrFaults = (random: Random, context: FaultContext, kind: KindOfPlan): readonly Fault[] => {
  const { creations, settings } = context;
  const creation = creations.length === 0 ? undefined : random.pick(creations);
  const share = settings.isFirstStart ? FIRST_START_SCENARIOS : SCENARIOS;
  const isScenario = random.chance(share) && context.only === undefined;
  const scenario = isScenario ? kind.drawScenario(random, creation, settings) : undefined;
  const faults = scenario ?? drawFaults(random, context, kind);
  return withoutOverlaps(faults.filter((fault) => fault !== undefined).sort((a, b) => a.atMs - b.atMs));
};

/** How the server ends after everything was complete. */
export const LAST_END = { NONE: 0, STOP: 1, POWER_FAILURE: 2 } as const;

const drawSettings = (random: Random): Record<string, number> => ({
  lastEnd: random.pick([LAST_END.NONE, LAST_END.NONE, LAST_END.STOP, LAST_END.POWER_FAILURE]),
  // 0: a file system that promises only what POSIX does.
  isJournaled: random.pick([1, 1, 1, 0]),
  commitWaitMs: random.pick([200, 2_000, 10_000]),
  outboxEntriesMax: random.pick([4, 12, 100]),
  batchRecordsMax: random.pick([1, 3, 20]),
  batchBytesMax: random.pick([1_500, 20_000]),
  // Fewer would keep the smallest outbox full for longer than clients try.
  minedBatchesMax: random.pick([3, 8, LEDGER_LIMITS.minedBatchesMax]),
});

// A batch of the index has at least the records of a page. With the pages and batches of an installation, a run would
// have one.
const drawIndexing = (random: Random): Record<string, number> =>
  random.chance(SMALL_INDEX_BATCHES)
    ? { indexPageBlocks: random.pick(INDEX_PAGE_BLOCKS), indexBatchRecords: random.integer(1, INDEX_BATCH_RECORDS_MAX) }
    : {};

/** The names of all kinds of faults that a plan of this kind of chain may have. */
export const toFaultNames = ({ faultNames }: Pick<ChainKind, 'faultNames'>): ReadonlySet<string> =>
  new Set([...SERVER_FAULT_NAMES, ...faultNames]);

/** The plan of a seed for a kind of chain. With `only`, its faults are of these kinds, and there are as many more. */
export const drawPlan = (
  seed: number,
  chain: Plan['chain'],
  kind: KindOfPlan,
  only?: readonly string[] | undefined,
): Plan => {
  const random = createStream(seed, 'plan');
  const indexing = drawIndexing(createStream(seed, 'indexing'));
  const settings = { ...drawSettings(random), ...kind.drawSettings(random), ...indexing };
  const spanMs = settings.isFirstStart ? FIRST_START_MS : random.pick(SPANS_MS);
  // A new ledger has no tenant that could request anything.
  const length = settings.isFirstStart ? 0 : random.integer(4, 20);
  const requests = Array.from({ length }, (_, number) => drawRequest(random, spanMs, number));
  const creations = requests.filter(({ kind: requested }) => CREATING_KINDS.includes(requested));
  const lines = length === 0 ? [] : drawLineRequests(createStream(seed, 'requests of lines'), spanMs, length);
  const hasBurst = chain === 'network' && length > 0 && only === undefined;
  const burst = hasBurst && drawBurst(createStream(seed, 'burst'), spanMs, length + lines.length, settings);
  const { settings: more, requests: others, faults } = burst || NO_BURST;
  return {
    seed,
    chain,
    settings: { ...settings, ...more },
    requests: [...requests.sort((a, b) => a.atMs - b.atMs), ...lines, ...others],
    faults: [...drawScenarioOrFaults(random, { chain, only, settings, spanMs, creations }, kind), ...faults],
  };
};
