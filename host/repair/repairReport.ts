// Runs a repair for an operator, and prints its report.
import type { RecordKeys } from '../../indexer/inventory.ts';
import { toTimestamp } from '../../ledger/encoding/timestamp.ts';
import { console } from '../commandProcess.ts';
import { assertLedger } from '../operator/ledgerForOperator.ts';
import { createProgress } from '../operator/progress.ts';
import { readConfig } from '../settings/config.ts';
import type { MissingRecord, UnexplainedBlocks } from './repairGap.ts';
import { isLoss, type RepairReport, repairLedger } from './repairLedger.ts';
import type { AppendedRecord, LostRecord, OtherBlock } from './repairRecords.ts';

const COMPLETE = 0;
const APPENDED = 2;
const LOST = 3;

export interface RepairCommandOptions {
  /** Only reports what would be done. */
  readonly dryRun: boolean;
  /** Continues even if records are lost. */
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

const printReport = ({ head, fromCopy, newestKnown, ...report }: RepairReport): void => {
  const { appended, lost, lostNames, unexplained, others, indexDamage, isChanged, keptAside } = report;
  console.log(
    `blocks 0 to ${head.number} (${head.hash}) have their original hashes; ${fromCopy} of them come from the copy`,
  );
  if (newestKnown > head.number)
    console.log(`blocks ${head.number + 1} to ${newestKnown} can't be restored with their original hashes`);
  if (indexDamage !== undefined) console.log(`the index is damaged: ${indexDamage}`);
  for (const record of appended) printAppended(record);
  for (const block of others) printOther(block);
  for (const record of lost) printLost(record);
  for (const name of lostNames) printLostName(name);
  for (const blocks of unexplained) printUnexplained(blocks);
  for (const path of keptAside) console.log(`kept: ${path}`);
  console.log(isChanged ? 'repaired; start the server, which rebuilds what it needs' : 'nothing was changed');
};

const toExitCode = ({ head, newestKnown, ...report }: RepairReport): number => {
  if (isLoss(report)) return LOST;
  return newestKnown > head.number ? APPENDED : COMPLETE;
};

/**
 * Repairs the ledger of the data directory (DATA_DIR) and prints the report. Resolves with the exit code: 0 complete, 2
 * records were or must be appended again, 3 records are lost.
 * @throws Error when the settings name a network, or there is no ledger in the directory; LedgerError as `repairLedger`
 * does.
 */
export const repairAndReport = async ({ dryRun, acceptLoss }: RepairCommandOptions): Promise<number> => {
  const { dataDir, chainRpcUrls } = readConfig();
  if (chainRpcUrls !== undefined)
    throw new Error('CHAIN_RPC_URL is set, and only an embedded chain has a journal to repair; unset it');
  assertLedger(dataDir);
  const options = { dataDir, isDryRun: dryRun, acceptsLoss: acceptLoss, now: Date.now, onStep: createProgress() };
  const report = await repairLedger(options);
  printReport(report);
  return toExitCode(report);
};
