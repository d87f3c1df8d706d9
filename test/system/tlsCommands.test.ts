// The operator's commands on a server with a certificate that this machine doesn't trust, and of another name.
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { generate } from 'selfsigned';
import { dataPaths } from '../../host/files/dataPaths.ts';
import { EXPORT_FILES } from '../../host/import/importFile.ts';
import { type ServerProcess, startServerProcess } from '../../host/lifecycle/serverProcess.ts';
import { findServer, type RunningServer } from '../../host/operator/controlClient.ts';
import { listenForControl } from '../../host/operator/controlServer.ts';
import { useDirectories } from '../support/directories.ts';
import { type CommandScript, runScript } from '../support/runScript.ts';

const writeIdentity = async (directory: string) => {
  const files = { TLS_CERT_FILE: join(directory, 'cert.pem'), TLS_KEY_FILE: join(directory, 'key.pem') };
  const { cert, private: key } = await generate([{ name: 'commonName', value: 'ledger.test' }], {
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'ledger.test' }] }],
  });
  await writeFile(files.TLS_CERT_FILE, cert);
  await writeFile(files.TLS_KEY_FILE, key, { mode: 0o600 });
  return files;
};

describe("an operator's commands on a server with a certificate", () => {
  const createDirectory = useDirectories();
  let root: string;
  let dataDir: string;
  let server: ServerProcess | undefined;
  let running: RunningServer;
  let asset: string;
  before(async () => {
    root = await createDirectory();
    dataDir = join(root, 'data');
    server = await startServerProcess(dataDir, [], { LOG_LEVEL: 'silent', ...(await writeIdentity(root)) });
    running = await findServer(dataDir);
    asset = await createAsset();
  });
  after(async () => {
    await server?.stop('SIGKILL');
  });

  const authorize = async (role: string): Promise<Record<string, string>> => {
    const { stdout } = await runScript('token.ts', dataDir, ['--role', role]);
    return { authorization: `Bearer ${stdout.trim()}` };
  };
  const createAsset = async (): Promise<string> => {
    const headers = await authorize('writer');
    const form = new FormData();
    form.set('file', new Blob(['content']), 'a.txt');
    const uploaded = await running.fetch(`${running.url}/svc/v1/blobs`, { method: 'POST', headers, body: form });
    const { identity, hash } = (await uploaded.json()) as { identity: string; hash: { value: string } };
    const attachment = {
      arc_attribute_type: 'arc_attachment',
      arc_blob_identity: identity,
      arc_blob_hash_value: hash.value,
      arc_blob_hash_alg: 'SHA256',
    };
    const created = await running.fetch(`${running.url}/svc/v2/assets`, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify({ attributes: { paper: attachment } }),
    });
    expect(created.status).to.equal(200);
    return ((await created.json()) as { identity: string }).identity;
  };
  const run = async (script: CommandScript, ...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await runScript(script, dataDir, args);
    expect(code, stderr).to.equal(0);
    return stdout;
  };

  it('reach it without its certificate: evidence, export, import and demo', async () => {
    expect(running.url).to.match(/^https:/);
    expect(JSON.parse(await run('evidence.ts', asset))).to.have.property('format');
    const list = join(root, 'list.json');
    const tenant = (await (
      await running.fetch(`${running.url}/svc/v2/${asset}`, { headers: await authorize('reader') })
    ).json()) as { tenant_identity: string };
    await run('evidence.ts', tenant.tenant_identity, '--out', list);
    const all = join(root, 'all');
    await run('export.ts', '--all', all);
    expect(await readdir(join(all, EXPORT_FILES))).to.have.length(1);
    await run('import.ts', all);
    expect(await run('demo.ts', '--assets', '8', '--events', '150')).to.include('Not compliant now');
  });

  it('are sent through a socket that only the owner of the data directory can open', async () => {
    const { control, apiSocket } = dataPaths(dataDir);
    expect((await stat(control)).mode & 0o777).to.equal(0o700);
    expect((await stat(apiSocket)).isSocket()).to.equal(true);
  });

  it('need a token there, too', async () => {
    expect((await running.fetch(`${running.url}/svc/v2/${asset}`)).status).to.equal(401);
  });

  it('say what to do about a server of an earlier version, which has no such socket', async () => {
    const earlier = await createDirectory();
    const info = async () => ({ url: running.url, rpcUrl: running.rpcUrl, contract: running.contract, chainId: 1 });
    const token = async () => ({ token: 'x' });
    const close = await listenForControl(dataPaths(earlier).controlSocket, { info, token });
    const { code, stderr } = await runScript('evidence.ts', earlier, [asset]);
    await close();
    expect(code).to.equal(1);
    expect(stderr).to.match(/DEPTH_ZERO_SELF_SIGNED_CERT; .*restart it/);
  });

  it('find no file of a socket after the server has ended', async () => {
    await server!.stop('SIGTERM');
    server = undefined;
    expect(await readdir(dataPaths(dataDir).control)).to.deep.equal([]);
    expect((await runScript('evidence.ts', dataDir, [asset])).stderr).to.include('npm start');
    expect(await readFile(join(root, 'list.json'), 'utf8')).to.include('provenance-ledger/evidence');
  });
});
