import { type Hex, toHex } from '../ledger/encoding/hex.ts';
import { toKey } from '../ledger/identity.ts';
import { callView } from './callView.ts';
import { toQuantity } from './jsonRpc/toQuantity.ts';
import type { ChainPort } from './port.ts';

/**
 * Whether an account is one of a tenant's writers, now or in the state of a block. Rejects when no node answers, or the
 * node doesn't have that block.
 */
export const isWriter = async (
  { request }: Pick<ChainPort, 'request'>,
  contract: Hex,
  tenantIdentity: string,
  account: Hex,
  blockNumber?: number,
): Promise<boolean> => {
  const args = [toHex(toKey(tenantIdentity)), account];
  const block = blockNumber === undefined ? 'latest' : toQuantity(blockNumber);
  return (await callView(request, contract, { name: 'isWriter', args, block }))[0] === true;
};
