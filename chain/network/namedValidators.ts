// The validators that a node names: clique's signers change by votes, and a contract may choose those of QBFT. It is
// one node's word, and most nodes offer these methods only where their operator enabled them.
import type { Hex } from '../../ledger/encoding/hex.ts';
import { toSigners } from '../nodeReport/decodeNodeAnswers.ts';
import type { Engine } from './blockIntervals.ts';
import type { NodeSet } from './nodeSet.ts';

const CALLS: Readonly<Record<Engine, readonly [method: string, params: readonly unknown[]]>> = {
  clique: ['clique_getSigners', []],
  qbft: ['qbft_getValidatorsByBlockNumber', ['latest']],
  ibft2: ['ibft_getValidatorsByBlockNumber', ['latest']],
};

/** Lower-case addresses; empty when no node names any. */
export const fetchNamedValidators = async (nodes: NodeSet, engine: Engine): Promise<Hex[]> => {
  try {
    return toSigners(await nodes.use((client) => client.request(...CALLS[engine])));
  } catch {
    // An error of any kind means that the node doesn't name them.
    return [];
  }
};
