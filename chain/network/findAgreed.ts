// The newest block that several nodes name as final. Each node may be ahead of the others.
import type { Hex } from '../../ledger/encoding/hex.ts';
import { fetchBlock } from '../jsonRpc/chainQueries.ts';
import type { BlockRef } from '../port.ts';
import type { RpcNode } from './rpcNode.ts';

/** Either a block, or what the nodes disagree about, or neither: no block after the last one is named often enough. */
export interface Agreement {
  readonly block?: BlockRef;
  readonly problem?: string;
}

interface Vote {
  readonly node: RpcNode;
  readonly hash: Hex;
}

// A node that fails to answer has no vote.
const fetchVote = async (node: RpcNode, named: BlockRef, number: number): Promise<Vote[]> => {
  if (named.number === number) return [{ node, hash: named.hash }];
  const block = await fetchBlock(node.client, number).catch(() => undefined);
  return block === undefined ? [] : [{ node, hash: block.hash }];
};

const describe = (number: number, votes: readonly Vote[]): string =>
  `the nodes disagree about block ${number}: ${votes.map(({ node, hash }) => `${node.client.name} has ${hash}`).join(', ')}`;

/** The newest block after block `after` that at least `agreeing` usable nodes have as final. */
export const findAgreed = async (nodes: readonly RpcNode[], agreeing: number, after: number): Promise<Agreement> => {
  const usable = nodes.flatMap((node) =>
    node.failure === undefined && node.named !== undefined ? [{ node, named: node.named }] : [],
  );
  const numbers = usable.map(({ named }) => named.number).toSorted((a, b) => b - a);
  let problem: string | undefined;
  // Enough nodes have reached these blocks.
  for (const number of new Set(numbers.slice(agreeing - 1))) {
    if (number <= after) break;
    const reached = usable.filter(({ named }) => named.number >= number);
    const votes = (await Promise.all(reached.map(({ node, named }) => fetchVote(node, named, number)))).flat();
    const byHash = Map.groupBy(votes, ({ hash }) => hash);
    for (const [hash, { length }] of byHash) if (length >= agreeing) return { block: { number, hash } };
    if (byHash.size > 1) problem ??= describe(number, votes);
  }
  return problem === undefined ? {} : { problem };
};
