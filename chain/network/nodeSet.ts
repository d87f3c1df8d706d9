// Several nodes of one chain, used as one. A node that fails, is slow or lags behind is skipped until it recovers; a
// node of another chain is never used. Several must agree on final blocks. A block that was final once stays final,
// whatever a node reports later.
import { LedgerError } from '../../ledger/errors.ts';
import { fetchBlock } from '../jsonRpc/chainQueries.ts';
import { refuseAnswer } from '../jsonRpc/decodeAnswer.ts';
import { FalseAnswer, type WrongAnswer } from '../jsonRpc/falseAnswer.ts';
import { isTimeout, type JsonRpcClient } from '../jsonRpc/jsonRpcClient.ts';
import { isAboutRequest, RpcError } from '../jsonRpc/rpcError.ts';
import type { BlockRef } from '../port.ts';
import { type ChainCheckpoint, type ChainIdentity, isOtherChain } from './chainIdentity.ts';
import { findAgreed } from './findAgreed.ts';
import type { Confirmations, Expectation, NodeUse, RpcNode } from './rpcNode.ts';
import type { AssertSealed } from './sealCheck.ts';

/** Nodes of one chain, used as one. */
export interface NodeSet {
  /**
   * Runs a task on the best node, and on the next one when it fails with CHAIN_UNAVAILABLE, a `NodeRefusal` or an
   * `RpcError` that may be about the one node: a task may run more than once. When no node is left, rejects with the
   * first refusal if there was one, else with CHAIN_UNAVAILABLE, or CHAIN_MISMATCH when only nodes of other chains
   * answer, or CHAIN_REPLACED when some of these have replaced a final block.
   */
  use<T>(task: (client: JsonRpcClient) => Promise<T>): Promise<T>;
  /**
   * The same, on a node whose chain has the newest final block: its answers about this block and those before it don't
   * change. The final block may be known from another node, while this one still has blocks that a reorg replaced.
   */
  useFinal<T>(task: (client: JsonRpcClient, final: BlockRef) => Promise<T>): Promise<T>;
  /**
   * The newest final block, after a check of the best node, and of the others if several must agree. Its number never
   * decreases. Rejects with CHAIN_UNAVAILABLE when too few nodes can be used, or they name different blocks.
   */
  fetchFinal(): Promise<BlockRef>;
  /** The newest known final block. */
  readonly final: BlockRef | undefined;
  /** Checks every node that is due for a check. Waits for those that hang only where the others are too few. */
  checkAll(): Promise<void>;
  /**
   * @throws LedgerError CHAIN_MISMATCH when no node can be used, and those that answer belong to other chains;
   * CHAIN_REPLACED when some of these have replaced a final block.
   */
  assertSame(): void;
  /** The error of a node that has replaced a final block, if too few others can be used without it. */
  findReplaced(): LedgerError | undefined;
  /** Errors of the nodes that can't be used now. */
  failures(): LedgerError[];
  /** Leaves the node of a client that gave a wrong answer, which showed elsewhere. */
  distrust(wrong: WrongAnswer, client: JsonRpcClient): void;
  /** All nodes, in the order of the settings. */
  uses(): NodeUse[];
  /** Requires this checkpoint of every node from now on. */
  setCheckpoint(checkpoint: ChainCheckpoint): void;
  /** Number of the best node's newest block; 0 when no node can be used. */
  readonly headNumber: number;
}

/** A node's refusal that another node may not share. The cause is the error for the caller. */
export class NodeRefusal extends Error {
  constructor(cause: Error) {
    super(cause.message, { cause });
  }
}

/** Number of blocks by which a node may lag before others are preferred. */
const LAG_BLOCKS_MAX = 2;
/** Milliseconds after which a check counts as slow, so that other nodes are preferred. */
const SLOW_MS = 1_000;

/** Attempts of one task on one node: a single lost answer is common. */
const TRIES_MAX = 2;

/** Whether a node, or every node, failed to answer: the call may be tried again. */
export const isUnavailable = (error: unknown): error is LedgerError =>
  error instanceof LedgerError && error.code === 'CHAIN_UNAVAILABLE';

const failuresOf = (nodes: readonly RpcNode[]): LedgerError[] =>
  nodes.flatMap(({ failure }) => (failure === undefined ? [] : [failure]));

const isReplaced = ({ code }: LedgerError): boolean => code === 'CHAIN_REPLACED';

const toFailure = (nodes: readonly RpcNode[]): LedgerError => {
  const failures = failuresOf(nodes);
  const foreign = failures.find(isReplaced) ?? failures.find(isOtherChain);
  const away = failures.find(isUnavailable);
  const message = failures.map((failure) => failure.message).join('; ');
  return new LedgerError(away === undefined && foreign !== undefined ? foreign.code : 'CHAIN_UNAVAILABLE', {
    message: message === '' ? 'no node of the chain answers' : message,
    cause: away ?? foreign,
  });
};

// Nodes that are up to date first, of these the ones that didn't hang, and the quick ones; otherwise in the order of
// the settings.
const rank = (nodes: readonly RpcNode[]): RpcNode[] => {
  const best = Math.max(...nodes.map(({ headNumber }) => headNumber));
  const toFaults = ({ headNumber, latencyMs, wasHung }: RpcNode): number =>
    (headNumber < best - LAG_BLOCKS_MAX ? 4 : 0) + (wasHung() ? 2 : 0) + (latencyMs > SLOW_MS ? 1 : 0);
  return nodes.toSorted((one, other) => toFaults(one) - toFaults(other));
};

const readHeadNumber = (nodes: readonly RpcNode[]): number =>
  rank(nodes.filter(({ failure }) => failure === undefined))[0]?.headNumber ?? 0;

// The error with which a task ends when no other node answers it; undefined when the node didn't refuse the task.
const toRefusal = (error: unknown): unknown => {
  if (error instanceof NodeRefusal) return error.cause;
  return error instanceof RpcError && !isAboutRequest(error) ? error : undefined;
};

const isHanging = ({ failure }: RpcNode): boolean => failure !== undefined && isTimeout(failure);

// A node that hangs takes the whole timeout each time, so it is waited for only where too few others can be used.
const checkDue = async (
  nodes: readonly RpcNode[],
  agreeing: number,
  check: (node: RpcNode) => Promise<unknown>,
  candidates: readonly RpcNode[],
): Promise<void> => {
  const due = candidates.filter((node) => node.isDue());
  const hanging = due.filter(isHanging);
  const rest = due.filter((node) => !isHanging(node));
  const checks = hanging.map(check);
  await Promise.all(rest.map(check));
  const usable = nodes.filter(({ failure }) => failure === undefined);
  if (usable.length < agreeing) await Promise.all(checks);
};

// Runs tasks, each on the best node that is left.
const createUse = (nodes: readonly RpcNode[], check: (node: RpcNode) => Promise<boolean>) => {
  // The best usable node. Only if there is none, nodes that failed are checked again.
  const pick = async (tries: ReadonlyMap<RpcNode, number>): Promise<RpcNode | undefined> => {
    const left = nodes.filter((node) => (tries.get(node) ?? 0) < TRIES_MAX);
    const usable = left.filter(({ failure }) => failure === undefined);
    if (usable.length > 0) return rank(usable)[0];
    const due = left.filter((node) => node.isDue());
    await Promise.all(due.map(check));
    return rank(due.filter(({ failure }) => failure === undefined))[0];
  };

  return async <T>(task: (node: RpcNode) => Promise<T>): Promise<T> => {
    const tries = new Map<RpcNode, number>();
    let refused: unknown;
    for (;;) {
      const node = await pick(tries);
      if (node === undefined) throw refused ?? toFailure(nodes);
      tries.set(node, (tries.get(node) ?? 0) + 1);
      try {
        return await task(node);
      } catch (error) {
        const refusal = toRefusal(error);
        // The node answers, and its answer would be the same.
        if (refusal !== undefined) tries.set(node, TRIES_MAX);
        else if (!isUnavailable(error)) throw error;
        else if (node.failure === undefined) node.leave(error);
        refused ??= refusal;
      }
    }
  };
};

/** Options of a set of nodes. */
export interface NodeSetOptions {
  readonly nodes: readonly RpcNode[];
  readonly identity: ChainIdentity;
  readonly confirmations: Confirmations;
  /** How many nodes must name the same block as final. */
  readonly agreeing: number;
  /** What a block must have to count as final, besides; undefined: nothing. */
  readonly assertSealed?: AssertSealed | undefined;
}

const assertEnough = ({ nodes, agreeing }: NodeSetOptions): void => {
  const answering = nodes.filter(({ failure }) => failure === undefined);
  if (answering.length >= agreeing) return;
  const failures = failuresOf(nodes).map(({ message }) => message);
  const message = `${agreeing} nodes must agree on final blocks, and ${answering.length} can be used: ${failures.join('; ')}`;
  throw new LedgerError('CHAIN_UNAVAILABLE', { message });
};

const findReplaced = ({ nodes, agreeing }: NodeSetOptions): LedgerError | undefined => {
  const failures = failuresOf(nodes);
  return nodes.length - failures.length < agreeing ? failures.find(isReplaced) : undefined;
};

// The newest final block. Without seals, and if no two nodes must agree, it is one node's word.
const createFinality = ({ nodes, agreeing }: NodeSetOptions) => {
  let final: BlockRef | undefined;
  const advance = (found: BlockRef): void => {
    if (final === undefined || found.number > final.number) final = found;
  };
  return {
    get final() {
      return final;
    },
    /** A node has named this block. */
    name: (found: BlockRef): void => {
      if (agreeing === 1) advance(found);
    },
    /** Compares what the nodes have named. Returns what they disagree about. */
    agree: async (): Promise<string | undefined> => {
      if (agreeing === 1) return undefined;
      const { block, problem } = await findAgreed(nodes, agreeing, final?.number ?? -1);
      if (block !== undefined) advance(block);
      return problem;
    },
  };
};

const assertHasFinal = async (client: JsonRpcClient, named: BlockRef | undefined, known: BlockRef): Promise<void> => {
  const found = await fetchBlock(client, known.number);
  if (found?.hash === known.hash) return;
  if (found !== undefined && named?.hash === known.hash)
    throw new FalseAnswer(client, `another block ${known.number} than before`);
  throw refuseAnswer(client, `not the final block ${known.number}`);
};

/** A set of nodes that must all belong to the chain `identity`. */
export const createNodeSet = (options: NodeSetOptions): NodeSet => {
  const { nodes, identity, confirmations, agreeing, assertSealed } = options;
  let checkpoint: ChainCheckpoint | undefined;
  const finality = createFinality(options);

  const check = async (node: RpcNode): Promise<boolean> => {
    const expectation: Expectation = { identity, confirmations, checkpoint, final: finality.final, assertSealed };
    const found = await node.check(expectation);
    if (found !== undefined) finality.name(found);
    return found !== undefined;
  };

  const use = createUse(nodes, check);

  const fetchFinal = async (): Promise<BlockRef> => {
    const checked = await use(async (node) => {
      if (await check(node)) return node;
      // Another node may work, whatever the error is.
      throw new LedgerError('CHAIN_UNAVAILABLE', { cause: node.failure });
    });
    if (agreeing > 1) {
      await checkDue(
        nodes,
        agreeing,
        check,
        nodes.filter((node) => node !== checked),
      );
      assertEnough(options);
    }
    const problem = await finality.agree();
    const { final } = finality;
    if (final !== undefined && problem === undefined) return final;
    throw new LedgerError('CHAIN_UNAVAILABLE', { message: problem ?? 'no final block is known' });
  };

  const useFinal: NodeSet['useFinal'] = async (task) => {
    const known = finality.final ?? (await fetchFinal());
    return use(async ({ client, named }) => {
      await assertHasFinal(client, named, known);
      return task(client, known);
    });
  };

  return {
    use: (task) => use(({ client }) => task(client)),
    useFinal,
    fetchFinal,
    get final() {
      return finality.final;
    },
    checkAll: async () => {
      await checkDue(nodes, agreeing, check, nodes);
      await finality.agree();
    },
    assertSame: () => {
      const failure = toFailure(nodes);
      if (nodes.every(({ failure }) => failure !== undefined) && isOtherChain(failure)) throw failure;
    },
    findReplaced: () => findReplaced(options),
    failures: () => failuresOf(nodes),
    distrust: (wrong, client) => nodes.find((node) => node.client === client)?.leave(wrong),
    uses: () => nodes.map(({ use: ofNode }) => ofNode),
    setCheckpoint: (known) => {
      checkpoint = known;
    },
    get headNumber() {
      return readHeadNumber(nodes);
    },
  };
};
