// Who is asked for the node report: the embedded chain, which is its own only node.
import { createNodeReporter } from '../chain/nodeReport/nodeReporter.ts';
import type { NodeReport } from '../chain/port.ts';
import { findValidatorKey } from './embeddedValidator.ts';
import type { Ledger } from './openLedger.ts';

/** The reader of the node report of an open ledger. */
export const openNodeReporter = async ({
  chain,
  keyring,
}: Pick<Ledger, 'chain' | 'keyring'>): Promise<() => Promise<NodeReport>> => {
  const validatorKey = await findValidatorKey(keyring, chain.coinbase);
  return createNodeReporter({ nodes: [{ request: chain.request, validatorKey }], now: Date.now });
};
