// The commands for records that were final and that the chain no longer has.
import { console } from '../commandProcess.ts';
import type { ListedGone } from '../gone/listGone.ts';
import { readConfig } from '../settings/config.ts';
import { runOperatorCommand } from './runOperatorCommand.ts';

const run = <T>(name: string, input: Record<string, unknown>): Promise<T[]> =>
  runOperatorCommand<T[]>(readConfig().dataDir, name, input, { mayLackFunds: true });

const toText = ({ identity, tenantIdentity, acceptedAt, blockNumber, transaction, author }: ListedGone): string =>
  `${identity} of ${tenantIdentity}, accepted ${acceptedAt}, was in block ${blockNumber}, transaction ${transaction} of ${author}`;

/** Prints the records that the chain no longer has. */
export const listGoneByCommand = async (): Promise<void> => {
  const records = await run<ListedGone>('listGone', {});
  for (const record of records) console.log(toText(record));
  console.log(`${records.length} records that were final are no longer on the chain`);
};

/** Forgets those of a tenant, or some of them, and prints them. */
export const forgetGoneByCommand = async (tenant: string, identities: readonly string[]): Promise<void> => {
  const records = await run<ListedGone>('forgetGone', { tenant, identities });
  for (const record of records) console.log(toText(record));
  console.log(`${records.length} records of ${tenant} are forgotten`);
};
