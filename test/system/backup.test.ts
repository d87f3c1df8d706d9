// Backups that are refused, damaged or incomplete, and one that is restored, without a process for each.
import { createHash, randomBytes } from 'node:crypto';
import { cp, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { expect } from 'chai';
import { startServerProcess } from '../../host/lifecycle/serverProcess.ts';
import { useDirectories } from '../support/directories.ts';
import { dumpDirectory } from '../support/indexDump.ts';
import { type CommandScript, runScript, toProblems } from '../support/runScript.ts';
import { send } from '../support/testLedger.ts';

const ISSUER = 'urn:provenance-ledger:1:0x5fbdb2315678afecb367f032d93f642f64180aa3';

describe('a backup of a stopped server', () => {
  const createDirectory = useDirectories();
  let root: string;
  let dataDir: string;

  before(async () => {
    root = await createDirectory();
    dataDir = join(root, 'data');
    const server = await startServerProcess(dataDir, [], { LOG_LEVEL: 'silent' });
    try {
      const token = (await runScript('token.ts', dataDir)).stdout.trim();
      const body = new FormData();
      body.append('file', new Blob([randomBytes(200_000)]), 'filename');
      const headers = { authorization: `Bearer ${token}` };
      expect((await fetch(`${server.url}/svc/v1/blobs`, { method: 'POST', headers, body })).status).to.equal(200);
      await send(`${server.url}/svc/v2/assets`, token, { body: { attributes: { name: 'before' } } });
    } finally {
      await server.stop('SIGTERM');
    }
    // As of a ledger that continues another one.
    const known = JSON.parse(await readFile(join(dataDir, 'ledger.json'), 'utf8')) as object;
    await writeFile(join(dataDir, 'ledger.json'), JSON.stringify({ ...known, issuer: ISSUER }));
    const run = await runScript('backup.ts', dataDir, [join(root, 'stopped')]);
    expect([run.code, toProblems(run)]).to.eql([0, '']);
  });

  it('is restored with an identical index', async () => {
    const restored = join(root, 'restored');
    const { code, stdout } = await runScript('restore.ts', restored, [join(root, 'stopped')]);
    expect(code).to.equal(0);
    expect(stdout).to.match(/restored up to block \d+/);
    expect(await dumpDirectory(restored)).to.eql(await dumpDirectory(dataDir));
  });

  it('keeps the issuer of a ledger that continues another one, so that its root principals stay', async () => {
    const restored = join(root, 'continued');
    expect((await runScript('restore.ts', restored, [join(root, 'stopped')])).code).to.equal(0);
    const known = JSON.parse(await readFile(join(restored, 'ledger.json'), 'utf8')) as { issuer: string };
    expect(known.issuer).to.equal(ISSUER);
  });

  it('of an earlier version, without ledger.json, is restored with a new one', async () => {
    const earlier = join(root, 'earlier');
    await cp(join(root, 'stopped'), earlier, { recursive: true });
    await rm(join(earlier, 'ledger.json'));
    const manifest = JSON.parse(await readFile(join(earlier, 'manifest.json'), 'utf8')) as { files: object };
    const { 'ledger.json': _, ...files } = manifest.files as Record<string, string>;
    await writeFile(join(earlier, 'manifest.json'), JSON.stringify({ ...manifest, files }));
    const restored = join(root, 'restored-earlier');
    expect((await runScript('restore.ts', restored, [earlier])).code).to.equal(0);
    const known = JSON.parse(await readFile(join(restored, 'ledger.json'), 'utf8')) as object;
    expect(known).to.have.property('contract').and.to.be.a('string');
  });

  const expectRefused = async (script: CommandScript, dir: string, argument: string, words: string): Promise<void> => {
    const { code, stderr } = await runScript(script, dir, [argument]);
    expect(code).to.equal(1);
    expect(stderr).to.include(words);
  };

  it('is not written to a non-empty directory or to the data directory', async () => {
    await expectRefused('backup.ts', dataDir, join(root, 'stopped'), 'is not empty');
    await expectRefused('backup.ts', dataDir, join(dataDir, 'backup'), 'in the data directory');
    await expectRefused('backup.ts', dataDir, join(dataDir, '..backup'), 'in the data directory');
    await expectRefused('backup.ts', dataDir, join(dataDir, 'keys', 'relayer.key'), 'in the data directory');
    await expectRefused('backup.ts', dataDir, join(root, 'stopped', 'manifest.json'), 'is not empty');
    await expectRefused('backup.ts', join(root, 'nowhere'), join(root, 'new'), 'there is no ledger');
  });

  it('is not restored to a non-empty directory', async () => {
    await expectRefused('restore.ts', dataDir, join(root, 'stopped'), 'is not empty');
  });

  type Manifest = { files: Record<string, string>; head: object };
  const changeManifest = async (copy: string, change: (manifest: Manifest) => object): Promise<void> => {
    const path = join(copy, 'manifest.json');
    await writeFile(path, JSON.stringify(change(JSON.parse(await readFile(path, 'utf8')))));
  };
  // Changes the manifest too, as an attacker with write access would.
  const removeFiles = async (copy: string, pattern: RegExp): Promise<void> => {
    const { files }: Manifest = JSON.parse(await readFile(join(copy, 'manifest.json'), 'utf8'));
    const kept = Object.entries(files).filter(([path]) => !pattern.test(path));
    for (const path of Object.keys(files)) if (pattern.test(path)) await rm(join(copy, path));
    expect(kept.length).to.be.lessThan(Object.keys(files).length);
    await changeManifest(copy, (manifest) => ({ ...manifest, files: Object.fromEntries(kept) }));
  };
  const writeBackupFile = async (copy: string, path: string, text: string): Promise<void> => {
    await mkdir(dirname(join(copy, path)), { recursive: true });
    await writeFile(join(copy, path), text);
    const sha256 = createHash('sha256').update(text).digest('hex');
    await changeManifest(copy, ({ files, ...rest }) => ({ ...rest, files: { ...files, [path]: sha256 } }));
  };
  const findContent = async (copy: string): Promise<string> => {
    const { files }: Manifest = JSON.parse(await readFile(join(copy, 'manifest.json'), 'utf8'));
    return Object.keys(files).find((path) => path.startsWith('blobs/'))!;
  };

  const damages: [string, (copy: string) => Promise<unknown>, string][] = [
    ['has no manifest', (copy) => rm(join(copy, 'manifest.json')), 'is no backup'],
    [
      'has a manifest of another format',
      (copy) => writeFile(join(copy, 'manifest.json'), '{"format":2}'),
      'format that this version',
    ],
    ['lacks a key', (copy) => rm(join(copy, 'keys', 'relayer.key')), 'lacks keys/relayer.key'],
    ['has an additional file', (copy) => writeFile(join(copy, 'keys', 'new.key'), '0x'), 'keys/new.key'],
    ['has a key that was changed', (copy) => writeFile(join(copy, 'keys', 'relayer.key'), '0x00'), 'is damaged'],
    [
      'names another block as its last one',
      (copy) =>
        changeManifest(copy, ({ head, ...rest }) => ({ ...rest, head: { ...head, hash: `0x${'0'.repeat(64)}` } })),
      'not that of the backup',
    ],
    [
      'does not list files',
      (copy) => changeManifest(copy, (manifest) => ({ ...manifest, files: null })),
      'a format that this version',
    ],
    ['has no outbox', (copy) => removeFiles(copy, /^outbox\//), 'lacks outbox/CURRENT'],
    ['has no chain', (copy) => removeFiles(copy, /^chain\//), 'lacks chain/CURRENT'],
    ['has no keys', (copy) => removeFiles(copy, /^keys\//), 'lacks keys/ledger-administrator.key'],
    ['lacks the key of a tenant', (copy) => removeFiles(copy, /^keys\/tenant-author/), 'lacks keys/tenant-author-'],
    [
      'contains an index',
      (copy) => writeBackupFile(copy, 'index/CURRENT', 'x'),
      'index/CURRENT is not part of a backup',
    ],
    [
      'contains an incomplete upload',
      (copy) => writeBackupFile(copy, 'blobs/incoming/x', 'x'),
      'is not part of a backup',
    ],
    [
      'has other bytes under the name of a blob',
      async (copy) => writeBackupFile(copy, await findContent(copy), 'other bytes'),
      'a content that differs from its name',
    ],
    [
      'is incomplete',
      (copy) => rename(join(copy, 'manifest.json'), join(copy, 'manifest.json.unfinished')),
      'no backup',
    ],
  ];
  for (const [title, damage, words] of damages) {
    it(`that ${title} is not restored, and leaves no files`, async () => {
      const copy = join(root, 'damaged');
      const target = join(root, 'target');
      await cp(join(root, 'stopped'), copy, { recursive: true });
      await damage(copy);
      await expectRefused('restore.ts', target, copy, words);
      expect(await readdir(target).catch(() => [])).to.eql([]);
      await rm(copy, { recursive: true });
    });
  }

  it('without some blobs or the key of a tenant administrator is restored with a warning', async () => {
    const copy = join(root, 'incomplete');
    await cp(join(root, 'stopped'), copy, { recursive: true });
    await removeFiles(copy, /^blobs\/|tenant-administrator/);
    const { code, stderr } = await runScript('restore.ts', join(root, 'restored-incomplete'), [copy]);
    expect(code).to.equal(0);
    expect(stderr).to.match(/^warning: keys\/tenant-administrator-\S+ is missing/m);
    expect(stderr).to.match(/^warning: the contents of 1 blobs .* are missing$/m);
    const restoreWith = async (blobsDir: string) => {
      const target = join(root, `restored-with-${basename(blobsDir)}`);
      return (await runScript('restore.ts', target, [copy], { BLOBS_DIR: blobsDir })).stderr;
    };
    expect(await restoreWith(join(root, 'stopped', 'blobs'))).not.to.include('blobs that the ledger names');
    const elsewhere = join(root, 'elsewhere');
    expect(await restoreWith(elsewhere)).to.match(
      new RegExp(`^warning: the contents of 1 blobs .* in ${elsewhere}$`, 'm'),
    );
  });
});
