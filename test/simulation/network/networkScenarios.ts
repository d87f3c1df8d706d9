// Scenarios of a network: faults that together cause what single ones rarely do, because each must come at its moment
// of the same record's way to the chain.
import type { Fault, PlannedRequest } from '../plan/plan.ts';
import type { Random } from '../world/random.ts';
import type { DrawContext } from './faultKind.ts';
import { LIES } from './lies.ts';
import { drawNetworkFault } from './networkFaults.ts';
import { detectableLies } from './nodeFaults.ts';

interface Scenario {
  isPossible(context: DrawContext): boolean;
  draw(random: Random, creation: PlannedRequest, context: DrawContext): readonly Fault[];
}

const KILLS = ['SIGKILL', 'power failure'] as const;
/** Milliseconds in which most servers are started again. */
const RESTART_MS = 2_000;
/** The longest time in which blocks become final while most runs still have requests. */
const COMMITMENT_MS_MAX = 1_800;
const NUMBER_MAX = 0xfffff;

const killAt = (random: Random, atMs: number): Fault => ({ kind: 'killNow', atMs, how: random.pick(KILLS) });

const killSometimes = (random: Random, atMs: number): Fault[] => (random.chance(0.5) ? [killAt(random, atMs)] : []);

// A pool keeps the transaction of a record whose tenant loses its writer, and the server forgets that it sent it.
const killWithStrayTransactions: Scenario = {
  isPossible: ({ finalDepth }) => finalDepth >= 3,
  draw: (random, { atMs, tenant }, { nodes, blockMs, finalDepth }) => {
    // The server sends the record after the other transactions.
    const beginMs = Math.max(0, atMs - random.integer(0, 3 * blockMs));
    const durationMs = 2 * RESTART_MS + blockMs * (finalDepth + random.integer(10, 25));
    // The server sends its transactions to the first node. If the only node keeps the others, the server can use just a
    // nonce that was lost; else it can use many, so that it doesn't use the record's.
    const stray = { node: nodes - 1, nonces: random.integer(3, 8), losesFirst: nodes === 1 };
    return [
      { kind: 'strayTransactions', atMs: beginMs, tenant: tenant!, durationMs, ...stray },
      killAt(random, beginMs + random.integer(2 * blockMs, 8 * blockMs)),
    ];
  },
};

// The first node lacks the newest blocks, and the others answer only some of the requests with which a server that was
// away catches up.
const catchUpThroughLaggingNode: Scenario = {
  isPossible: ({ nodes }) => nodes > 1,
  draw: (random, { atMs, tenant }, { nodes, blockMs }) => {
    const blocks = random.integer(4, 20);
    const durationMs = RESTART_MS + blockMs * random.integer(10, 25);
    const others = Array.from({ length: nodes - 1 }, (_, at) => ({ node: at + 1, rate: 0.5 }));
    const write = (delayMs: number): Fault => {
      const number = random.integer(0, NUMBER_MAX);
      return { kind: 'foreignWriter', atMs: atMs + delayMs, tenant: tenant!, records: 1, number };
    };
    return [
      { kind: 'lagNode', atMs, node: 0, blocks, durationMs },
      ...others.map((other) => ({ kind: 'loseMessages', atMs, durationMs, kinds: 'loseRequest badGateway', ...other })),
      killAt(random, atMs + random.integer(0, 3 * blockMs)),
      write(random.integer(0, RESTART_MS)),
      write(random.integer(RESTART_MS, 2 * RESTART_MS)),
    ];
  },
};

// The node through which records were committed is away when the server starts again, and the others lag.
const startOnLaggingNode: Scenario = {
  // Requests must follow: they see what the server lacks.
  isPossible: ({ nodes, blockMs, finalDepth }) => nodes > 1 && blockMs * finalDepth <= COMMITMENT_MS_MAX,
  draw: (random, { atMs }, { nodes, blockMs, finalDepth }) => {
    const killMs = atMs + blockMs * (finalDepth + random.integer(1, 4));
    const durationMs = RESTART_MS + blockMs * random.integer(10, 25);
    const blocks = Math.ceil(RESTART_MS / blockMs) + random.integer(1, 8);
    const lag = { kind: 'lagNode', atMs: 0, blocks, durationMs: killMs + durationMs };
    return [
      ...Array.from({ length: nodes - 1 }, (_, at) => ({ ...lag, node: at + 1 })),
      { kind: 'stopNode', atMs: killMs, node: 0, durationMs },
      // Only a power failure loses a part of the index.
      { kind: 'killNow', atMs: killMs, how: 'power failure' },
    ];
  },
};

// A reorg removes a transaction that is not final, and the node has an old receipt of it.
const reorgWithOldReceipt: Scenario = {
  isPossible: ({ finalDepth }) => finalDepth >= 2,
  draw: (random, { atMs }, { nodes, blockMs, finalDepth }) => {
    const durationMs = blockMs * random.integer(5, 30);
    const lie = { lie: 'receiptOfReplacedBlock', rate: random.pick([0.6, 1]), isDetectable: true };
    return [
      ...Array.from({ length: nodes }, (_, node) => ({ kind: 'lie', atMs, node, durationMs, ...lie })),
      {
        kind: 'reorg',
        atMs: atMs + random.integer(blockMs, (finalDepth + 2) * blockMs),
        depth: random.integer(1, finalDepth - 1),
        extraBlocks: random.integer(0, 1),
        replacement: random.pick(['fewer', 'empty']),
        vanishing: random.pick([0.5, 1]),
      },
    ];
  },
};

// Transactions take effect, and the server gets no answer to them or a late one; in some runs it is killed meanwhile.
const loseAnswersToTransactions: Scenario = {
  isPossible: () => true,
  draw: (random, { atMs }, { nodes, blockMs, timeoutMs }) => {
    const loss = {
      durationMs: 2 * timeoutMs + blockMs * random.integer(2, 10),
      rate: random.pick([0.5, 1]),
      kinds: random.pick(['loseAnswer', 'delayAnswer', 'loseAnswer delayAnswer']),
      method: 'eth_sendRawTransaction',
    };
    return [
      ...Array.from({ length: nodes }, (_, node) => ({ kind: 'loseMessages', atMs, node, ...loss })),
      ...killSometimes(random, atMs + random.integer(0, timeoutMs + 2 * blockMs)),
    ];
  },
};

/** Methods that the server requests at each poll. */
const POLLED_METHODS = ['eth_getBlockByNumber', 'eth_getBlockReceipts', 'eth_getTransactionReceipt'];

const isAboutPolls = (lie: string): boolean => LIES[lie]!.methods.every((method) => POLLED_METHODS.includes(method));

// The others are about what the server requests at its start, for a new transaction, or for one that waits.
const waitForRequests = (random: Random, atMs: number, { blockMs }: DrawContext): Fault[] => [
  killAt(random, atMs + random.integer(0, 3 * blockMs)),
  ...(random.chance(0.5) ? [{ kind: 'emptyBlocks', atMs, durationMs: blockMs * random.integer(3, 8) }] : []),
];

// The node that the server uses, or all of them, lie while a record is written.
const lieAboutCreation: Scenario = {
  isPossible: () => true,
  draw: (random, { atMs }, context) => {
    const { nodes, blockMs, finalDepth } = context;
    // The scenario with a reorg has the other one.
    const lies = detectableLies(context).filter((lie) => lie !== 'receiptOfReplacedBlock');
    // Faults without a scenario draw all lies alike, and these have an effect less often.
    const lie = random.pick([...lies, ...lies.filter((one) => !isAboutPolls(one))]);
    const durationMs = RESTART_MS + blockMs * (finalDepth + random.integer(2, 8));
    const liar = { kind: 'lie', atMs, durationMs, lie, rate: 1, isDetectable: true };
    return [
      ...Array.from({ length: random.pick([1, nodes]) }, (_, node) => ({ ...liar, node })),
      ...(isAboutPolls(lie) ? [] : waitForRequests(random, atMs, context)),
    ];
  },
};

/** Kinds of faults whose effect is on transactions in pools. */
const KINDS_FOR_POOLS = ['hangNode', 'restartNode', 'dropTransactions', 'limitNode', 'foreignNonce', 'emptyRelayer'];

// Transactions wait because blocks are empty, and meanwhile the pools, the nodes or the account change.
const changePools: Scenario = {
  isPossible: () => true,
  draw: (random, { atMs }, context) => {
    const blocks = random.integer(2, 6);
    const drawChange = (): Fault | undefined =>
      drawNetworkFault(random, atMs + random.integer(0, blocks * context.blockMs), context, KINDS_FOR_POOLS);
    const changes = [drawChange(), drawChange()].filter((fault) => fault !== undefined);
    return [{ kind: 'emptyBlocks', atMs, durationMs: blocks * context.blockMs }, ...changes];
  },
};

/** Each scenario is drawn as often as its weight. */
const SCENARIOS: readonly (readonly [scenario: Scenario, weight: number])[] = [
  [killWithStrayTransactions, 3],
  [catchUpThroughLaggingNode, 3],
  [startOnLaggingNode, 2],
  [reorgWithOldReceipt, 1],
  [loseAnswersToTransactions, 1],
  [lieAboutCreation, 3],
  [changePools, 2],
];

/** The faults of one scenario around the creation of a record. */
export const drawNetworkScenario = (
  random: Random,
  creation: PlannedRequest,
  context: DrawContext,
): readonly Fault[] => {
  const possible = SCENARIOS.filter(([{ isPossible }]) => isPossible(context));
  const weighted = possible.flatMap(([scenario, weight]) => Array<Scenario>(weight).fill(scenario));
  return random.pick(weighted).draw(random, creation, context);
};
