// A node that answers clients: it may be slow, hung, stopped, behind, or lie, and its messages may be faulty.
import type { RpcError } from '../../../chain/jsonRpc/rpcError.ts';
import { type Hex, toHex } from '../../../ledger/encoding/hex.ts';
import { remember } from '../chain/rpcJson.ts';
import type { DecodedTransaction } from '../chain/transactions.ts';
import { theWorld } from '../world/world.ts';
import type { Exchange } from './exchange.ts';
import type { Lie, NodeAnswer } from './lie.ts';
import { LIES } from './lies.ts';
import {
  answerOfGateway,
  drawMessageFault,
  type LossyEpisode,
  type MessageFault,
  toFaultyAnswer,
} from './messageFaults.ts';
import { createNodeAnswers } from './nodeAnswers.ts';
import type { Peer } from './peer.ts';
import { LATENCY_MS, type Receiver } from './simulatedFetch.ts';

/** Conditions of a node, which faults change. */
export interface NodeConditions {
  /** A hung node receives requests and answers them when it runs again. */
  state: 'up' | 'hung' | 'down';
  /** Additional time of each answer, in virtual milliseconds. */
  slowMs: number;
  lagBlocks: number;
  lossy: LossyEpisode | undefined;
  /** A kind of `LIES`, and the share of the answers that it changes. */
  lie: { readonly kind: string; readonly rate: number } | undefined;
  /** A method that the node doesn't offer, and its error; it stays so when faults end. */
  refused: { readonly method: string; readonly error: RpcError } | undefined;
}

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

/** What a node needs from its network. */
export interface NodeOptions {
  readonly name: string;
  readonly peer: Peer;
  readonly tipPerGas: bigint;
  /** Longer than the clients' timeout, in virtual milliseconds. */
  readonly longDelayMs: number;
  readonly hasVanished: (hash: Hex) => boolean;
  readonly onAccepted: (transaction: DecodedTransaction) => void;
  /** Called for each faulty message and each lie. */
  readonly onFault: (kind: string) => void;
}

const FIRST_ANSWER = '{"jsonrpc":"2.0","id":0,"result":"0x0"}';
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

/** A node that is up. */
export const createNode = (options: NodeOptions): SimulatedNode => {
  const { name, peer, longDelayMs, onFault } = options;
  const conditions: NodeConditions = { state: 'up', refused: undefined, ...NORMAL };
  const ask = createNodeAnswers(options);
  const answer = createLiar(options, ask, conditions);
  const messages = () => theWorld().stream(`network messages of ${name}`);
  const answered = new Map<string, string>();
  let last = FIRST_ANSWER;
  // Counts the runs of the node's process: a connection belongs to one.
  let run = 0;
  let waiting: (() => void)[] = [];

  const answerText = (body: string): string => {
    const { id, method, params } = JSON.parse(body) as { id: number; method: string; params: unknown[] };
    const { refused } = conditions;
    return toText(id, refused?.method === method ? { error: refused.error } : answer(method, params));
  };
  // Runs a step of an exchange now, or when the node runs again.
  const whenRunning = (startRun: number, exchange: Exchange, step: () => void): void => {
    if (conditions.state === 'hung') waiting.push(() => whenRunning(startRun, exchange, step));
    else if (conditions.state === 'down' || run !== startRun) exchange.reset('ECONNRESET');
    else step();
  };
  const lose = (exchange: Exchange): void => {
    // The connection breaks, or its packets are lost without a sign.
    if (messages().chance(0.5)) exchange.reset('ECONNRESET');
  };
  const deliver = (exchange: Exchange, fault: MessageFault | undefined, text: string): void => {
    if (fault === 'loseAnswer') lose(exchange);
    else {
      const former = { last, ofMethod: answered.get(exchange.method) ?? last };
      exchange.respond(toFaultyAnswer(fault, text, former, messages()));
    }
    last = text;
    answered.set(exchange.method, text);
  };
  const note = (fault: MessageFault, { method }: Exchange): void => {
    theWorld().note(name, () => `has a faulty connection for ${method}: ${fault}`);
    onFault(fault);
  };
  const process = (exchange: Exchange, fault: MessageFault | undefined): void => {
    const startRun = run;
    let text = answerText(exchange.body);
    if (fault === 'repeatRequest') text = answerText(exchange.body);
    const latencyMs = theWorld()
      .stream('network latency')
      .integer(...LATENCY_MS);
    const delayMs = latencyMs + conditions.slowMs + (fault === 'delayAnswer' ? longDelayMs : 0);
    theWorld().schedule(delayMs, () => whenRunning(startRun, exchange, () => deliver(exchange, fault, text)));
  };
  const handle = (exchange: Exchange): void => {
    const fault = conditions.lossy && drawMessageFault(messages(), conditions.lossy);
    if (fault !== undefined) note(fault, exchange);
    const gateway = answerOfGateway(fault);
    if (fault === 'loseRequest') lose(exchange);
    else if (gateway !== undefined) exchange.respond(gateway);
    else process(exchange, fault);
  };
  const isRunning = (): boolean => conditions.state === 'up';
  const resume = (): void => {
    conditions.state = 'up';
    const steps = waiting;
    waiting = [];
    for (const step of steps) step();
    follow();
  };
  const follow = (): void => {
    if (isRunning()) peer.follow(conditions.lagBlocks, options.hasVanished);
  };

  return {
    name,
    url: `http://${name}.simulated/`,
    peer,
    conditions,
    answer: ask,
    change: (changes) => void Object.assign(conditions, changes),
    receive: (exchange) => {
      if (conditions.state === 'down') exchange.reset('ECONNREFUSED');
      else whenRunning(run, exchange, () => handle(exchange));
    },
    stop: () => {
      conditions.state = 'down';
      run += 1;
      peer.forgetPool();
      for (const step of waiting.splice(0)) step();
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
