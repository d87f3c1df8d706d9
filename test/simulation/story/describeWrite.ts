// What a write to one of the server's databases means, in a few words of a story.
import { decodeBlock, decodeBlockKey } from '../../../chain/embedded/journal/journalBlock.ts';
import { decodeEntry } from '../../../chain/writing/outboxCodec.ts';
import { dataPaths } from '../../../host/files/dataPaths.ts';
import { cursorKey } from '../../../indexer/keys.ts';
import { decodeStored } from '../../../indexer/rows/rowChecksum.ts';
import type { Cursor } from '../../../indexer/rows/rows.ts';
import { decodeTransaction } from '../chain/transactions.ts';
import type { StoredOperation } from '../disk/leveldb/batch.ts';
import { findValue, type Rows, toName } from '../disk/leveldb/rows.ts';
import { DATA_DIR } from '../server/settings.ts';
import { describeCall, describeRecords, nameRecord } from './describeTransaction.ts';

/** Operations on the rows of a database. */
interface DatabaseWrite {
  /** The rows before. */
  readonly rows: Rows;
  readonly operations: readonly StoredOperation[];
}

type Describe = (write: DatabaseWrite) => string | undefined;

const PATHS = dataPaths(DATA_DIR);
const SEQUENCE = /^\d+$/;

const decode = (name: string, value: Buffer) => decodeEntry(Number(name), value);

// The entries that are written, by status, and those that are removed.
const describeOutbox: Describe = ({ rows, operations }) => {
  const named = operations
    .map(({ key, value }) => ({ name: toName(key), value }))
    .filter(({ name }) => SEQUENCE.test(name));
  const written = named.flatMap(({ name, value }) => (value === undefined ? [] : [decode(name, value)]));
  const removed = named.flatMap(({ name, value }) => {
    const before = value === undefined ? findValue(rows, name) : undefined;
    return before === undefined ? [] : [decode(name, before)];
  });
  const failed = written.filter(({ status }) => status === 'FAILED');
  const pending = written.filter(({ status }) => status === 'PENDING');
  const parts = [
    { does: 'writes', to: 'to the outbox', entries: pending },
    { does: 'writes', to: 'as FAILED to the outbox', entries: failed },
    { does: 'removes', to: 'from the outbox', entries: removed },
  ].flatMap(({ does, to, entries }) =>
    entries.length === 0 ? [] : [`${does} ${describeRecords(entries.map(({ record }) => nameRecord(record)))} ${to}`],
  );
  return parts.length === 0 ? undefined : parts.join(', ');
};

const describeJournal: Describe = ({ operations }) => {
  const blocks = operations.flatMap(({ key, value }) => {
    const number = decodeBlockKey(key);
    // Number 0 has the terms of the chain.
    return value === undefined || number === 0 ? [] : [decodeBlock(number, value)];
  });
  const texts = blocks.map(({ number, transaction }) => {
    const decoded = decodeTransaction(Uint8Array.from(transaction));
    return `block ${number} with transaction ${decoded.hash}: ${describeCall(decoded)}`;
  });
  return texts.length === 0 ? undefined : `writes to the journal ${texts.join('; ')}`;
};

const CURSOR = toName(cursorKey());

// A batch of the cursor alone adds nothing to the index.
const describeIndex: Describe = ({ operations }) => {
  const cursor = operations.findLast(({ key }) => toName(key) === CURSOR);
  if (cursor === undefined || operations.length === 1) return undefined;
  if (cursor.value === undefined) return 'begins to delete the index';
  const { blockNumber } = decodeStored(cursor.key, cursor.value) as unknown as Cursor;
  return `indexes the final blocks up to ${blockNumber}`;
};

const DATABASES: Readonly<Record<string, Describe>> = {
  [PATHS.outbox]: describeOutbox,
  [PATHS.chain]: describeJournal,
  [PATHS.index]: describeIndex,
};

/** What a write to the database of a directory means; undefined where a story doesn't mention it. */
export const describeWrite = (directory: string, write: DatabaseWrite): string | undefined =>
  DATABASES[directory]?.(write);
