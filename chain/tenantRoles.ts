// Who holds the roles of a tenant, as the contract says after one block.
import { type Hex, toHex } from '../ledger/encoding/hex.ts';
import { toKey } from '../ledger/identity.ts';
import { callView } from './callView.ts';
import { toQuantity } from './jsonRpc/toQuantity.ts';
import type { ChainPort } from './port.ts';

/** Reads roles after the newest final block. Every method rejects as a request to the chain does. */
export interface TenantRoles {
  /** Lower-case address of a tenant's administrator; undefined when the ledger hasn't admitted the tenant. */
  findAdministrator(tenantIdentity: string): Promise<Hex | undefined>;
  /** Lower-case address of the next administrator, who has not accepted yet; undefined when none is named. */
  findSuccessor(tenantIdentity: string): Promise<Hex | undefined>;
  isWriter(tenantIdentity: string, account: Hex): Promise<boolean>;
}

const NOBODY = /^0x0{40}$/;

/** The roles of the tenants of a ledger contract. */
export const createTenantRoles = (chain: ChainPort, contract: Hex): TenantRoles => {
  const read = async (name: string, tenantIdentity: string, args: readonly unknown[]): Promise<unknown> => {
    const block = toQuantity((await chain.fetchFinalHead()).number);
    const key = toHex(toKey(tenantIdentity));
    return (await callView(chain.request, contract, { name, args: [key, ...args], block }))[0];
  };
  const find = async (name: string, tenantIdentity: string): Promise<Hex | undefined> => {
    const address = String(await read(name, tenantIdentity, [])).toLowerCase() as Hex;
    return NOBODY.test(address) ? undefined : address;
  };
  return {
    findAdministrator: (tenantIdentity) => find('administratorOf', tenantIdentity),
    findSuccessor: (tenantIdentity) => find('successorOf', tenantIdentity),
    isWriter: async (tenantIdentity, account) => (await read('isWriter', tenantIdentity, [account])) === true,
  };
};
