// npm run repair: restores the chain of a data directory whose journal is damaged.
import { Command } from 'commander';
import { hasLedger } from '../host/knownLedger.ts';
import { createProgress } from '../host/operator/progress.ts';
import type { MissingRecord, UnexplainedBlocks } from '../host/repair/repairGap.ts';
import { isLoss, type RepairReport, repairLedger } from '../host/repair/repairLedger.ts';
import type { AppendedRecord, LostRecord, OtherBlock } from '../host/repair/repairRecords.ts';
import { readConfig } from '../host/settings/config.ts';
import type { RecordKeys } from '../indexer/inventory.ts';
import { toTimestamp } from '../ledger/encoding/timestamp.ts';
import { LedgerError } from '../ledger/errors.ts';

const EXIT = { whole: 0, failed: 1, appended: 2, lost: 3 } as const;

const HELP = `
Exit codes: 0 the chain is whole, or was restored with the hashes that it had; 1 not repaired, and nothing was changed;
2 records were, or have to be, appended again in new blocks; 3 records are lost (without --accept-loss nothing was changed).
What is replaced is kept in the data directory under a name with the date.`;

interface Options {
  readonly dryRun: boolean;
  readonly acceptLoss: boolean;
}

const toTenantName = ({ tenantIdentity, tenantKey }: MissingRecord): string =>
  tenantIdentity ?? `the tenant with the key ${tenantKey}`;
const toRecordText = (record: MissingRecord): string =>
  `${toTenantName(record)} ${record.record?.identity ?? `record with the key ${record.recordKey}`}`;

const printAppended = ({ record, log }: AppendedRecord): void => {
  const from = `block ${record.blockNumber}, transaction ${record.transactionHash}`;
  const to =
    log === undefined
      ? 'not appended yet'
      : `block ${log.blockNumber}, transaction ${log.transactionHash}, committed ${toTimestamp(log.blockTimestampSeconds * 1000)}`;
  console.log(`appended again: ${toRecordText(record)}: was in ${from}; ${to}`);
};

const printLost = ({ record, reason }: LostRecord): void =>
  console.log(`LOST: ${toRecordText(record)} (block ${record.blockNumber}): ${reason}`);

const printOther = ({ number, transaction, reason, isIndexed }: OtherBlock): void => {
  const what = transaction === undefined ? 'a transaction' : `transaction ${transaction.hash} of ${transaction.from}`;
  const prefix = reason === undefined || isIndexed ? '' : 'LOST: ';
  console.log(`${prefix}block ${number} had ${what} without readable records: ${reason ?? 'it is sent again'}`);
};

const printUnexplained = ({ firstBlock, lastBlock, reason }: UnexplainedBlocks): void =>
  console.log(`LOST: the content of blocks ${firstBlock} to ${lastBlock}: ${reason}`);

const printLostName = ({ tenantKey, recordKey }: RecordKeys): void =>
  console.log(`LOST: record with the key ${recordKey} of the tenant with the key ${tenantKey}: its row is damaged`);

const printReport = ({ head, fromCopy, newestKnown, ...report }: RepairReport): number => {
  const { appended, lost, lostNames, unexplained, others, indexDamage, isChanged, keptAside } = report;
  console.log(
    `blocks 0 to ${head.number} (${head.hash}) have the hashes that they had; ${fromCopy} of them come from the copy`,
  );
  if (newestKnown > head.number)
    console.log(`blocks ${head.number + 1} to ${newestKnown} can't be restored as they were`);
  if (indexDamage !== undefined) console.log(`the index is damaged: ${indexDamage}`);
  for (const record of appended) printAppended(record);
  for (const block of others) printOther(block);
  for (const record of lost) printLost(record);
  for (const name of lostNames) printLostName(name);
  for (const blocks of unexplained) printUnexplained(blocks);
  for (const path of keptAside) console.log(`kept: ${path}`);
  console.log(isChanged ? 'repaired; start the server, which rebuilds what it needs' : 'nothing was changed');
  if (isLoss(report)) return EXIT.lost;
  return newestKnown > head.number ? EXIT.appended : EXIT.whole;
};

const run = async ({ dryRun, acceptLoss }: Options): Promise<number> => {
  const { dataDir, chainRpcUrls } = readConfig();
  if (chainRpcUrls !== undefined)
    throw new Error('CHAIN_RPC_URL is set, and only an embedded chain has a journal to repair');
  if (!hasLedger(dataDir)) throw new Error(`there is no ledger in ${dataDir}`);
  const onStep = createProgress();
  return printReport(await repairLedger({ dataDir, isDryRun: dryRun, acceptsLoss: acceptLoss, now: Date.now, onStep }));
};

await new Command('repair')
  .description(
    'Restores the chain of this data directory (DATA_DIR) from its journal and the copy of its newest blocks, and appends what neither has again ' +
      'from the index. Stop the server first.',
  )
  .option('--dry-run', 'only say what would be done', false)
  .option('--accept-loss', 'go on although records are lost', false)
  .addHelpText('after', HELP)
  .action(async (options: Options) => {
    try {
      process.exitCode = await run(options);
    } catch (error) {
      const code = error instanceof LedgerError ? `${error.code}: ` : '';
      console.error(`not repaired: ${code}${(error as Error).message}`);
      process.exitCode = EXIT.failed;
    }
  })
  .parseAsync();
