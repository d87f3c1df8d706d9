// Which nodes of a chain are behind the others, and since when each stands at its block. Validators at different blocks
// may wait for each other without end: then none of them moves.
import type { NodeUse } from './rpcNode.ts';

interface Standing {
  readonly name: string;
  readonly height: number;
  readonly sinceMs: number;
}

/** Names the nodes that are behind. */
export interface NodeHeights {
  /** Must be called after each check of the nodes. */
  note(nodes: readonly NodeUse[], nowMs: number): void;
  /** Ends a sentence about the newest block; empty when no node that can be used is behind. */
  describeBehind(): string;
}

/** The heights of the nodes of one chain. */
export const createNodeHeights = (): NodeHeights => {
  let standing: readonly Standing[] = [];
  const toStanding = ({ name, isLeft, seen }: NodeUse, nowMs: number): Standing[] => {
    if (isLeft || seen === undefined) return [];
    const known = standing.find((one) => one.name === name && one.height === seen.height);
    return [known ?? { name, height: seen.height, sinceMs: nowMs }];
  };
  return {
    note: (nodes, nowMs) => {
      standing = nodes.flatMap((node) => toStanding(node, nowMs));
    },
    describeBehind: () => {
      const best = Math.max(...standing.map(({ height }) => height));
      const behind = standing.filter(({ height }) => height < best);
      const texts = behind.map(
        ({ name, height, sinceMs }) => `${name} at block ${height} since ${new Date(sinceMs).toISOString()}`,
      );
      return texts.length === 0 ? '' : `; the nodes are at different blocks, and behind are ${texts.join(', ')}`;
    },
  };
};
