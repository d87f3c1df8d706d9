// A node that answers clients: it may be slow, hung, stopped, behind, or lie, and its messages may be faulty.
import { type Hex, toHex } from '../../../ledger/encoding/hex.ts';
import { remember, toReceiptJson } from '../chain/rpcJson.ts';
import type { DecodedTransaction } from '../chain/transactions.ts';
import { theWorld } from '../world/world.ts';
import type { Lie, NodeAnswer } from './lie.ts';
import { LIES } from './lies.ts';
import { createNodeAnswers } from './nodeAnswers.ts';
import type { NodeConditions, NodeOptions } from './nodeConditions.ts';
import { createReceiver } from './nodeMessages.ts';
import { createNodeRuns } from './nodeRuns.ts';
import type { Peer } from './peer.ts';
import type { Receiver } from './simulatedFetch.ts';

/** A node of a simulated network. */
export interface SimulatedNode extends Receiver {
  readonly url: string;
  readonly peer: Peer;
  readonly conditions: Readonly<NodeConditions>;
  /** The true answer, at once. */
  answer(method: string, params: readonly unknown[]): NodeAnswer;
  change(conditions: Partial<Omit<NodeConditions, 'state'>>): void;
  /** Ends the process of the node: its pool is lost, and its connections break. */
  stop(): void;
  start(): void;
  hang(): void;
  /** Ends `hang`: the node answers what it has received meanwhile. */
  resume(): void;
  /** Ends all faults. */
  heal(): void;
  /** Sees the canonical chain as it is now, unless it is hung or stopped. */
  follow(): void;
  /** Receives a transaction from another node. */
  offer(transaction: DecodedTransaction): void;
}

const HASH_BYTES = 32;
const NORMAL: Omit<NodeConditions, 'state' | 'refused'> = { slowMs: 0, lagBlocks: 0, lossy: undefined, lie: undefined };

// A block's answer is the same object each time.
const toBlockText = remember((block: object) => JSON.stringify(block));

const toResultText = (result: unknown): string =>
  typeof result === 'object' && result !== null ? toBlockText(result) : JSON.stringify(result);

const toText = (id: number, answer: NodeAnswer): string => {
  if ('result' in answer) return `{"jsonrpc":"2.0","id":${id},"result":${toResultText(answer.result)}}`;
  const { code, message, data } = answer.error;
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, data } });
};

// Answers, with the lie of the moment.
const createLiar = (options: NodeOptions, ask: SimulatedNode['answer'], conditions: NodeConditions) => {
  const { name, peer, onFault } = options;
  const random = () => theWorld().stream(`network lies of ${name}`);
  const lieAbout = (lie: Lie, kind: string, method: string, params: readonly unknown[]): NodeAnswer => {
    const honest = ask(method, params);
    const answer = lie.falsify(honest, {
      method,
      params,
      headNumber: peer.view.head.number,
      inventHash: () => toHex(random().bytes(HASH_BYTES)),
      ask,
      findReplacedReceipt: (hash) => {
        const place = options.findReplaced(hash);
        return place && toReceiptJson(place);
      },
      discard: (hash) => peer.pool.remove(hash as Hex),
    });
    if (answer !== honest) {
      theWorld().note(name, () => `lies about ${method}: ${kind}`);
      onFault(kind);
    }
    return answer;
  };
  return (method: string, params: readonly unknown[]): NodeAnswer => {
    const kind = conditions.lie?.kind;
    const lie = kind === undefined ? undefined : LIES[kind];
    if (lie === undefined || !lie.methods.includes(method) || !random().chance(conditions.lie!.rate))
      return ask(method, params);
    return lieAbout(lie, kind!, method, params);
  };
};

interface Call {
  readonly id: number;
  readonly method: string;
  readonly params: unknown[];
}

// The text of the answer to a request's body, which has one call or several.
const createAnswerText =
  (conditions: NodeConditions, answer: SimulatedNode['answer']) =>
  (body: string): string => {
    const toAnswer = ({ id, method, params }: Call): string => {
      const { refused } = conditions;
      return toText(id, refused?.method === method ? { error: refused.error } : answer(method, params));
    };
    const calls = JSON.parse(body) as Call | Call[];
    return Array.isArray(calls) ? `[${calls.map(toAnswer).join(',')}]` : toAnswer(calls);
  };

/** A node that is up. */
export const createNode = (options: NodeOptions): SimulatedNode => {
  const { name, peer } = options;
  const conditions: NodeConditions = { state: 'up', refused: undefined, ...NORMAL };
  const ask = createNodeAnswers(options);
  const runs = createNodeRuns(conditions);
  const answer = createLiar(options, ask, conditions);
  const receive = createReceiver(options, { conditions, runs, answerText: createAnswerText(conditions, answer) });
  const isRunning = (): boolean => conditions.state === 'up';
  const follow = (): void => {
    if (isRunning()) peer.follow(conditions.lagBlocks, options.hasVanished);
  };
  const resume = (): void => {
    runs.resume();
    follow();
  };

  return {
    name,
    url: `http://${name}.simulated/`,
    peer,
    conditions,
    answer: ask,
    change: (changes) => void Object.assign(conditions, changes),
    receive,
    stop: () => {
      peer.forgetPool();
      runs.end();
    },
    start: () => {
      if (conditions.state === 'down') resume();
    },
    hang: () => {
      if (isRunning()) conditions.state = 'hung';
    },
    resume: () => {
      if (conditions.state === 'hung') resume();
    },
    heal: () => {
      Object.assign(conditions, NORMAL);
      if (!isRunning()) resume();
    },
    follow,
    offer: (transaction) => {
      if (isRunning()) peer.offer(transaction);
    },
  };
};
