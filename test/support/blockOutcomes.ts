// Outcomes of transactions by the word of nodes whose blocks have no receipts to prove them with.
import { fetchBlock } from '../../chain/jsonRpc/chainQueries.ts';
import type { ProvenOutcomes } from '../../chain/network/provenOutcomes.ts';

/** Believes a receipt whose block the node has. */
export const BLOCK_OUTCOMES: Pick<ProvenOutcomes, 'check'> = {
  check: async (client, _final, { number, hash }) =>
    (await fetchBlock(client, number))?.hash === hash ? 'true' : 'replaced',
};
