// No client ends a process by cutting its connection: on every port, at any byte, also while the server starts and
// stops.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { generate } from 'selfsigned';
import { dataPaths } from '../../host/files/dataPaths.ts';
import { CUT_REQUESTS, type CutPort, cutConnections, recordClientHello } from '../support/cutConnections.ts';
import { useDirectories } from '../support/directories.ts';
import { findFreePort } from '../support/externalNode.ts';
import { runScript } from '../support/runScript.ts';
import { startWatchedServer, type WatchedServer } from '../support/watchedServer.ts';
import { startWitnessProcess } from '../support/witnessProcess.ts';

const SEED = 43;
const START = fileURLToPath(new URL('../../scripts/start.ts', import.meta.url));

const toPort = (url: string, isTls = false): CutPort => ({
  address: { host: '127.0.0.1', port: Number(new URL(url).port) },
  isTls,
});

const toRequest = (head: string, headers: readonly string[], body: string, length = body.length): Uint8Array =>
  Buffer.from([head, 'host: a', ...headers, `content-length: ${length}`, '', body].join('\r\n'));

// With a token: what reads bodies, files and streams.
const toApiRequests = (token: string): readonly Uint8Array[] => {
  const authorization = `authorization: Bearer ${token}`;
  const get = (path: string) => Buffer.from(`GET ${path} HTTP/1.1\r\nhost: a\r\n${authorization}\r\n\r\n`);
  const post = (path: string, type: string, body: string, length?: number) =>
    toRequest(`POST ${path} HTTP/1.1`, [authorization, `content-type: ${type}`], body, length);
  const form = 'multipart/form-data; boundary=b';
  const file = `--b\r\ncontent-disposition: form-data; name="file"; filename="x"\r\n\r\n${'x'.repeat(9_000)}`;
  return [
    ...['/svc/v2/assets', '/svc/v2/events:export', '/svc/v2/assets/-/events:stream', '/docs/swagger-ui-bundle.js'].map(
      get,
    ),
    post('/svc/v2/assets', 'application/json', '{"attributes":{"a":"b"}}'),
    post('/svc/v1/blobs', form, `${file}\r\n--b--\r\n`),
    post('/svc/v1/blobs', form, file, 1_000_000),
    post('/svc/v2/events:bulk', 'application/x-ndjson', '{"asset_identity":"assets/x"}\n'.repeat(40), 100_000),
    post('/rpc', 'application/json', '{"jsonrpc":"2.0","id":1,"method":"eth_blockNumber","params":[]}'),
  ];
};

describe('a process whose clients cut their connections', () => {
  const createDirectory = useDirectories();
  const servers: WatchedServer[] = [];
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.stop('SIGKILL')));
  });

  const start = async (dataDir: string, settings: Readonly<Record<string, string>>): Promise<WatchedServer> => {
    const limits = { PUBLIC_RATE_LIMIT_PER_SECOND: '0', RATE_LIMIT_PER_SECOND: '0', LOG_LEVEL: 'silent' };
    const server = await startWatchedServer(dataDir, { ...limits, ...settings });
    servers.push(server);
    return server;
  };

  it('goes on, on all ports of a server, and stops in order while they are cut', async () => {
    const dataDir = await createDirectory();
    const server = await start(dataDir, { METRICS_PORT: '0' });
    const [, metrics] = /^metrics at (\S+)$/m.exec(server.output())!;
    const [, rpc] = /JSON-RPC at (\S+)/.exec(server.output())!;
    const token = (await runScript('token.ts', dataDir)).stdout.trim();
    const requests = [...CUT_REQUESTS, await recordClientHello()];
    const api = [...requests, ...toApiRequests(token)];
    const control: CutPort = { address: { path: dataPaths(dataDir).controlSocket }, isTls: false };
    await cutConnections(toPort(server.url), api, { count: 350, seed: SEED });
    for (const port of [toPort(rpc!), toPort(metrics!), control])
      await cutConnections(port, requests, { count: 120, seed: SEED });
    expect((await fetch(`${server.url}/readyz`)).status).to.equal(200);
    const cutting = cutConnections(toPort(server.url), api, { count: 200, seed: SEED + 1 });
    const code = await server.stop('SIGTERM');
    await cutting;
    expect({ code, output: server.output() }).to.deep.include({ code: 0 });
  });

  it('goes on with TLS, whether they speak it or not', async () => {
    const dataDir = await createDirectory();
    const files = { TLS_CERT_FILE: join(dataDir, 'cert.pem'), TLS_KEY_FILE: join(dataDir, 'key.pem') };
    const { cert, private: key } = await generate([{ name: 'commonName', value: 'ledger.test' }]);
    await writeFile(files.TLS_CERT_FILE, cert);
    await writeFile(files.TLS_KEY_FILE, key, { mode: 0o600 });
    const server = await start(dataDir, files);
    const hello = await recordClientHello();
    await cutConnections(toPort(server.url), [hello, ...CUT_REQUESTS], { count: 200, seed: SEED });
    await cutConnections(toPort(server.url, true), CUT_REQUESTS, { count: 150, seed: SEED });
    expect({ code: await server.stop('SIGTERM'), output: server.output() }).to.deep.include({ code: 0 });
  });

  it('starts while they are cut', async () => {
    const port = `${await findFreePort()}`;
    const env = {
      ...process.env,
      DATA_DIR: await createDirectory(),
      PORT: port,
      HOST: '127.0.0.1',
      CHAIN_RPC_PORT: '0',
    };
    const child = spawn(process.execPath, [START], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    const exited = once(child, 'exit');
    const output: string[] = [];
    child.stdout.on('data', (chunk) => output.push(String(chunk)));
    const isListening = () => output.join('').includes('listening on');
    for (let seed = SEED; !isListening() && child.exitCode === null; seed += 1)
      await cutConnections(toPort(`http://127.0.0.1:${port}`), CUT_REQUESTS, { count: 20, seed });
    child.kill('SIGTERM');
    expect(await exited).to.deep.equal([0, null]);
  });

  it('goes on as a witness', async () => {
    const witness = await startWitnessProcess(await createDirectory(), [], { requestsPerSecond: 0 });
    const submission = toRequest('POST /add-checkpoint HTTP/1.1', ['content-type: text/plain'], 'old 0\n\nx\n0\n');
    const requests = [...CUT_REQUESTS, submission, await recordClientHello()];
    await cutConnections(toPort(witness.url), requests, { count: 150, seed: SEED });
    expect((await fetch(witness.url)).status).to.equal(200);
    expect(await witness.stop('SIGTERM')).to.equal(0);
  });
});
