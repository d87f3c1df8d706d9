// A data directory where nothing can be written, such as a snapshot: it can be exported and backed up.
import { lstat, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { openUsableDirectory } from '../../host/files/writableCopy.ts';
import { createFixtureTenant } from '../support/fixtureTenant.ts';
import { dumpDirectory } from '../support/indexDump.ts';
import { skipWithout } from '../support/missing.ts';
import { mountReadOnly } from '../support/readOnlyMount.ts';
import { runScript } from '../support/runScript.ts';
import { createTemporaryDirectory, openTestLedger, serveTestLedger } from '../support/testLedger.ts';

describe('a read-only data directory', () => {
  let root: string;
  let remove: () => Promise<void>;
  let dataDir: string;
  let unmount: (() => Promise<void>) | undefined;

  before(async function () {
    ({ path: root, remove } = await createTemporaryDirectory());
    const written = join(root, 'written');
    const ledger = await openTestLedger(written);
    const server = await serveTestLedger(ledger);
    const alpha = await createFixtureTenant(ledger, server, 'alpha');
    const body = new FormData();
    body.set('file', new Blob(['hello']), 'filename');
    const headers = { authorization: `Bearer ${alpha.token}` };
    const answer = await fetch(`${server.url}/svc/v1/blobs`, { method: 'POST', headers, body });
    const blob = (await answer.json()) as { identity: string };
    await alpha.createAsset({ file: blob.identity });
    await server.close();
    await ledger.close();
    dataDir = join(root, 'read-only');
    await mkdir(dataDir);
    unmount = await mountReadOnly(written, dataDir);
    if (unmount === undefined) skipWithout(this, 'a read-only mount, because this process may not mount one');
  });
  after(async () => {
    await unmount?.();
    await remove();
  });

  it('is opened in a copy that has no keys, which is removed', async () => {
    const below = join(root, 'temporary');
    await mkdir(below);
    const usable = await openUsableDirectory(dataDir, below);
    expect((await lstat(join(usable.path, 'keys'))).isSymbolicLink()).to.equal(true);
    await writeFile(join(usable.path, 'index', 'CURRENT'), '');
    await usable.remove();
    expect(await readdir(below)).to.eql([]);
    expect((await openUsableDirectory(root, below)).path).to.equal(root);
  });

  it('is exported', async () => {
    const all = join(root, 'all');
    const run = await runScript('export.ts', dataDir, ['--tenant', 'alpha', '--all', all]);
    expect(run.code, run.stderr).to.equal(0);
    const lines = (await readFile(join(all, 'records.ndjson'), 'utf8')).trim().split('\n');
    expect(lines).to.have.length(2);
    expect(await readdir(join(all, 'blobs'))).to.have.length(1);
  });

  it('is backed up, and the backup is restored', async () => {
    const backup = join(root, 'backup');
    const run = await runScript('backup.ts', dataDir, [backup]);
    expect(run.code, run.stderr).to.equal(0);
    const restored = join(root, 'restored');
    expect((await runScript('restore.ts', restored, [backup])).code).to.equal(0);
    expect(await dumpDirectory(restored)).to.eql(await dumpDirectory(join(root, 'written')));
  });
});
