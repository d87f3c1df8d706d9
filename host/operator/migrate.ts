// Copies a ledger of version 0.1 into a new directory, and reports what was copied.
import { console } from '../commandProcess.ts';
import { type Migration, migrateLedger } from '../migration/migrateLedger.ts';
import { openEmbeddedChainForOperator } from './ledgerForOperator.ts';
import { createProgress } from './progress.ts';

const toNotes = ({ signedByOthers, failedRecords, warnings }: Migration): readonly string[] => [
  ...warnings,
  ...(signedByOthers === 0
    ? []
    : [`${signedByOthers} records had another author than their tenant's; \`from\` is the tenant's author now`]),
  ...(failedRecords === 0 ? [] : [`${failedRecords} records that the old chain had refused (FAILED) were not copied`]),
];

/**
 * Copies the ledger of the directory `source` into the directory `target`, and prints what was copied.
 * @throws Error as `migrateLedger`.
 */
export const migrate = async (source: string, target: string): Promise<void> => {
  const migration = await migrateLedger({
    source,
    target,
    openChain: openEmbeddedChainForOperator,
    now: Date.now,
    onStep: createProgress(),
  });
  const { records, tenants, newestBlock, chainId, contract } = migration;
  console.log(
    `copied ${records} records of ${tenants} tenants into ${target}: ${newestBlock} blocks, chain id ${chainId}, contract ${contract}`,
  );
  for (const note of toNotes(migration)) console.log(note);
  console.log(
    `start the server with DATA_DIR=${target}, and keep ${source}: only its blocks prove when its records were made`,
  );
};
