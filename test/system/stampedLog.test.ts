// A server whose checkpoints are stamped: its evidence files prove the time, and the time stamp is in a backup.
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect } from 'chai';
import { dataPaths } from '../../host/files/dataPaths.ts';
import { type ServerProcess, startServerProcess } from '../../host/lifecycle/serverProcess.ts';
import { skipWithoutPrograms } from '../support/missing.ts';
import { runScript, startScript } from '../support/runScript.ts';
import { createTemporaryDirectory, send } from '../support/testLedger.ts';
import { createTimestampAuthority } from '../support/timestampAuthority.ts';
import { until } from '../support/until.ts';

interface StampedFile {
  readonly blocks: readonly { readonly anchors: readonly { readonly rfc3161?: readonly string[] }[] }[];
}

describe('a server whose checkpoints are stamped', () => {
  let root: string;
  let remove: () => Promise<void>;
  let server: ServerProcess | undefined;
  let answer: (query: Uint8Array) => Promise<Uint8Array>;
  const authority = createServer(async (request, response) => {
    response.end(await answer(Buffer.concat(await request.toArray())));
  });

  before(async () => {
    ({ path: root, remove } = await createTemporaryDirectory());
    authority.listen(0, '127.0.0.1');
    await once(authority, 'listening');
  });
  after(async () => {
    await server?.stop('SIGKILL');
    authority.close();
    authority.closeAllConnections();
    await remove();
  });

  it('proves by its evidence files when a block existed, also restored', async function () {
    skipWithoutPrograms(this, 'openssl');
    const { answer: reply, allFile } = await createTimestampAuthority(root);
    answer = reply;
    const dataDir = join(root, 'data');
    const { port } = authority.address() as { port: number };
    const settings = { LOG_LEVEL: 'silent', CHECKPOINT_SECONDS: '1', TSA_CA_FILE: allFile };
    server = await startServerProcess(dataDir, [], { ...settings, TSA_URL: `http://127.0.0.1:${port}/` });
    const token = (await runScript('token.ts', dataDir)).stdout.trim();
    const { body } = await send<{ identity: string }>(`${server.url}/svc/v2/assets`, token, {
      body: { attributes: {} },
    });
    const path = `${server.url}/svc/v2/${body.identity}`;
    let file: StampedFile | undefined;
    await until(async () => {
      const response = await fetch(`${path}:evidence`, { headers: { authorization: `Bearer ${token}` } });
      file = response.status === 200 ? ((await response.json()) as StampedFile) : undefined;
      return file?.blocks[0]?.anchors[0]?.rfc3161 !== undefined;
    });
    const trust = JSON.parse((await runScript('logKey.ts', dataDir, ['--trust'])).stdout);
    const [evidencePath, trustPath] = [join(root, 'asset.evidence.json'), join(root, 'trust.json')];
    await writeFile(evidencePath, JSON.stringify(file));
    await writeFile(trustPath, JSON.stringify({ ...trust, tsa_ca_file: allFile }));
    const verified = await runScript('verify.ts', dataDir, [evidencePath, '--trust', trustPath]);
    expect([verified.code, /^time +proved/m.test(verified.stdout)]).to.deep.equal([0, true]);
    expect((await runScript('backup.ts', dataDir, [join(root, 'backup')])).code).to.equal(0);
    await server.stop('SIGTERM');
    server = undefined;
    const restored = join(root, 'restored');
    expect((await runScript('restore.ts', restored, [join(root, 'backup')])).code).to.equal(0);
    const stamp = await readFile(join(dataPaths(restored).log, 'timestamp'));
    expect(stamp).to.deep.equal(await readFile(join(root, 'backup', 'log', 'timestamp')));
    const refused = await startScript('start.ts', dataDir, [], { TSA_URL: `http://127.0.0.1:${port}/`, PORT: '0' });
    expect([refused.code, refused.stderr.includes('TSA_CA_FILE is missing')]).to.deep.equal([1, true]);
  });
});
