// New names that an acknowledged fact depends on are synced: a file system need not keep the name of a synced file.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { openJournal } from '../../../chain/embedded/journal/journal.ts';
import { createOutbox } from '../../../chain/writing/outbox.ts';
import { openOutboxStore } from '../../../chain/writing/outboxStore.ts';
import { createDataDirectory } from '../../../host/files/dataDirectory.ts';
import { createSecretFile } from '../../../host/files/secretFile.ts';
import { openKeyring } from '../../../host/keyring.ts';
import { useDirectories } from '../../support/directories.ts';
import { watchSyncs } from '../../support/watchSyncs.ts';

const OPENERS: Readonly<Record<string, (directory: string) => Promise<{ close(): Promise<void> }>>> = {
  outbox: (directory) => createOutbox({ directory, entriesMax: 1 }),
  journal: openJournal,
};

describe('a new name is synced', () => {
  const makeDirectory = useDirectories();

  for (const [name, open] of Object.entries(OPENERS)) {
    it(`in the directory of the ${name}, and beside it, before the database is used`, async () => {
      const dataDir = await makeDirectory();
      const directory = join(dataDir, 'database');
      const isSynced = await watchSyncs(async () => (await open(directory)).close());
      expect([await isSynced(directory), await isSynced(dataDir)]).to.deep.equal([true, true]);
    });
  }

  it('in the directory of the outbox when it is opened again after a failed write', async () => {
    const directory = await makeDirectory();
    const store = await openOutboxStore(directory);
    const isSynced = await watchSyncs(() => store.reopen(() => []));
    expect(await isSynced(directory)).to.equal(true);
    await store.close();
  });

  it('above each directory that is created for the data', async () => {
    const base = await makeDirectory();
    const isSynced = await watchSyncs(() => createDataDirectory(join(base, 'a', 'b')));
    expect([await isSynced(base), await isSynced(join(base, 'a'))]).to.deep.equal([true, true]);
  });

  it('of the keys, and of each key', async () => {
    const dataDir = await makeDirectory();
    const keys = join(dataDir, 'keys');
    await mkdir(keys);
    const isSynced = await watchSyncs(async () => (await openKeyring(keys)).openWallet('relayer'));
    expect([await isSynced(dataDir), await isSynced(keys)]).to.deep.equal([true, true]);
  });

  it('of the file with a secret that is shown once', async () => {
    const directory = await makeDirectory();
    const file = createSecretFile(join(directory, 'secret'));
    const isSynced = await watchSyncs(() => file.write('x'));
    expect([await isSynced(directory), await isSynced(join(directory, 'secret'))]).to.deep.equal([true, true]);
  });
});
