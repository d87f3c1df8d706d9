// The commands for records that were final and that the chain no longer has.
import { console } from '../commandProcess.ts';
import type { AppendedGone } from '../gone/appendGone.ts';
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

/**
 * Appends those of a tenant again, or some of them, and prints what became of each. Resolves with the exit code: 0 all
 * are on the chain or wait for it, 2 some aren't.
 */
export const appendGoneByCommand = async (tenant: string, identities: readonly string[]): Promise<number> => {
  const records = await run<AppendedGone>('appendGone', { tenant, identities });
  for (const record of records)
    console.log(`${record.status ?? 'NOT APPENDED'}${record.reason && ` (${record.reason})`}: ${toText(record)}`);
  const refused = records.filter(({ status }) => status === undefined || status === 'FAILED');
  console.log(`${records.length - refused.length} of ${records.length} records of ${tenant} are appended again`);
  return refused.length === 0 ? 0 : 2;
};

/** Forgets those of a tenant, or some of them, and prints them. */
export const forgetGoneByCommand = async (tenant: string, identities: readonly string[]): Promise<void> => {
  const records = await run<ListedGone>('forgetGone', { tenant, identities });
  for (const record of records) console.log(toText(record));
  console.log(`${records.length} records of ${tenant} are forgotten`);
};
