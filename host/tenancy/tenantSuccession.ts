// The hand-over of a tenant's administration, in two steps, so that it never goes to a key that nobody has: the present
// administrator names the successor, and the successor accepts. On one server it replaces the administrator's key.
import { sendRoleCall } from '../../chain/administration.ts';
import { createTenantRoles } from '../../chain/tenantRoles.ts';
import { LedgerError } from '../../ledger/errors.ts';
import { parseTenantIdentity, toUuid } from '../../ledger/identity.ts';
import { encodeRequestLine } from '../../ledger/tenancy/requestLine.ts';
import type { Ledger } from '../openLedger.ts';
import { toAdministratorName, toAuthorName, toSuccessorName } from '../wallets/tenantWallets.ts';
import { type AnswerParts, type RequestAnswer, readLine, requireAdministrator } from './tenantAnswers.ts';
import type { RequestedTenant } from './tenantRequests.ts';

const readTenant = async ({ keyring }: Pick<Ledger, 'keyring'>, text: string): Promise<string> => {
  const tenantIdentity = parseTenantIdentity(text);
  if (tenantIdentity === undefined) throw new LedgerError('IDENTITY_INVALID', { message: `${text} is no tenant` });
  // A backup with the administrator's key alone would be refused.
  if ((await keyring.listWallets()).includes(toAuthorName(toUuid(tenantIdentity)))) return tenantIdentity;
  const message = `this server has no key of ${tenantIdentity}; join it first: npm run tenant -- join TENANT`;
  throw new LedgerError('TENANT_NOT_FOUND', { message });
};

/**
 * Requests the administration of a tenant for a new key of this server, which is the same when it is repeated.
 * @throws LedgerError IDENTITY_INVALID, or TENANT_NOT_FOUND when this server has no key of the tenant.
 */
export const requestSuccession = async (ledger: AnswerParts, text: string): Promise<RequestedTenant> => {
  const { chain, contract, keyring } = ledger;
  const tenantIdentity = await readTenant(ledger, text);
  const { address: account } = await keyring.openWallet(toSuccessorName(toUuid(tenantIdentity)));
  const request = { kind: 'administrator', chainId: chain.chainId, contract, tenantIdentity, account } as const;
  return { tenantIdentity, line: encodeRequestLine(request) };
};

/**
 * Names the account of a line as the tenant's next administrator; resolves when that is final.
 * @throws LedgerError as `addWriterByLine`.
 */
export const handOverByLine = async (ledger: AnswerParts, line: string): Promise<RequestAnswer> => {
  const { chain, contract, relayer, onWaiting } = ledger;
  const { tenantIdentity, account } = readLine(ledger, line, 'administrator');
  const wallet = await requireAdministrator(ledger, tenantIdentity);
  const successor = await createTenantRoles(chain, contract).findSuccessor(tenantIdentity);
  if (successor === account) return { tenantIdentity, account, outcome: 'before' };
  const call = { name: 'transferTenantAdministration', tenantIdentity, account } as const;
  await sendRoleCall({ chain, contract, wallet, payer: relayer, onWaiting }, call);
  return { tenantIdentity, account, outcome: 'done' };
};

/**
 * Accepts the administration of a tenant with the key of `requestSuccession`; when that is final, the key replaces the
 * one of the administrator before, if it is here.
 * @throws LedgerError IDENTITY_INVALID, TENANT_NOT_FOUND, or FORBIDDEN when the key is missing or wasn't named.
 */
export const acceptSuccession = async (ledger: AnswerParts, text: string): Promise<RequestAnswer> => {
  const { chain, contract, keyring, relayer, onWaiting } = ledger;
  const tenantIdentity = await readTenant(ledger, text);
  const name = toSuccessorName(toUuid(tenantIdentity));
  if (!(await keyring.listWallets()).includes(name)) {
    const message = 'there is no key to accept with; create it with: npm run tenant -- succeed TENANT';
    throw new LedgerError('FORBIDDEN', { message });
  }
  const wallet = await keyring.requireWallet(name);
  const account = wallet.address;
  const roles = createTenantRoles(chain, contract);
  if ((await roles.findAdministrator(tenantIdentity)) !== account) {
    if ((await roles.findSuccessor(tenantIdentity)) !== account) {
      const message = `the administrator of ${tenantIdentity} has not named ${account}; it runs: npm run tenant -- hand-over LINE`;
      throw new LedgerError('FORBIDDEN', { message });
    }
    const call = { name: 'acceptTenantAdministration', tenantIdentity, account } as const;
    await sendRoleCall({ chain, contract, wallet, payer: relayer, onWaiting }, call);
  }
  await keyring.renameWallet(name, toAdministratorName(toUuid(tenantIdentity)));
  return { tenantIdentity, account, outcome: 'done' };
};
