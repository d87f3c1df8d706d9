// Which transactions of the public port are the ledger's business: those that append a record or administer a tenant. They are tried
// first, since anybody can send what looks like one.
import type { Hex } from '../../ledger/hex.ts';
import { toHex } from '../../ledger/hex.ts';
import { ledgerInterface } from '../ledgerAbi.ts';
import { RpcError } from '../rpcError.ts';
import { isAppend, readAppendCalldata } from './appendCalldata.ts';
import { APPENDED_RECORDS_MAX } from './executionGas.ts';
import type { Sender } from './publicGas.ts';
import type { PublicTransaction } from './publicTransaction.ts';

type Request = (method: string, params: readonly unknown[]) => Promise<string>;

const SELECTOR_BYTES = 4;

// They revert for everybody who has no right to them.
const ADMINISTRATION: ReadonlySet<string> = new Set(
  ['admitTenant', 'transferTenantAdministration', 'acceptTenantAdministration', 'addWriter', 'removeWriter'].map(
    (name) => ledgerInterface.getFunction(name)!.selector,
  ),
);

const call = async (request: Request, fields: object): Promise<Hex> =>
  JSON.parse(await request('eth_call', [fields, 'latest'])) as Hex;

const succeeds = async (request: Request, { from, gasLimit, execution }: PublicTransaction): Promise<boolean> => {
  const { to, data } = execution;
  try {
    await call(request, { from, to, data: toHex(data), gas: `0x${gasLimit.toString(16)}` });
    return true;
  } catch (error) {
    if (error instanceof RpcError) return false;
    throw error;
  }
};

// Appending what is recorded changes nothing and does not revert, and everybody can send a signed batch again.
const appendsSomething = async (request: Request, { execution: { to, data } }: PublicTransaction): Promise<boolean> => {
  const append = readAppendCalldata(data, APPENDED_RECORDS_MAX);
  for (const { tenantKey, recordKey } of append?.records ?? []) {
    const asked = ledgerInterface.encodeFunctionData('recordOf', [tenantKey, recordKey]);
    const result = await call(request, { to, data: asked });
    if (Number(ledgerInterface.decodeFunctionResult('recordOf', result)[1]) === 0) return true;
  }
  return false;
};

/** Whose a transaction is on the newest state. `ledger` is the address of the contract. */
export const findSender = async (
  transaction: PublicTransaction,
  ledger: Hex | undefined,
  request: Request,
): Promise<Sender> => {
  const { to, data } = transaction.execution;
  if (to === undefined || to !== ledger) return 'stranger';
  const appends = isAppend(data);
  if (!appends && !ADMINISTRATION.has(toHex(data.subarray(0, SELECTOR_BYTES)))) return 'stranger';
  if (appends && !(await appendsSomething(request, transaction))) return 'stranger';
  return (await succeeds(request, transaction)) ? 'ledger' : 'stranger';
};
