// An outbox with damaged files is refused and not opened: LevelDB would skip what it can't read, without an error.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { Level } from 'level';
import { createOutbox } from '../../../chain/writing/outbox.ts';
import { readCommittedBlock, writeCommittedBlock } from '../../../chain/writing/outboxStore.ts';
import type { LedgerError } from '../../../ledger/errors.ts';
import { encodePayload } from '../../../ledger/records/record.ts';
import { acceptRecord } from '../../support/acceptRecord.ts';
import { filesIn, flipBit, newestLogOf } from '../../support/damagedFiles.ts';
import { useDirectories } from '../../support/directories.ts';
import { ALPHA, anEvent, eventOf } from '../../support/records.ts';
import { rejectionOf } from '../../support/refusals.ts';

const ENTRIES = 5;

describe('a damaged outbox', () => {
  const makeDirectory = useDirectories();
  const open = (directory: string) => createOutbox({ directory, entriesMax: 100 });

  const makeOutbox = async (): Promise<string> => {
    const directory = await makeDirectory();
    const outbox = await open(directory);
    for (let event = 1; event <= ENTRIES; event += 1) {
      const record = anEvent({ identity: eventOf(1, event) });
      await acceptRecord(outbox, ALPHA, record, encodePayload(record));
    }
    await outbox.close();
    return directory;
  };

  const readFiles = async (directory: string): Promise<string[]> =>
    Promise.all(
      (await readdir(directory)).map(async (name) => `${name} ${await readFile(join(directory, name), 'hex')}`),
    );

  const store = async (directory: string, key: string, value: string): Promise<void> => {
    const db = new Level<string, string>(directory);
    await db.put(key, value);
    await db.close();
  };

  const read = async (directory: string, key: string): Promise<string> => {
    const db = new Level<string, string>(directory);
    const value = await db.get(key);
    await db.close();
    return value!;
  };

  it('is refused by everything that opens it, and not changed by one byte', async () => {
    const directory = await makeOutbox();
    const log = await newestLogOf(directory);
    await flipBit(log, 200);
    const files = await readFiles(directory);
    for (const opening of [open, readCommittedBlock, (path: string) => writeCommittedBlock(path, 1)]) {
      expect(await rejectionOf(opening(directory))).to.equal('OUTBOX_CORRUPT');
      expect(await readFiles(directory)).to.deep.equal(files);
    }
    const { message } = (await open(directory).catch((error: unknown) => error)) as LedgerError;
    expect(message).to.match(/\d+\.log, byte \d+/);
    await flipBit(log, 200);
    const outbox = await open(directory);
    expect(outbox.readEntries()).to.have.length(ENTRIES);
    await outbox.close();
  });

  it('is refused when one of its tables has changed', async () => {
    const directory = await makeOutbox();
    // The second opening moves the entries from the log into a table.
    await (await open(directory)).close();
    const [table] = await filesIn(directory, '.ldb');
    await flipBit(table!, 300);
    expect(await rejectionOf(open(directory))).to.equal('OUTBOX_CORRUPT');
    expect(await rejectionOf(readCommittedBlock(directory))).to.equal('OUTBOX_CORRUPT');
  });

  it('is refused when one digit of its newest time has changed; a time without a checksum is accepted', async () => {
    const directory = await makeOutbox();
    const stored = await read(directory, 'newest-accepted');
    const time = stored.split(' ')[0]!;
    await store(directory, 'newest-accepted', stored.replace('20', '30'));
    expect(await rejectionOf(open(directory))).to.equal('OUTBOX_CORRUPT');
    await store(directory, 'newest-accepted', time);
    const outbox = await open(directory);
    expect(outbox.newestAcceptedMs()).to.equal(Date.parse(time));
    await outbox.close();
  });
});
