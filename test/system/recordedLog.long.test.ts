// A server whose checkpoints are recorded on the ledger of another server: its evidence files prove it, also after a
// kill and a restore.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { dataPaths } from '../../host/files/dataPaths.ts';
import { type ServerProcess, startServerProcess } from '../../host/lifecycle/serverProcess.ts';
import { anchorsOf } from '../support/anchoredLedger.ts';
import type { EvidenceFile } from '../support/evidenceFiles.ts';
import { runScript, startScript } from '../support/runScript.ts';
import { createTemporaryDirectory, send } from '../support/testLedger.ts';
import { until } from '../support/until.ts';

const SETTINGS = { LOG_LEVEL: 'silent', CHECKPOINT_SECONDS: '1' };

describe('a server whose checkpoints are recorded on another ledger', () => {
  let root: string;
  let remove: () => Promise<void>;
  const servers: ServerProcess[] = [];

  before(async () => {
    ({ path: root, remove } = await createTemporaryDirectory());
  });
  after(async () => {
    await Promise.all(servers.map((server) => server.stop('SIGKILL')));
    await remove();
  });

  const start = async (dataDir: string, settings: Record<string, string>): Promise<ServerProcess> => {
    const server = await startServerProcess(dataDir, [], { ...SETTINGS, ...settings });
    servers.push(server);
    return server;
  };
  const createAsset = async ({ url }: ServerProcess, dataDir: string) => {
    const token = (await runScript('token.ts', dataDir)).stdout.trim();
    const { body } = await send<{ identity: string }>(`${url}/svc/v2/assets`, token, { body: { attributes: {} } });
    return { token, identity: body.identity };
  };
  const readTrust = async (dataDir: string): Promise<EvidenceFile> =>
    JSON.parse((await runScript('logKey.ts', dataDir, ['--trust'])).stdout);

  it('proves them by its evidence files, also killed and restored', async () => {
    const [otherDir, dataDir] = [join(root, 'other'), join(root, 'data')];
    const other = await start(otherDir, {});
    const there = await createAsset(other, otherDir);
    const trustFile = join(root, 'other.trust.json');
    await writeFile(trustFile, JSON.stringify(await readTrust(otherDir)));
    await writeFile(join(root, 'token'), there.token, { mode: 0o600 });
    const settings = {
      ANCHOR_URL: `${other.url}/svc`,
      ANCHOR_ASSET: there.identity,
      ANCHOR_CREDENTIALS_FILE: join(root, 'token'),
      ANCHOR_TRUST_FILE: trustFile,
      ANCHOR_SECONDS: '1',
    };
    const server = await start(dataDir, settings);
    const here = await createAsset(server, dataDir);
    const fetchHistory = async ({ url }: ServerProcess): Promise<EvidenceFile> => {
      const headers = { authorization: `Bearer ${here.token}` };
      return (await (await fetch(`${url}/svc/v2/${here.identity}:evidence`, { headers })).json()) as EvidenceFile;
    };
    let file: EvidenceFile = {};
    await until(async () => {
      file = await fetchHistory(server);
      return file.blocks !== undefined && anchorsOf(file).length === 2;
    });
    const [evidencePath, trustPath] = [join(root, 'asset.evidence.json'), join(root, 'trust.json')];
    await writeFile(evidencePath, JSON.stringify(file));
    const trust = { ...(await readTrust(dataDir)), elsewhere: [await readTrust(otherDir)] };
    await writeFile(trustPath, JSON.stringify(trust));
    const verified = await runScript('verify.ts', dataDir, [evidencePath, '--trust', trustPath]);
    expect([verified.code, /^elsewhere +proved/m.test(verified.stdout)]).to.deep.equal([0, true]);

    await server.stop('SIGKILL');
    const again = await start(dataDir, settings);
    await until(async () => (await fetchHistory(again)).blocks !== undefined);
    expect(anchorsOf(await fetchHistory(again))[1]).to.deep.equal(anchorsOf(file)[1]);
    expect((await runScript('backup.ts', dataDir, [join(root, 'backup')])).code).to.equal(0);
    await again.stop('SIGTERM');
    const restored = join(root, 'restored');
    expect((await runScript('restore.ts', restored, [join(root, 'backup')])).code).to.equal(0);
    const [kept, copied] = [join(dataPaths(restored).log, 'elsewhere'), join(root, 'backup', 'log', 'elsewhere')];
    const [name] = await readdir(copied);
    expect(await readdir(kept)).to.deep.equal(await readdir(copied));
    expect(await readFile(join(kept, name!), 'utf8')).to.equal(await readFile(join(copied, name!), 'utf8'));
    const refused = await startScript('start.ts', dataDir, [], { ANCHOR_URL: settings.ANCHOR_URL, PORT: '0' });
    expect([refused.code, refused.stderr.includes('ANCHOR_ASSET is missing')]).to.deep.equal([1, true]);
  });
});
