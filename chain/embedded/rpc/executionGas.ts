// Limits the gas of a third party's call or transaction. EDR keeps a trace of every step and a copy of the input of
// every nested call until the execution ends, and has no switch for it: without these limits, one call can exhaust the
// process's memory. docs/security.md has the measurements.
import type { Hex } from '../../../ledger/encoding/hex.ts';
import { toAppendGasLimit } from '../../writing/submission.ts';
import { type AppendCalldata, isAppend, readAppendCalldata } from './appendCalldata.ts';
import { type Execution, toIntrinsicGas } from './intrinsicGas.ts';

/** Largest memory of one execution, in bytes. */
export const EXECUTION_BYTES_MAX = 256 * 2 ** 20;
/** Gas for the steps of any code: 170 MiB at worst (calls with a large input in a loop). */
export const EXECUTION_GAS_MAX = 80_000;
/** Gas for the steps of the ledger contract's own code, which has no such loop: 180 MiB at worst (`verifyHistory`). */
export const LEDGER_GAS_MAX = 2_500_000;
/** Records that may be appended with the gas that they need: 130 MiB at worst. */
export const APPENDED_RECORDS_MAX = 200;

/** Queries of the chain that decide a limit. */
export interface ExecutionReads {
  /** Lower-case address of the ledger contract; undefined until there is one. */
  fetchLedger(): Promise<Hex | undefined>;
  hasCode(address: Hex): Promise<boolean>;
}

/** The limit on an execution's gas. */
export interface ExecutionGas {
  /** Largest gas limit of an execution with the memory that is available now. */
  fetchGasMax(execution: Execution, reads: ExecutionReads): Promise<number>;
}

const hasSomeCode = async (authors: readonly Hex[], { hasCode }: ExecutionReads): Promise<boolean> => {
  for (const author of new Set(authors)) if (await hasCode(author)) return true;
  return false;
};

// What an execution runs of the ledger contract, if it runs no other code. That contract runs foreign code in one
// place: it asks an author that is a contract to check its signature.
const findLedgerCall = async (
  { to, data }: Execution,
  reads: ExecutionReads,
): Promise<{ readonly append?: AppendCalldata } | undefined> => {
  if (to === undefined || to !== (await reads.fetchLedger())) return undefined;
  if (!isAppend(data)) return {};
  const append = readAppendCalldata(data, APPENDED_RECORDS_MAX);
  return append === undefined || (await hasSomeCode(append.authors, reads)) ? undefined : { append };
};

/** Whether an execution runs the code of the ledger contract and no other. */
export const runsLedgerOnly = async (execution: Execution, reads: ExecutionReads): Promise<boolean> =>
  (await findLedgerCall(execution, reads)) !== undefined;

// An append that runs foreign code gets no more gas than any code.
const fetchLedgerGas = async (execution: Execution, reads: ExecutionReads): Promise<number | undefined> => {
  const call = await findLedgerCall(execution, reads);
  if (call === undefined) return undefined;
  const { append } = call;
  return append === undefined ? LEDGER_GAS_MAX : toAppendGasLimit(append.records.length, execution.data.length);
};

/**
 * Limits of `gasMax` for the steps of any code, in an execution of at most `transactionGasMax`; less when memory is
 * short.
 */
export const createExecutionGas = (options: {
  gasMax: number;
  transactionGasMax: number;
  readAvailableBytes: () => number;
}): ExecutionGas => ({
  fetchGasMax: async (execution, reads) => {
    const gas = (await fetchLedgerGas(execution, reads)) ?? options.gasMax;
    const share = Math.min(1, options.readAvailableBytes() / 2 / EXECUTION_BYTES_MAX);
    return Math.min(options.transactionGasMax, toIntrinsicGas(execution) + Math.floor(gas * share));
  },
});
