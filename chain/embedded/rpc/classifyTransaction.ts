// Decides which gas budget pays for a public transaction: the ledger's if it appends a record or administers a tenant,
// else that of third parties. Such a transaction is executed as a call first, since anyone can send one that looks like
// it.
import type { Hex } from '../../../ledger/encoding/hex.ts';
import { toHex } from '../../../ledger/encoding/hex.ts';
import { RpcError } from '../../jsonRpc/rpcError.ts';
import { toQuantity } from '../../jsonRpc/toQuantity.ts';
import { ledgerInterface } from '../../ledgerAbi.ts';
import { isAppend, readAppendCalldata } from './appendCalldata.ts';
import { APPENDED_RECORDS_MAX } from './executionGas.ts';
import type { GasBudget } from './publicGas.ts';
import type { PublicTransaction } from './publicTransaction.ts';

/** Answers an `eth_call` on the newest state with JSON text. */
type ExecuteCall = (call: Readonly<Record<string, unknown>>) => Promise<string>;

const SELECTOR_BYTES = 4;

// These functions revert for accounts without the right to them.
const ADMINISTRATION: ReadonlySet<string> = new Set(
  ['admitTenant', 'transferTenantAdministration', 'acceptTenantAdministration', 'addWriter', 'removeWriter'].map(
    (name) => ledgerInterface.getFunction(name)!.selector,
  ),
);

const call = async (execute: ExecuteCall, fields: Readonly<Record<string, unknown>>): Promise<Hex> =>
  JSON.parse(await execute(fields)) as Hex;

const succeeds = async (execute: ExecuteCall, transaction: PublicTransaction): Promise<boolean> => {
  const { from, gasLimit, value, accessList, execution } = transaction;
  const fields = { from, to: execution.to, data: toHex(execution.data), value: toQuantity(value), accessList };
  try {
    await call(execute, { ...fields, gas: toQuantity(gasLimit) });
    return true;
  } catch (error) {
    if (error instanceof RpcError) return false;
    throw error;
  }
};

// Appending an existing record changes nothing and does not revert, and anyone can send a signed batch again.
const appendsSomething = async (
  execute: ExecuteCall,
  { execution: { to, data } }: PublicTransaction,
): Promise<boolean> => {
  const append = readAppendCalldata(data, APPENDED_RECORDS_MAX);
  for (const { tenantKey, recordKey } of append?.records ?? []) {
    const query = ledgerInterface.encodeFunctionData('recordOf', [tenantKey, recordKey]);
    const result = await call(execute, { to, data: query });
    if (Number(ledgerInterface.decodeFunctionResult('recordOf', result)[1]) === 0) return true;
  }
  return false;
};

/**
 * Whether the calldata is that of a transaction of the ledger, so that `classifyTransaction` must test it. `ledger` is
 * the contract's address.
 */
export const looksLikeLedgerTransaction = (
  { execution: { to, data } }: PublicTransaction,
  ledger: Hex | undefined,
): boolean =>
  to !== undefined && to === ledger && (isAppend(data) || ADMINISTRATION.has(toHex(data.subarray(0, SELECTOR_BYTES))));

/** The budget of a transaction that looks like one of the ledger, on the newest state. */
export const classifyTransaction = async (transaction: PublicTransaction, execute: ExecuteCall): Promise<GasBudget> => {
  if (isAppend(transaction.execution.data) && !(await appendsSomething(execute, transaction))) return 'thirdParty';
  return (await succeeds(execute, transaction)) ? 'ledger' : 'thirdParty';
};
