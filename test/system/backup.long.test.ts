// Backup and restore: the data directory is destroyed, restored and compared.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { cp, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { copyDatabases } from '../../host/backup/backupDatabases.ts';
import { dataPaths } from '../../host/files/dataPaths.ts';
import { type ServerProcess, startServerProcess } from '../../host/lifecycle/serverProcess.ts';
import { listenForControl } from '../../host/operator/controlServer.ts';
import { dumpDirectory } from '../support/indexDump.ts';
import { runScript, startScript, toProblems } from '../support/runScript.ts';
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
