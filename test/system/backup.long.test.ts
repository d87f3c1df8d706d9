// Backup and restore: the data directory is destroyed, restored and compared.
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { cp, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { copyDatabases } from '../../host/backup/backupDatabases.ts';
import { dataPaths } from '../../host/files/dataPaths.ts';
import { type ServerProcess, startServerProcess } from '../../host/lifecycle/serverProcess.ts';
import { listenForControl } from '../../host/operator/controlServer.ts';
import { dumpDirectory } from '../support/indexDump.ts';
import { type CommandScript, runScript, startScript, toProblems } from '../support/runScript.ts';
import { createTemporaryDirectory, send } from '../support/testLedger.ts';

interface AssetList {
  readonly assets: readonly { readonly identity: string }[];
}

describe('a backup', () => {
  let root: string;
  let remove: () => Promise<void>;
  let server: ServerProcess | undefined;
  let token: string;
  let dataDir: string;
  const blob = randomBytes(200_000);

  before(async () => {
    ({ path: root, remove } = await createTemporaryDirectory());
    dataDir = join(root, 'data');
    server = await startServerProcess(dataDir, [], { LOG_LEVEL: 'silent' });
    token = (await runScript('token.ts', dataDir)).stdout.trim();
  });
  after(async () => {
    await server?.stop('SIGKILL');
    await remove();
  });

  const createAsset = (name: string) =>
    send<{ identity: string }>(`${server!.url}/svc/v2/assets`, token, { body: { attributes: { name } } });
  const upload = async (): Promise<string> => {
    const body = new FormData();
    body.append('file', new Blob([blob]), 'filename');
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(`${server!.url}/svc/v1/blobs`, { method: 'POST', headers, body });
    return ((await response.json()) as { identity: string }).identity;
  };
  const download = async (identity: string): Promise<Buffer> => {
    const response = await fetch(`${server!.url}/svc/v1/${identity}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    return Buffer.from(await response.arrayBuffer());
  };
  const listEvents = async (): Promise<string> =>
    JSON.stringify((await send(`${server!.url}/svc/v2/assets/-/events?page_size=1000`, token)).body);

  let identity: string;
  let listed: string;

  it('copies the outbox before the chain, so that no record in transit between them is missing', async () => {
    const copied: string[] = [];
    const copy = (name: string) => async () => {
      copied.push(`${name} begins`);
      await new Promise((resolve) => setImmediate(resolve));
      copied.push(`${name} ends`);
    };
    const [outbox, chain] = [{ copyTo: copy('outbox') }, { copyJournalTo: copy('chain') }];
    await copyDatabases({ outbox, chain } as never, root);
    expect(copied).to.eql(['outbox begins', 'outbox ends', 'chain begins', 'chain ends']);
  });

  it('of a running server contains all records that were answered before it', async () => {
    identity = await upload();
    const answered = await Promise.all(Array.from({ length: 30 }, (_, count) => createAsset(`before ${count}`)));
    let isOver = false;
    const meanwhile: number[] = [];
    const write = async (): Promise<void> => {
      while (!isOver) meanwhile.push((await createAsset('meanwhile')).status);
    };
    const writing = Promise.all([write(), write(), write()]);
    const run = await runScript('backup.ts', dataDir, [join(root, 'running')]);
    isOver = true;
    await writing;
    expect([run.code, toProblems(run)]).to.eql([0, '']);
    expect(run.stdout).to.match(/up to block \d+ \(0x[0-9a-f]{64}\)/);
    expect(new Set(meanwhile)).to.eql(new Set([200]));
    const restored = join(root, 'restored-running');
    expect((await runScript('restore.ts', restored, [join(root, 'running')])).code).to.equal(0);
    const other = await startServerProcess(restored, [], { LOG_LEVEL: 'silent' });
    const { body } = await send<AssetList>(`${other.url}/svc/v2/assets?page_size=1000`, token);
    const names = new Set(body.assets.map((asset) => asset.identity));
    for (const { body: asset } of answered) expect(names.has(asset.identity)).to.equal(true);
    await other.stop('SIGTERM');
  });

  it('of a stopped server restores an identical index and identical answers', async () => {
    listed = await listEvents();
    await server!.stop('SIGTERM');
    server = undefined;
    const before = await dumpDirectory(dataDir);
    expect((await runScript('backup.ts', dataDir, [join(root, 'stopped')])).code).to.equal(0);
    await rm(dataDir, { recursive: true });
    const { code, stdout } = await runScript('restore.ts', dataDir, [join(root, 'stopped')]);
    expect(code).to.equal(0);
    expect(stdout).to.match(/restored up to block \d+/);
    expect(await dumpDirectory(dataDir)).to.eql(before);
    server = await startServerProcess(dataDir, [], { LOG_LEVEL: 'silent' });
    expect((await listEvents()) === listed).to.equal(true);
    expect((await download(identity)).equals(blob)).to.equal(true);
    expect((await createAsset('after')).status).to.equal(200);
  });

  const modeOf = async (path: string): Promise<number> => (await stat(path)).mode & 0o777;

  it('and the restored directory are accessible to their owner only', async () => {
    for (const directory of [join(root, 'stopped'), dataDir]) {
      expect(await modeOf(directory)).to.equal(0o700);
      const keys = await readdir(join(directory, 'keys'));
      expect(keys).to.include.members(['ledger-administrator.key', 'token-signing.jwk', 'page-token.secret']);
      for (const name of keys) expect(await modeOf(join(directory, 'keys', name))).to.equal(0o600);
    }
  });

  it('is accessible to its owner only, also in a directory that was accessible to everyone', async () => {
    const target = join(root, 'open');
    await mkdir(target, { mode: 0o755 });
    expect((await runScript('backup.ts', dataDir, [target])).code).to.equal(0);
    expect(await modeOf(target)).to.equal(0o700);
    for (const entry of await readdir(target, { withFileTypes: true, recursive: true })) {
      const path = join(entry.parentPath, entry.name);
      expect(await modeOf(path), path).to.equal(entry.isDirectory() ? 0o700 : 0o600);
    }
  });

  it('is created by exactly one of several commands that write to the same directory at once', async () => {
    const target = join(root, 'wanted');
    const runs = await Promise.all([1, 2, 3].map(() => startScript('backup.ts', dataDir, [target])));
    expect(runs.map(({ code }) => code).sort()).to.eql([0, 1, 1]);
    const restored = join(root, 'restored-wanted');
    expect(toProblems(await runScript('restore.ts', restored, [target]))).to.equal('');
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

  it('that is interrupted leaves no files', async () => {
    const source = join(root, 'source');
    const target = join(root, 'interrupted');
    await mkdir(join(source, 'chain'), { recursive: true });
    await writeFile(join(source, 'chain', 'CURRENT'), '');
    await mkdir(join(source, 'keys'));
    await writeFile(join(source, 'keys', 'relayer.key'), '0x');
    const env = { ...process.env, DATA_DIR: source };
    const path = fileURLToPath(new URL('../../scripts/backup.ts', import.meta.url));
    let child: ChildProcess | undefined;
    const backUp = async (): Promise<object> => {
      for (const folder of ['chain', 'outbox']) await mkdir(join(target, folder));
      // One signal from the terminal and one from npm.
      child!.kill('SIGINT');
      child!.kill('SIGINT');
      return { number: 1, hash: '0x' };
    };
    const close = await listenForControl(dataPaths(source).controlSocket, { backUp });
    child = spawn(process.execPath, [path, target], { env, stdio: ['ignore', 'ignore', 'pipe'] });
    const [words, [code]] = await Promise.all([text(child.stderr!), once(child, 'exit')]);
    await close();
    expect([code, words]).to.eql([1, 'no backup: SIGINT received; the partial copy is removed\n']);
    expect(await stat(target).catch(({ code }: NodeJS.ErrnoException) => code)).to.equal('ENOENT');
  });

  it('whose restore was interrupted does not start as a new ledger', async () => {
    const target = join(root, 'cut-off');
    await cp(join(root, 'stopped'), join(target, 'restoring'), { recursive: true });
    const { code, stderr } = await startScript('start.ts', target, [], { PORT: '0', CHAIN_RPC_PORT: '0' });
    expect(code).to.equal(1);
    expect(stderr).to.include('did not finish');
    expect(await readdir(target)).to.eql(['restoring']);
  });
});
