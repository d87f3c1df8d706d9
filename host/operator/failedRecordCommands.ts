// The commands for records that the chain refused.
import { console } from '../commandProcess.ts';
import { readConfig } from '../settings/config.ts';
import type { FailedRecord } from '../tenancy/failedRecords.ts';
import { runOperatorCommand } from './runOperatorCommand.ts';

const run = (name: string, input: Record<string, unknown>): Promise<FailedRecord[]> =>
  runOperatorCommand<FailedRecord[]>(readConfig().dataDir, name, input, { mayLackFunds: true });

const print = (records: readonly FailedRecord[]): void => {
  for (const { identity, tenantIdentity, acceptedAt, reason } of records)
    console.log(`${identity} of ${tenantIdentity}, accepted ${acceptedAt}: ${reason}`);
};

/** Prints the records that the chain refused. */
export const listFailedByCommand = async (): Promise<void> => {
  const records = await run('listFailed', {});
  print(records);
  console.log(`${records.length} records are FAILED`);
};

/** Clears those of a tenant, and prints them. */
export const clearFailedByCommand = async (tenant: string): Promise<void> => {
  const records = await run('clearFailed', { tenant });
  print(records);
  console.log(`${records.length} FAILED records of ${tenant} are cleared`);
};
