// The name of a new log is on the disk before a write to it counts as durable, also in a file system that needs a sync
// of the directory for that.
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { openJournal } from '../../../chain/embedded/journal/journal.ts';
import { createMakeDurable } from '../../../chain/leveldb/durableLog.ts';
import type { OutboxEntry } from '../../../chain/writing/outboxEntries.ts';
import { type OutboxStore, openOutboxStore } from '../../../chain/writing/outboxStore.ts';
import { toHex } from '../../../ledger/encoding/hex.ts';
import { LedgerError } from '../../../ledger/errors.ts';
import { toStreamIdentityOf } from '../../../ledger/identity.ts';
import { encodePayload } from '../../../ledger/records/record.ts';
import { useDirectories } from '../../support/directories.ts';
import { ALPHA, anEvent } from '../../support/records.ts';
import { rejectionOf } from '../../support/refusals.ts';
import { watchSyncs } from '../../support/watchSyncs.ts';

/** More than LevelDB's write buffer of 4 MiB: the next write goes to another log. */
const FULL_LOG_BYTES = 5 << 20;

const entryOf = (sequence: number, bytes: number): OutboxEntry => {
  const record = anEvent({ event_attributes: { text: 'x'.repeat(bytes) } });
  const payload = encodePayload(record);
  const streamIdentity = toStreamIdentityOf(record);
  return { sequence, tenantIdentity: ALPHA, streamIdentity, record, payload, status: 'PENDING', reason: '' };
};

const blockOf = (number: number, bytes: number) => ({
  number,
  timestampSeconds: number,
  hash: toHex(Buffer.alloc(32, number)),
  transaction: Buffer.alloc(bytes, number),
});

const readLogs = async (directory: string): Promise<string[]> =>
  (await readdir(directory)).filter((name) => name.endsWith('.log'));

describe('the name of a new log', () => {
  const createDirectory = useDirectories();

  const expectSync = async (directory: string, isNewLog: boolean, write: () => Promise<unknown>): Promise<void> => {
    const before = await readLogs(directory);
    const isSynced = await watchSyncs(write);
    const isChanged = (await readLogs(directory)).some((name) => !before.includes(name));
    expect(isChanged).to.equal(isNewLog);
    expect(await isSynced(directory)).to.equal(isNewLog);
  };

  const writes: Readonly<Record<string, (store: OutboxStore) => Promise<void>>> = {
    'an entry': (store) => store.write(() => [entryOf(2, 10)]),
    'a removal': (store) => store.remove([entryOf(1, 10)]),
    'a nonce': (store) => store.noteNonce({ address: `0x${'ab'.repeat(20)}`, nonce: 3 }),
  };
  for (const [what, write] of Object.entries(writes)) {
    it(`is synced with ${what} of the outbox, and only once`, async () => {
      const directory = join(await createDirectory(), 'outbox');
      const store = await openOutboxStore(directory);
      await expectSync(directory, false, () => store.write(() => [entryOf(1, FULL_LOG_BYTES)]));
      await expectSync(directory, true, () => write(store));
      await expectSync(directory, false, () => store.write(() => [entryOf(3, 10)]));
      await store.close();
    });
  }

  it('is synced with a block of the journal, and only once', async () => {
    const directory = join(await createDirectory(), 'chain');
    const journal = await openJournal(directory);
    await expectSync(directory, false, () => journal.appendBlock(blockOf(1, FULL_LOG_BYTES)));
    await expectSync(directory, true, () => journal.appendBlock(blockOf(2, 10)));
    await expectSync(directory, false, () => journal.appendBlock(blockOf(3, 10)));
    await journal.close();
  });

  it('is not synced for a write that failed, whose error the caller has', async () => {
    const directory = await createDirectory();
    const makeDurable = createMakeDurable(directory);
    await writeFile(join(directory, '000007.log'), '');
    const isSynced = await watchSyncs(async () => {
      const write = Promise.reject(new LedgerError('STORAGE_FULL', { message: 'the disk is full' }));
      expect(await rejectionOf(makeDurable(write))).to.equal('STORAGE_FULL');
    });
    expect(await isSynced(directory)).to.equal(false);
    expect(await (await watchSyncs(() => makeDurable(Promise.resolve())))(directory)).to.equal(true);
  });
});
