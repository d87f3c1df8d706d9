// Answers to the requests of others: the ledger's founder admits a tenant, a tenant's administrator registers a writer,
// or removes one.
import { encodeRoleCall, type RoleCall, sendRoleCall } from '../../chain/administration.ts';
import { fetchOwner } from '../../chain/contractViews.ts';
import { createTenantRoles } from '../../chain/tenantRoles.ts';
import type { Wallet } from '../../chain/wallet.ts';
import type { Hex } from '../../ledger/encoding/hex.ts';
import { LedgerError, refuseField } from '../../ledger/errors.ts';
import { toTenantIdentity, toUuid } from '../../ledger/identity.ts';
import { type AccountRequest, decodeRequestLine } from '../../ledger/tenancy/requestLine.ts';
import type { Ledger } from '../openLedger.ts';
import { findAdministeredUuid, toAdministratorName } from '../wallets/tenantWallets.ts';

/** The parts of a ledger that are used. */
export interface AnswerParts extends Pick<Ledger, 'chain' | 'contract' | 'keyring' | 'relayer'> {
  /** Called when everything was checked and a transaction is sent. */
  readonly onWaiting?: (() => void) | undefined;
}

/** A call that another account has to make. */
export interface OwnersCall {
  readonly owner: Hex;
  readonly to: Hex;
  readonly data: Hex;
  /** Wei. */
  readonly value: 0;
  readonly chainId: number;
}

/** What became of a request. */
export interface RequestAnswer {
  readonly tenantIdentity: string;
  readonly account: Hex;
  /** `before`: nothing had to be done. `elsewhere`: another account has to make `call`. */
  readonly outcome: 'done' | 'before' | 'elsewhere';
  readonly call?: OwnersCall;
}

const LEDGER_ADMINISTRATOR = 'ledger-administrator';

/** The request of a line for this ledger. @throws LedgerError REQUEST_INVALID or CHAIN_MISMATCH about the line. */
export const readLine = (
  { chain, contract }: AnswerParts,
  line: string,
  kind: AccountRequest['kind'],
): AccountRequest => {
  const request = decodeRequestLine(line, kind);
  if (request.chainId === chain.chainId && request.contract === contract) return request;
  const asked = `the ledger ${request.contract} on chain ${request.chainId}`;
  const message = `the line is for ${asked}, and this server's is ${contract} on chain ${chain.chainId}`;
  throw new LedgerError('CHAIN_MISMATCH', { message });
};

const findWallet = async ({ keyring }: Pick<Ledger, 'keyring'>, name: string): Promise<Wallet | undefined> =>
  (await keyring.listWallets()).includes(name) ? keyring.requireWallet(name) : undefined;

/** The wallet that administers a tenant, or did so before; undefined if its key isn't here. */
export const findAdministratorWallet = (
  ledger: Pick<Ledger, 'keyring'>,
  tenantIdentity: string,
): Promise<Wallet | undefined> => findWallet(ledger, toAdministratorName(toUuid(tenantIdentity)));

/**
 * Admits the tenant of a line, and waits until that is final; if this installation isn't the ledger's administrator,
 * returns the call that the administrator has to make.
 * @throws LedgerError REQUEST_INVALID or CHAIN_MISMATCH about the line, TENANT_EXISTS when the tenant was admitted with
 * another administrator.
 */
export const admitByLine = async (ledger: AnswerParts, line: string): Promise<RequestAnswer> => {
  const { chain, contract, relayer, onWaiting } = ledger;
  const { tenantIdentity, account } = readLine(ledger, line, 'tenant');
  const current = await createTenantRoles(chain, contract).findAdministrator(tenantIdentity);
  if (current === account) return { tenantIdentity, account, outcome: 'before' };
  if (current !== undefined)
    throw new LedgerError('TENANT_EXISTS', { message: `${tenantIdentity} has another administrator: ${current}` });
  const call: RoleCall = { name: 'admitTenant', tenantIdentity, account };
  const [owner, wallet] = [await fetchOwner(chain.request, contract), await findWallet(ledger, LEDGER_ADMINISTRATOR)];
  if (wallet?.address !== owner) {
    const { chainId } = chain;
    const owners = { owner, to: contract, data: encodeRoleCall(call), value: 0, chainId } as const;
    return { tenantIdentity, account, outcome: 'elsewhere', call: owners };
  }
  await sendRoleCall({ chain, contract, wallet, payer: relayer, onWaiting }, call);
  return { tenantIdentity, account, outcome: 'done' };
};

/**
 * The wallet of a tenant's administrator.
 * @throws LedgerError TENANT_NOT_FOUND when the ledger hasn't admitted the tenant, FORBIDDEN when the key isn't here.
 */
export const requireAdministrator = async (ledger: AnswerParts, tenantIdentity: string): Promise<Wallet> => {
  const { chain, contract } = ledger;
  const current = await createTenantRoles(chain, contract).findAdministrator(tenantIdentity);
  if (current === undefined)
    throw new LedgerError('TENANT_NOT_FOUND', { message: `the ledger has not admitted ${tenantIdentity}` });
  const wallet = await findAdministratorWallet(ledger, tenantIdentity);
  if (wallet?.address === current) return wallet;
  const message = `${tenantIdentity} is administered by ${current}, whose key isn't here; run the command on the server that has it`;
  throw new LedgerError('FORBIDDEN', { message });
};

/**
 * Registers the writer of a line, and waits until that is final.
 * @throws LedgerError REQUEST_INVALID or CHAIN_MISMATCH about the line, TENANT_NOT_FOUND, or FORBIDDEN when the key of
 * the tenant's administrator isn't here.
 */
export const addWriterByLine = async (ledger: AnswerParts, line: string): Promise<RequestAnswer> => {
  const { chain, contract, relayer, onWaiting } = ledger;
  const { tenantIdentity, account } = readLine(ledger, line, 'writer');
  const wallet = await requireAdministrator(ledger, tenantIdentity);
  const isWriter = await createTenantRoles(chain, contract).isWriter(tenantIdentity, account);
  if (isWriter) return { tenantIdentity, account, outcome: 'before' };
  await sendRoleCall(
    { chain, contract, wallet, payer: relayer, onWaiting },
    { name: 'addWriter', tenantIdentity, account },
  );
  return { tenantIdentity, account, outcome: 'done' };
};

const ADDRESS = /^0x[0-9a-f]{40}$/;

/** Identities of the tenants whose administrators' keys are here. */
export const listAdministered = async ({ keyring }: Pick<Ledger, 'keyring'>): Promise<string[]> =>
  (await keyring.listWallets()).flatMap((name) => {
    const uuid = findAdministeredUuid(name);
    return uuid === undefined ? [] : [toTenantIdentity(uuid)];
  });

/**
 * Removes a writer from each tenant that it writes for and whose administrator's key is here; resolves when that is
 * final.
 * @throws LedgerError REQUEST_INVALID when the text is no address, or the account writes for none of these tenants.
 */
export const removeWriter = async (ledger: AnswerParts, address: string): Promise<RequestAnswer[]> => {
  const { chain, contract, relayer, onWaiting } = ledger;
  const account = address.toLowerCase() as Hex;
  if (!ADDRESS.test(account)) throw refuseField('REQUEST_INVALID', 'address', 'is 0x and 40 hexadecimal digits');
  const roles = createTenantRoles(chain, contract);
  const removed: RequestAnswer[] = [];
  for (const tenantIdentity of await listAdministered(ledger)) {
    if (!(await roles.isWriter(tenantIdentity, account))) continue;
    const wallet = await requireAdministrator(ledger, tenantIdentity);
    await sendRoleCall(
      { chain, contract, wallet, payer: relayer, onWaiting },
      { name: 'removeWriter', tenantIdentity, account },
    );
    removed.push({ tenantIdentity, account, outcome: 'done' });
  }
  if (removed.length > 0) return removed;
  throw refuseField('REQUEST_INVALID', 'address', `${account} writes for no tenant that is administered here`);
};
