// Reads the records that a transaction appended from its logs.
import type { ContractTransactionResponse } from 'ethers';
import type { Hex } from '../../../ledger/encoding/hex.ts';
import type { LedgerContract } from './ledgerContract.ts';
import type { ModelRecord } from './streamModel.ts';

export interface AppendedLog extends ModelRecord {
  readonly tenant: Hex;
}

/** The `RecordAppended` logs of a transaction in order; fails on any other log. */
export const fetchAppended = async (
  ledger: LedgerContract,
  transaction: ContractTransactionResponse,
): Promise<AppendedLog[]> => {
  const receipt = await transaction.wait();
  return receipt!.logs.map((log) => {
    const event = ledger.interface.parseLog(log);
    if (event?.name !== 'RecordAppended') throw new Error(`unexpected log ${event?.name}`);
    return event.args.toObject() as AppendedLog;
  });
};
