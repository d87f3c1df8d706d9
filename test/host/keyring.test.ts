// Keys that are lost, readable by other users, or of another ledger: the ledger reports them and creates no new ones.
import { chmod, readdir, readFile, rename, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { toUuid } from '../../ledger/identity.ts';
import { createFixtureTenant } from '../support/fixtureTenant.ts';
import { openTestLedger, serveTestLedger, useDataDirectory } from '../support/testLedger.ts';

describe('the keys of an installation', () => {
  const directory = useDataDirectory();

  const openAndClose = async (): Promise<void> => (await openTestLedger(directory.path)).close();

  const messageOf = (promise: Promise<unknown>): Promise<string> =>
    promise.then(
      () => 'it opened',
      (error: Error) => error.message,
    );

  it('are created at the first start, readable by their owner only, and kept', async () => {
    await openAndClose();
    const names = await readdir(directory.keys);
    expect(names).to.include('ledger-administrator.key');
    await openAndClose();
    expect(await readdir(directory.keys)).to.deep.equal(names);
  });

  it('of the ledger are not replaced on an existing chain', async () => {
    await openAndClose();
    await rename(join(directory.keys, 'ledger-administrator.key'), join(directory.path, 'elsewhere'));
    expect(await messageOf(openAndClose())).to.include('ledger-administrator.key is missing');
    await rename(join(directory.path, 'elsewhere'), join(directory.keys, 'ledger-administrator.key'));
    expect(await messageOf(openAndClose())).to.equal('it opened');
  });

  it('that other users can read are refused', async () => {
    await openAndClose();
    await chmod(join(directory.keys, 'relayer.key'), 0o640);
    expect(await messageOf(openAndClose())).to.include('chmod 600');
  });

  it('are read with a line break, blanks or a byte order mark around them, and where a mount lets their group read', async () => {
    await openAndClose();
    for (const name of await readdir(directory.keys)) {
      const path = join(directory.keys, name);
      await writeFile(path, `\ufeff${await readFile(path, 'utf8')} \r\n`);
      await chmod(path, 0o440);
    }
    expect(await messageOf(openAndClose())).to.equal('it opened');
    for (const mode of [0o444, 0o460, 0o450, 0o640]) {
      await chmod(join(directory.keys, 'relayer.key'), mode);
      expect(await messageOf(openAndClose()), mode.toString(8)).to.include('mount it with the mode 0440');
    }
  });

  it('that are empty are named, with what to do', async () => {
    await openAndClose();
    for (const name of await readdir(directory.keys)) {
      const path = join(directory.keys, name);
      const text = await readFile(path, 'utf8');
      await truncate(path);
      const message = await openTestLedger(directory.path).then(
        async (ledger) => {
          const reason = await messageOf(serveTestLedger(ledger).then((server) => server.close()));
          await ledger.close();
          return reason;
        },
        (error: Error) => error.message,
      );
      if (message !== 'it opened') expect(message, name).to.include(path).and.include('restore it from a backup');
      await writeFile(path, text);
    }
  });

  it('of one tenant, when missing, stop only the writes of that tenant', async () => {
    const first = await openTestLedger(directory.path);
    const firstServer = await serveTestLedger(first);
    const alpha = await createFixtureTenant(first, firstServer, 'alpha');
    await firstServer.close();
    await first.close();
    await rename(
      join(directory.keys, `tenant-author-${toUuid(alpha.identity)}.key`),
      join(directory.path, 'elsewhere'),
    );
    const ledger = await openTestLedger(directory.path);
    const record = (await ledger.view.readTenant(alpha.identity))!;
    expect(await messageOf(ledger.writer.append(alpha.identity, record))).to.include('restore it from a backup');
    const server = await serveTestLedger(ledger);
    const beta = await createFixtureTenant(ledger, server, 'beta');
    expect((await beta.createAsset()).confirmation_status).to.equal('CONFIRMED');
    await server.close();
    await ledger.close();
  });
});
