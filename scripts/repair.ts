// npm run repair: restores the chain of a data directory whose journal is damaged.
import { Command } from 'commander';
import { LedgerError } from '../ledger/errors.ts';
import { toTimestamp } from '../ledger/timestamp.ts';
import { readConfig } from './config.ts';
import { hasLedger } from './knownLedger.ts';
import { createProgress } from './progress.ts';
import { type AppendedRecord, type RepairReport, repairLedger } from './repairLedger.ts';
import type { LostRecord } from './repairRecords.ts';

const EXIT = { whole: 0, failed: 1, appended: 2, lost: 3 } as const;

const HELP = `
Exit codes: 0 the chain is whole, or was restored with the hashes that it had; 1 not repaired, and nothing was changed;
2 records were, or have to be, appended again in new blocks; 3 records are lost (without --accept-loss nothing was changed).
What is replaced is kept in the data directory under a name with the date.`;

interface Options {
  readonly dryRun: boolean;
  readonly acceptLoss: boolean;
}

const printAppended = ({ record: { tenantIdentity, record, place }, log }: AppendedRecord): void => {
  const from = `block ${place.blockNumber}, transaction ${place.transactionHash}`;
  const to =
    log === undefined
      ? 'not appended yet'
      : `block ${log.blockNumber}, transaction ${log.transactionHash}, committed ${toTimestamp(log.blockTimestampSeconds * 1000)}`;
  console.log(`appended again: ${tenantIdentity} ${record.identity}: was in ${from}; ${to}`);
};

const printLost = ({ record: { tenantIdentity, record, place }, reason }: LostRecord): void =>
  console.log(`LOST: ${tenantIdentity} ${record.identity} (block ${place.blockNumber}): ${reason}`);

const printReport = ({ head, fromCopy, newestKnown, ...report }: RepairReport): number => {
  const { appended, lost, unexplained, isChanged, keptAside } = report;
  console.log(
    `blocks 0 to ${head.number} (${head.hash}) have the hashes that they had; ${fromCopy} of them come from the copy`,
  );
  if (newestKnown > head.number)
    console.log(`blocks ${head.number + 1} to ${newestKnown} can't be restored as they were`);
  for (const record of appended) printAppended(record);
  for (const record of lost) printLost(record);
  if (unexplained > 0) console.log(`LOST: the content of ${unexplained} blocks, of which the index has nothing`);
  for (const path of keptAside) console.log(`kept: ${path}`);
  console.log(isChanged ? 'repaired; start the server, which rebuilds what it needs' : 'nothing was changed');
  if (lost.length > 0 || unexplained > 0) return EXIT.lost;
  return appended.length > 0 || newestKnown > head.number ? EXIT.appended : EXIT.whole;
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
