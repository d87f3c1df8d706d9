// The block log of a real server: served as static files, the same log after kills, a backup and a restore.
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { dataPaths } from '../../host/files/dataPaths.ts';
import { type ServerProcess, startServerProcess } from '../../host/lifecycle/serverProcess.ts';
import { toHex } from '../../ledger/encoding/hex.ts';
import { decodeCheckpoint } from '../../ledger/evidence/checkpoint.ts';
import { hashLeaf, toRoot } from '../../ledger/evidence/merkleTree.ts';
import { decodeSignedNote } from '../../ledger/evidence/signedNote.ts';
import { decodeEntryBundle, encodeTilePath } from '../../ledger/evidence/tiles.ts';
import { runScript, startScript, toProblems } from '../support/runScript.ts';
import { createTemporaryDirectory, send } from '../support/testLedger.ts';
import { until } from '../support/until.ts';

describe('the block log of a server', () => {
  let root: string;
  let dataDir: string;
  let remove: () => Promise<void>;
  let server: ServerProcess | undefined;
  let token: string;
  const shown: { size: number; root: string }[] = [];

  const start = async (settings: Readonly<Record<string, string>> = {}, directory = dataDir): Promise<void> => {
    server = await startServerProcess(directory, [], { LOG_LEVEL: 'silent', CHECKPOINT_SECONDS: '1', ...settings });
  };
  const stop = async (signal: NodeJS.Signals): Promise<void> => {
    await server?.stop(signal);
    server = undefined;
  };
  before(async () => {
    ({ path: root, remove } = await createTemporaryDirectory());
    dataDir = join(root, 'data');
    await start();
    token = (await runScript('token.ts', dataDir)).stdout.trim();
  });
  after(async () => {
    await stop('SIGKILL');
    await remove();
  });

  const get = (path: string): Promise<Response> => fetch(`${server!.url}/${path}`);
  const fetchHead = async () => {
    const response = await get('checkpoint');
    if (response.status === 404) return undefined;
    const { origin, size, root } = decodeCheckpoint(decodeSignedNote(await response.text()).text);
    return { origin, size, root: toHex(root) };
  };
  const createAsset = async (): Promise<number> => {
    const created = await send<{ identity: string }>(`${server!.url}/svc/v2/assets`, token, {
      body: { attributes: {} },
    });
    const path = `${server!.url}/svc/v2/${created.body.identity}/events`;
    const { body } = await send<{ events: readonly { block_number: number }[] }>(path, token);
    return body.events[0]!.block_number;
  };
  const fetchEntries = async (size: number): Promise<Uint8Array[]> => {
    const response = await get(encodeTilePath({ level: 'entries', index: 0, width: size }));
    return decodeEntryBundle(new Uint8Array(await response.arrayBuffer()), size);
  };
  // Every checkpoint that was shown before is one of the beginning of this log.
  const expectContinued = async (block: number): Promise<void> => {
    await until(async () => ((await fetchHead())?.size ?? 0) > block);
    const head = (await fetchHead())!;
    shown.push(head);
    const entries = await fetchEntries(head.size);
    for (const { size, root } of shown)
      expect(toHex(toRoot(entries.slice(0, size).map((entry) => hashLeaf(entry))))).to.equal(root);
  };

  it('covers each record soon, is served without a token, and may be cached', async () => {
    await expectContinued(await createAsset());
    const checkpoint = await get('checkpoint');
    expect(checkpoint.headers.get('content-type')).to.equal('text/plain; charset=utf-8');
    expect(checkpoint.headers.get('cache-control')).to.equal('no-cache');
    const { size } = (await fetchHead())!;
    const tile = await get(encodeTilePath({ level: 0, index: 0, width: size }));
    expect(tile.headers.get('content-type')).to.equal('application/octet-stream');
    expect(tile.headers.get('cache-control')).to.equal('public, max-age=31536000, immutable');
    expect((await tile.arrayBuffer()).byteLength).to.equal(32 * size);
  });

  it('answers 404 for what it does not have, and no file outside of the log', async () => {
    const paths = ['tile', 'tile/', 'tile/0/000', 'tile/0/001.p/1', 'tile/0/00', 'tile/64/000', 'tile/0/000.p/256'];
    for (const path of [
      ...paths,
      'tile/0/..%2f..%2fcheckpoint',
      'tile/0/%2e%2e/log.json',
      `tile/0/${'x001/'.repeat(50)}001`,
    ])
      expect([path, (await get(path)).status]).to.deep.equal([path, 404]);
  });

  it('continues after kills and restarts', async () => {
    for (const signal of ['SIGKILL', 'SIGTERM', 'SIGKILL'] as const) {
      const block = await createAsset();
      await stop(signal);
      await start();
      await expectContinued(block);
    }
  });

  it('continues from a backup of the running server', async () => {
    const block = await createAsset();
    await expectContinued(block);
    const run = await runScript('backup.ts', dataDir, [join(root, 'backup')]);
    expect([run.code, toProblems(run)]).to.deep.equal([0, '']);
    await stop('SIGTERM');
    await rename(dataDir, `${dataDir}.old`);
    const restored = await runScript('restore.ts', dataDir, [join(root, 'backup')]);
    expect([restored.code, toProblems(restored)]).to.deep.equal([0, '']);
    expect(restored.stdout).to.include('--new-log');
    await start();
    await expectContinued(await createAsset());
    await stop('SIGTERM');
  });

  it('is in a backup of a stopped server, complete', async () => {
    expect((await runScript('backup.ts', dataDir, [join(root, 'stopped')])).code).to.equal(0);
    const [own, copied] = [dataPaths(dataDir).log, join(root, 'stopped', 'log')];
    expect(await readFile(join(copied, 'checkpoint'))).to.deep.equal(await readFile(join(own, 'checkpoint')));
    const names = await readdir(copied, { recursive: true });
    expect(names).to.include.members(['log.json', 'tile/0', 'tile/entries']);
  });

  it('begins again with the next name, if a restore is requested to', async () => {
    const { origin } = JSON.parse(await readFile(join(dataPaths(dataDir).log, 'log.json'), 'utf8'));
    const target = join(root, 'next');
    const run = await runScript('restore.ts', target, [join(root, 'stopped'), '--new-log']);
    expect([run.code, toProblems(run)]).to.deep.equal([0, '']);
    const { previous } = JSON.parse(await readFile(join(dataPaths(target).log, 'log.json'), 'utf8'));
    const end = await readFile(join(root, 'stopped', 'log', 'checkpoint'), 'utf8');
    const { size } = decodeCheckpoint(decodeSignedNote(end).text);
    const [stopped, next] = [join(root, 'stopped', 'log'), dataPaths(target).log];
    expect(await readFile(join(next, 'account.json'))).to.deep.equal(await readFile(join(stopped, 'account.json')));
    expect([previous.origin, previous.size]).to.deep.equal([origin, size]);
    await start({}, target);
    await until(async () => (await fetchHead()) !== undefined);
    expect((await fetchHead())!.origin).to.equal(`${origin}/2`);
    await stop('SIGTERM');
  });

  it('refuses the start when it is damaged, and a restore of it', async () => {
    const path = join(dataPaths(dataDir).log, 'checkpoint');
    const note = await readFile(path, 'utf8');
    await writeFile(path, note.replace('\n', '0\n'));
    const run = await startScript('start.ts', dataDir, [], { PORT: '0', CHAIN_RPC_PORT: '0' });
    expect([run.code, run.stderr]).to.satisfy(
      ([code, text]: [number, string]) => code !== 0 && text.includes('log/checkpoint'),
    );
    await writeFile(path, note);
    const damaged = join(root, 'stopped', 'log', 'checkpoint');
    await writeFile(damaged, note.replace('\n', '0\n'));
    await mkdir(join(root, 'refused'));
    expect((await runScript('restore.ts', join(root, 'refused'), [join(root, 'stopped')])).code).to.equal(1);
  });

  it('is not written with CHECKPOINT_SECONDS=0', async () => {
    const target = join(root, 'none');
    await start({ CHECKPOINT_SECONDS: '0' }, target);
    expect((await get('checkpoint')).status).to.equal(404);
    expect(await readdir(target)).not.to.include('log');
  });
});
