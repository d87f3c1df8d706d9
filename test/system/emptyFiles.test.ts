// A power cut can leave files without a byte: the start goes on without what has no value, rebuilds what the chain has,
// and refuses with the remedy otherwise.
import { cp, readdir, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { dataPaths } from '../../host/files/dataPaths.ts';
import { lockDirectory } from '../../host/files/directoryLock.ts';
import { createFixtureTenant } from '../support/fixtureTenant.ts';
import { createTemporaryDirectory, openTestLedger, serveTestLedger } from '../support/testLedger.ts';

describe('a start after a power cut that emptied a file', function () {
  this.timeout(60_000); // starts a ledger for each file
  let directory: Awaited<ReturnType<typeof createTemporaryDirectory>>;
  let whole: string;
  before(async () => {
    directory = await createTemporaryDirectory();
    whole = join(directory.path, 'whole');
    const ledger = await openTestLedger(whole);
    const server = await serveTestLedger(ledger);
    await (await createFixtureTenant(ledger, server, 'alpha')).createAsset();
    await server.close();
    await ledger.close();
    await (await lockDirectory(whole))();
  });
  after(() => directory.remove());

  const startWithout = async (database: 'index' | 'outbox' | 'chain' | 'lock', name: string): Promise<string> => {
    const copy = join(directory.path, `${database}-${name}`);
    await cp(whole, copy, { recursive: true });
    await truncate(join(dataPaths(copy)[database], name));
    try {
      await (await lockDirectory(copy))();
      await (await openTestLedger(copy)).close();
      return 'started';
    } catch (error) {
      return (error as Error).message;
    }
  };

  const listFiles = async (database: 'index' | 'outbox' | 'chain' | 'lock'): Promise<string[]> => {
    const path = dataPaths(whole)[database];
    const names = (await readdir(path)).filter((name) => !['LOCK', 'LOG', 'LOG.old'].includes(name));
    const sizes = await Promise.all(names.map(async (name) => (await stat(join(path, name))).size));
    return names.filter((_, at) => sizes[at]! > 0);
  };

  it('goes on where it was a file of the lock or of the index', async () => {
    for (const database of ['lock', 'index'] as const)
      for (const name of await listFiles(database))
        expect(await startWithout(database, name), `${database}/${name}`).to.equal('started');
  });

  it('goes on, or names what is damaged, where it was a file of the chain or of the outbox', async () => {
    for (const database of ['outbox', 'chain'] as const)
      for (const name of await listFiles(database)) {
        const end = await startWithout(database, name);
        if (end !== 'started')
          expect(end, `${database}/${name}`)
            .to.include('damaged')
            .and.match(/repair|backup/);
      }
  });
});
