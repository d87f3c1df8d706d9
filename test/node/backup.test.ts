// A backup is worth what is restored from it: the data directory is destroyed, made anew, and compared.
import { randomBytes } from 'node:crypto';
import { cp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { createIndexStore } from '../../indexer/store.ts';
import { copyDatabases } from '../../scripts/backupDatabases.ts';
import { dataPaths } from '../../scripts/config.ts';
import { type ServerProcess, startServerProcess } from '../../scripts/serverProcess.ts';
import { runScript } from '../support/runScript.ts';
import { createTemporaryDirectory, send } from '../support/testLedger.ts';

const dumpIndex = async (dataDir: string): Promise<Map<string, string>> => {
  const store = await createIndexStore(dataPaths(dataDir).index);
  const entries = new Map<string, string>();
  for await (const [key, row] of store.entries()) entries.set(key.toString('hex'), JSON.stringify(row));
  await store.close();
  return entries;
};

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

  it('copies the outbox before the chain, so that no record is missing that goes from the one to the other', async () => {
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

  it('is made while the server runs and writes, and has all that was answered before', async () => {
    identity = await upload();
    const answered = await Promise.all(Array.from({ length: 30 }, (_, count) => createAsset(`before ${count}`)));
    let isOver = false;
    const meanwhile: number[] = [];
    const write = async (): Promise<void> => {
      while (!isOver) meanwhile.push((await createAsset('meanwhile')).status);
    };
    const writing = Promise.all([write(), write(), write()]);
    const { code, stdout, stderr } = await runScript('backup.ts', dataDir, [join(root, 'running')]);
    isOver = true;
    await writing;
    expect([code, stderr]).to.eql([0, '']);
    expect(stdout).to.match(/up to block \d+ \(0x[0-9a-f]{64}\)/);
    expect(new Set(meanwhile)).to.eql(new Set([200]));
    const restored = join(root, 'restored-running');
    expect((await runScript('restore.ts', restored, [join(root, 'running')])).code).to.equal(0);
    const other = await startServerProcess(restored, [], { LOG_LEVEL: 'silent' });
    const { body } = await send<AssetList>(`${other.url}/svc/v2/assets?page_size=1000`, token);
    const names = new Set(body.assets.map((asset) => asset.identity));
    for (const { body: asset } of answered) expect(names.has(asset.identity)).to.equal(true);
    await other.stop('SIGTERM');
  });

  it('of a stopped server gives the same index, key by key, and the same answers', async () => {
    listed = await listEvents();
    await server!.stop('SIGTERM');
    server = undefined;
    const before = await dumpIndex(dataDir);
    expect((await runScript('backup.ts', dataDir, [join(root, 'stopped')])).code).to.equal(0);
    await rm(dataDir, { recursive: true });
    const { code, stdout } = await runScript('restore.ts', dataDir, [join(root, 'stopped')]);
    expect(code).to.equal(0);
    expect(stdout).to.match(/restored up to block \d+/);
    expect(await dumpIndex(dataDir)).to.eql(before);
    server = await startServerProcess(dataDir, [], { LOG_LEVEL: 'silent' });
    expect((await listEvents()) === listed).to.equal(true);
    expect((await download(identity)).equals(blob)).to.equal(true);
    expect((await createAsset('after')).status).to.equal(200);
  });

  it('and what is restored are closed to everybody else', async () => {
    for (const directory of [join(root, 'stopped'), dataDir]) {
      expect((await stat(directory)).mode & 0o777).to.equal(0o700);
      const keys = await readdir(join(directory, 'keys'));
      expect(keys).to.include.members(['ledger-administrator.key', 'token-signing.jwk', 'page-token.secret']);
      for (const name of keys) expect((await stat(join(directory, 'keys', name))).mode & 0o777).to.equal(0o600);
    }
  });

  const expectRefused = async (script: string, dir: string, argument: string, words: string): Promise<void> => {
    const { code, stderr } = await runScript(script, dir, [argument]);
    expect(code).to.equal(1);
    expect(stderr).to.include(words);
  };

  it('goes into no directory that holds something, and not into the ledger itself', async () => {
    await expectRefused('backup.ts', dataDir, join(root, 'stopped'), 'is not empty');
    await expectRefused('backup.ts', dataDir, join(dataDir, 'backup'), 'in the data directory');
    await expectRefused('backup.ts', join(root, 'nowhere'), join(root, 'new'), 'there is no ledger');
  });

  it('is restored into no directory that holds something', async () => {
    await expectRefused('restore.ts', dataDir, join(root, 'stopped'), 'is not empty');
  });

  const damages: [string, (copy: string) => Promise<unknown>, string][] = [
    ['has no manifest', (copy) => rm(join(copy, 'manifest.json')), 'is no backup'],
    ['has a manifest of another format', (copy) => writeFile(join(copy, 'manifest.json'), '{"format":2}'), 'not of a'],
    ['lacks a key', (copy) => rm(join(copy, 'keys', 'relayer.key')), 'lacks keys/relayer.key'],
    ['has a file too many', (copy) => writeFile(join(copy, 'keys', 'new.key'), '0x'), 'keys/new.key'],
    ['has a key that was changed', (copy) => writeFile(join(copy, 'keys', 'relayer.key'), '0x00'), 'is damaged'],
    [
      'says that it ends with another block',
      async (copy) => {
        const path = join(copy, 'manifest.json');
        const manifest = JSON.parse(await readFile(path, 'utf8'));
        await writeFile(path, JSON.stringify({ ...manifest, head: { ...manifest.head, hash: `0x${'0'.repeat(64)}` } }));
      },
      'not with that of the backup',
    ],
  ];
  for (const [title, damage, words] of damages) {
    it(`that ${title} is not restored, and nothing stays behind`, async () => {
      const copy = join(root, 'damaged');
      const target = join(root, 'target');
      await cp(join(root, 'stopped'), copy, { recursive: true });
      await damage(copy);
      await expectRefused('restore.ts', target, copy, words);
      expect(await readdir(target).catch(() => [])).to.eql([]);
      await rm(copy, { recursive: true });
    });
  }

  it('whose restore was cut off becomes no new ledger', async () => {
    const target = join(root, 'cut-off');
    await cp(join(root, 'stopped'), join(target, 'restoring'), { recursive: true });
    const { code, stderr } = await runScript('start.ts', target, [], { PORT: '0', CHAIN_RPC_PORT: '0' });
    expect(code).to.equal(1);
    expect(stderr).to.include('did not finish');
    expect(await readdir(target)).to.eql(['restoring']);
  });
});
