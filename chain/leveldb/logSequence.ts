// Finds writes that are missing between those in a database's logs. LevelDB doesn't sync a log when it begins the next
// one, so a power failure can cut off the end of a log and keep the log after it. LevelDB itself doesn't notice that.
import { DamagedBytes } from './byteReader.ts';
import { readLogRecords } from './logFile.ts';

const COUNT_AT = 8;

/**
 * A check of the logs of one database, to be called with each, in their order. A batch has the sequence number of its
 * first operation, and the next batch has the number after its last one, also in another log. Only logs that the
 * database still needs may be passed: LevelDB syncs what replaces the others. It begins a log only when the one before
 * it has filled a write buffer, so no log is empty that is followed by batches. The check throws DamagedBytes when the
 * log is damaged, or a batch doesn't follow the one before it.
 */
export const createGapCheck = (): ((log: Buffer) => void) => {
  let isAfterLog = false;
  let next: bigint | undefined;
  const checkBatch = (batch: Buffer, offset: number): void => {
    const first = batch.readBigUInt64LE();
    if (isAfterLog && next === undefined) throw new DamagedBytes(offset, 'the log before it has lost its batches');
    if (next !== undefined && first !== next) {
      throw new DamagedBytes(offset, `a batch has the sequence number ${first}, not ${next}: batches are missing`);
    }
    next = first + BigInt(batch.readUInt32LE(COUNT_AT));
  };
  return (log) => {
    const { records, offsets } = readLogRecords(log);
    for (const [at, record] of records.entries()) checkBatch(record, offsets[at]!);
    isAfterLog = true;
  };
};
