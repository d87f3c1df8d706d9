import { type Hex, toHex } from '../ledger/encoding/hex.ts';
import { toKey } from '../ledger/identity.ts';
import { callView } from './callView.ts';
import type { ChainPort } from './port.ts';

/** Whether an account is one of a tenant's writers now. Rejects when no node answers. */
export const isWriter = async (
  { request }: Pick<ChainPort, 'request'>,
  contract: Hex,
  tenantIdentity: string,
  account: Hex,
): Promise<boolean> => {
  const args = [toHex(toKey(tenantIdentity)), account];
  return (await callView(request, contract, { name: 'isWriter', args }))[0] === true;
};
