// Faults of single nodes, of their connections, and of what they answer.
import { RpcError } from '../../../chain/jsonRpc/rpcError.ts';
import { during } from '../plan/during.ts';
import type { Fault } from '../plan/plan.ts';
import type { Random } from '../world/random.ts';
import type { DrawContext, FaultKind, FaultParams } from './faultKind.ts';
import { LIES } from './lies.ts';
import { MESSAGE_FAULTS, type MessageFault } from './messageFaults.ts';
import type { SimulatedNetwork } from './network.ts';
import type { SimulatedNode } from './node.ts';

/** Virtual milliseconds that a fault of a node lasts. */
const DURATION_MS = [500, 15_000] as const;
const LAG_BLOCKS = [1, 12] as const;
const LOSS_RATES = [0.05, 0.2, 0.5] as const;
const LIE_RATES = [0.5, 1, 1] as const;
/** Virtual milliseconds of two of the longest polls. */
const LIE_MS_MIN = 2_000;
const LIE_BLOCKS = [3, 12] as const;
/** Share of the faulty connections that let transactions through, so that the server doesn't learn their effect. */
const LOST_EFFECTS = 0.25;

const LIMITED_METHODS = [
  'eth_getBlockReceipts',
  'eth_getTransactionReceipt',
  'eth_getTransactionByHash',
  'eth_getTransactionCount',
  'eth_sendRawTransaction',
] as const;
/** What geth, Besu and public services answer for what one node lacks: code and message. */
const REFUSALS: readonly (readonly [code: number, message: string])[] = [
  [-32_000, 'missing trie node'],
  [-32_601, 'the method does not exist/is not available'],
  [-32_604, 'Method not enabled'],
  [4_444, 'pruned history unavailable'],
];

const nodeOf = ({ nodes }: SimulatedNetwork, { node }: Fault): SimulatedNode => nodes[Number(node) % nodes.length]!;
const nameOf = ({ node }: Fault): string => `node${Number(node) + 1}`;

const drawPeriod = (random: Random, { nodes }: DrawContext): { node: number; durationMs: number } => ({
  node: random.integer(0, nodes - 1),
  durationMs: random.integer(...DURATION_MS),
});

type Condition = Parameters<SimulatedNode['change']>[0];

const conditionOf = (
  drawMore: (random: Random, context: DrawContext) => FaultParams,
  toCondition: (fault: Fault) => Condition,
  normal: Condition,
  describe: (fault: Fault) => string,
): FaultKind => ({
  draw: (random, context) => ({ ...drawPeriod(random, context), ...drawMore(random, context) }),
  apply: (network, fault) => {
    const node = nodeOf(network, fault);
    during(
      fault,
      () => node.change(toCondition(fault)),
      () => node.change(normal),
    );
  },
  describe: (fault) => `${nameOf(fault)} ${describe(fault)} for ${fault.durationMs} ms`,
});

// A proxy that confuses answers does nothing else, or most of them would be refused for other reasons.
const ANSWERS_TO_OTHERS: readonly MessageFault[] = ['staleAnswer', 'cachedAnswer'];

const LOSSES_OF_EFFECTS: readonly MessageFault[] = ['loseAnswer', 'delayAnswer', 'repeatRequest'];

const drawKinds = (random: Random): string =>
  random.pick([random.pick(MESSAGE_FAULTS), MESSAGE_FAULTS.join(' '), ANSWERS_TO_OTHERS.join(' ')]);

const drawLoss = (random: Random): FaultParams =>
  random.chance(LOST_EFFECTS)
    ? { rate: random.pick([0.5, 1]), kinds: random.pick(LOSSES_OF_EFFECTS), method: 'eth_sendRawTransaction' }
    : { rate: random.pick(LOSS_RATES), kinds: drawKinds(random) };

const toLossy = ({ rate, kinds, method }: Fault): Condition => ({
  lossy: {
    rate: Number(rate),
    kinds: String(kinds).split(' ') as MessageFault[],
    method: method === undefined ? undefined : String(method),
  },
});

/** Names of the lies that the code survives with this finality. */
export const detectableLies = ({ confirmations }: Pick<DrawContext, 'confirmations'>): string[] =>
  Object.keys(LIES).filter((kind) => LIES[kind]!.isDetectable(confirmations));

/** Faults of single nodes. */
export const NODE_FAULTS: Readonly<Record<string, FaultKind>> = {
  lagNode: conditionOf(
    (random) => ({ blocks: random.integer(...LAG_BLOCKS) }),
    ({ blocks }) => ({ lagBlocks: Number(blocks) }),
    { lagBlocks: 0 },
    ({ blocks }) => `is ${blocks} blocks behind`,
  ),
  slowNode: conditionOf(
    (random, { timeoutMs }) => ({ slowMs: random.integer(timeoutMs / 10, timeoutMs * 1.5) }),
    ({ slowMs }) => ({ slowMs: Number(slowMs) }),
    { slowMs: 0 },
    ({ slowMs }) => `answers ${slowMs} ms later`,
  ),
  loseMessages: conditionOf(
    drawLoss,
    toLossy,
    { lossy: undefined },
    ({ rate, kinds, method = 'messages' }) =>
      `has faulty connections (${Number(rate) * 100} % of the ${method}: ${kinds})`,
  ),
  lie: conditionOf(
    (random, context) => ({
      // The server sends most requests to the first node.
      node: random.pick([0, random.integer(0, context.nodes - 1)]),
      durationMs: Math.max(LIE_MS_MIN, context.blockMs * random.integer(...LIE_BLOCKS)),
      lie: random.pick(detectableLies(context)),
      rate: random.pick(LIE_RATES),
      isDetectable: true,
    }),
    ({ lie, rate }) => ({ lie: { kind: String(lie), rate: Number(rate) } }),
    { lie: undefined },
    ({ lie, rate }) => `lies in ${Number(rate) * 100} % of its answers (${lie})`,
  ),
  limitNode: {
    // The last node offers everything.
    draw: (random, { nodes }) =>
      nodes < 2
        ? undefined
        : {
            node: random.integer(0, nodes - 2),
            method: random.pick(LIMITED_METHODS),
            refusal: random.integer(0, REFUSALS.length - 1),
          },
    apply: (network, fault) =>
      nodeOf(network, fault).change({
        refused: { method: String(fault.method), error: new RpcError(...REFUSALS[Number(fault.refusal)]!) },
      }),
    describe: (fault) =>
      `${nameOf(fault)} refuses ${fault.method} from now on (${REFUSALS[Number(fault.refusal)]![1]})`,
  },
  hangNode: {
    draw: drawPeriod,
    apply: (network, fault) => {
      const node = nodeOf(network, fault);
      during(fault, node.hang, node.resume);
    },
    describe: (fault) => `${nameOf(fault)} hangs for ${fault.durationMs} ms`,
  },
  stopNode: {
    draw: drawPeriod,
    apply: (network, fault) => {
      const node = nodeOf(network, fault);
      during(fault, node.stop, node.start);
    },
    describe: (fault) => `${nameOf(fault)} is stopped for ${fault.durationMs} ms`,
  },
  restartNode: {
    draw: (random, { nodes }) => ({ node: random.integer(0, nodes - 1) }),
    apply: (network, fault) => {
      const node = nodeOf(network, fault);
      node.stop();
      node.start();
    },
    describe: (fault) => `${nameOf(fault)} is restarted and loses its pool`,
  },
};
