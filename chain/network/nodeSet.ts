// Several nodes of one chain, used as one. A node that is down, slow or behind is left, and returned to when it is well again;
// one of another chain is never used. What was final once stays final: no node can take it back.
import { LedgerError } from '../../ledger/errors.ts';
import type { JsonRpcClient } from '../jsonRpc/jsonRpcClient.ts';
import type { BlockRef } from '../port.ts';
import type { ChainCheckpoint, ChainIdentity } from './chainIdentity.ts';
import type { Confirmations, Expectation, RpcNode } from './rpcNode.ts';

export interface NodeSet {
  /**
   * Runs a task on the best node, and on the next when it fails with CHAIN_UNAVAILABLE: a task may be run more than once. Rejects
   * with that when no node is left, and with CHAIN_MISMATCH when only nodes of other chains answer.
   */
  use<T>(task: (client: JsonRpcClient) => Promise<T>): Promise<T>;
  /** The newest final block, after a look at the best node. It never goes back. */
  fetchFinal(): Promise<BlockRef>;
  /** The newest final block that is known. */
  readonly final: BlockRef | undefined;
  /** Looks at every node that may be looked at. */
  lookAtAll(): Promise<void>;
  /** @throws LedgerError CHAIN_MISMATCH when no node is used, and those that answer are of other chains. */
  assertSame(): void;
  /** What is wrong with nodes that are not used now. */
  failures(): LedgerError[];
  /** From now on every node must have this contract and this block. */
  setCheckpoint(checkpoint: ChainCheckpoint): void;
  /** Number of the newest block at the best node. */
  readonly headNumber: number;
}

/** Blocks that a node may be behind the others before they are preferred. */
const LAG_BLOCKS_MAX = 2;
/** A look that takes longer makes a node slow, so that others are preferred. */
const SLOW_MS = 1_000;

/** How often one task is tried on one node: what is lost once need not be lost twice. */
const TRIES_MAX = 2;

/** Whether a node, or every node, failed to answer: the call may be tried again. */
export const isUnavailable = (error: unknown): error is LedgerError =>
  error instanceof LedgerError && error.code === 'CHAIN_UNAVAILABLE';

const failuresOf = (nodes: readonly RpcNode[]): LedgerError[] =>
  nodes.flatMap(({ failure }) => (failure === undefined ? [] : [failure]));

const toFailure = (nodes: readonly RpcNode[]): LedgerError => {
  const failures = failuresOf(nodes);
  const foreign = failures.find(({ code }) => code === 'CHAIN_MISMATCH');
  const away = failures.find(isUnavailable);
  const message = failures.map((failure) => failure.message).join('; ');
  return new LedgerError(away === undefined && foreign !== undefined ? 'CHAIN_MISMATCH' : 'CHAIN_UNAVAILABLE', {
    message: message === '' ? 'no node of the chain answers' : message,
    cause: away ?? foreign,
  });
};

// Those as far as the others and quick first, in the order of the settings.
const rank = (nodes: readonly RpcNode[]): RpcNode[] => {
  const best = Math.max(...nodes.map(({ headNumber }) => headNumber));
  const isWell = ({ headNumber, latencyMs }: RpcNode): boolean =>
    headNumber >= best - LAG_BLOCKS_MAX && latencyMs <= SLOW_MS;
  return [...nodes.filter(isWell), ...nodes.filter((node) => !isWell(node))];
};

// Runs tasks on the nodes, each on the best of those that are left.
const createUse = (nodes: readonly RpcNode[], look: (node: RpcNode) => Promise<boolean>) => {
  // The best node that is well; one in failure only when no other is left, and then after a look.
  const pick = async (tries: ReadonlyMap<RpcNode, number>): Promise<RpcNode | undefined> => {
    const left = nodes.filter((node) => (tries.get(node) ?? 0) < TRIES_MAX);
    const usable = left.filter(({ failure }) => failure === undefined);
    if (usable.length > 0) return rank(usable)[0];
    const due = left.filter((node) => node.isDue());
    await Promise.all(due.map(look));
    return rank(due.filter(({ failure }) => failure === undefined))[0];
  };

  return async <T>(task: (node: RpcNode) => Promise<T>): Promise<T> => {
    const tries = new Map<RpcNode, number>();
    for (;;) {
      const node = await pick(tries);
      if (node === undefined) throw toFailure(nodes);
      tries.set(node, (tries.get(node) ?? 0) + 1);
      try {
        return await task(node);
      } catch (error) {
        if (!isUnavailable(error)) throw error;
        if (node.failure === undefined) node.leave(error);
      }
    }
  };
};

/** The nodes of the chain `identity`. */
export const createNodeSet = (options: {
  nodes: readonly RpcNode[];
  identity: ChainIdentity;
  confirmations: Confirmations;
}): NodeSet => {
  const { nodes, identity, confirmations } = options;
  let checkpoint: ChainCheckpoint | undefined;
  let final: BlockRef | undefined;

  const look = async (node: RpcNode): Promise<boolean> => {
    const expectation: Expectation = { identity, confirmations, checkpoint, final };
    const found = await node.look(expectation);
    if (found !== undefined && (final === undefined || found.number > final.number)) final = found;
    return found !== undefined;
  };

  const use = createUse(nodes, look);

  const fetchFinal = (): Promise<BlockRef> =>
    use(async (node) => {
      if (await look(node)) return final!;
      // Whatever it is, another node may be well.
      throw new LedgerError('CHAIN_UNAVAILABLE', { cause: node.failure });
    });

  return {
    use: (task) => use(({ client }) => task(client)),
    fetchFinal,
    get final() {
      return final;
    },
    lookAtAll: async () => {
      await Promise.all(nodes.filter((node) => node.isDue()).map(look));
    },
    assertSame: () => {
      const failure = toFailure(nodes);
      if (nodes.every(({ failure }) => failure !== undefined) && failure.code === 'CHAIN_MISMATCH') throw failure;
    },
    failures: () => failuresOf(nodes),
    setCheckpoint: (known) => {
      checkpoint = known;
      for (const node of nodes) node.forget();
    },
    get headNumber() {
      const usable = nodes.filter(({ failure }) => failure === undefined);
      return usable.length === 0 ? 0 : rank(usable)[0]!.headNumber;
    },
  };
};
