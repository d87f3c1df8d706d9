// HTTPS by configuration, with certificates that the tests create.
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { connect, type PeerCertificate } from 'node:tls';
import { expect } from 'chai';
import { generate } from 'selfsigned';
import { startScript } from '../support/runScript.ts';
import { createTemporaryDirectory } from '../support/testLedger.ts';
import { startWatchedServer, type WatchedServer } from '../support/watchedServer.ts';

interface Seen {
  readonly answer: string;
  readonly protocol: string | null;
  readonly certificate: PeerCertificate;
}

describe('a server with a certificate', () => {
  let dataDir: string;
  let remove: () => Promise<void>;
  let server: WatchedServer;
  let files: { TLS_CERT_FILE: string; TLS_KEY_FILE: string };
  let trusted: string;

  const writeIdentity = async (): Promise<void> => {
    const { cert, private: key } = await generate([{ name: 'commonName', value: 'ledger.test' }], {
      extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: 'ledger.test' }] }],
    });
    await writeFile(files.TLS_CERT_FILE, cert);
    await writeFile(files.TLS_KEY_FILE, key, { mode: 0o600 });
    trusted = cert;
  };

  before(async () => {
    ({ path: dataDir, remove } = await createTemporaryDirectory());
    files = { TLS_CERT_FILE: join(dataDir, 'cert.pem'), TLS_KEY_FILE: join(dataDir, 'key.pem') };
    await writeIdentity();
    server = await startWatchedServer(dataDir, files);
  });
  after(async () => {
    await server?.stop('SIGTERM');
    await remove();
  });

  const get = (path: string, options: object = {}): Promise<Seen> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(server.url);
      const socket = connect({
        host: hostname,
        port: Number(port),
        servername: 'ledger.test',
        ca: trusted,
        ...options,
      });
      socket.once('error', reject);
      socket.once('secureConnect', async () => {
        const [protocol, certificate] = [socket.getProtocol(), socket.getPeerCertificate()];
        socket.write(`GET ${path} HTTP/1.1\r\nhost: ledger.test\r\nconnection: close\r\n\r\n`);
        resolve({ answer: await text(socket), protocol, certificate });
      });
    });

  it('answers HTTPS with its certificate, and prints an https URL', async () => {
    expect(server.url).to.match(/^https:\/\/127\.0\.0\.1:\d+$/);
    const { answer, protocol } = await get('/healthz');
    expect(answer).to.match(/^HTTP\/1.1 200 /);
    expect(protocol).to.equal('TLSv1.3');
  });

  it('accepts TLS 1.2 and no older version', async () => {
    expect((await get('/healthz', { maxVersion: 'TLSv1.2' })).protocol).to.equal('TLSv1.2');
    const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' };
    expect(await get('/healthz', old).catch((error: Error) => error)).to.be.instanceOf(Error);
  });

  it('does not answer HTTP', async () => {
    const plain = await fetch(server.url.replace('https', 'http')).catch((error: unknown) => error);
    expect(plain).to.be.instanceOf(Error);
  });

  it('presents a new certificate after SIGHUP without losing a request', async () => {
    const { certificate: first } = await get('/healthz');
    await writeIdentity();
    const before = trusted;
    process.kill(server.pid, 'SIGHUP');
    let seen = first;
    while (seen.fingerprint256 === first.fingerprint256)
      seen = (await get('/healthz', { rejectUnauthorized: false })).certificate;
    trusted = before;
    expect((await get('/healthz')).answer).to.match(/^HTTP\/1.1 200 /);
  });

  it('keeps its certificate when the new one is invalid', async () => {
    await writeFile(files.TLS_CERT_FILE, 'nonsense');
    process.kill(server.pid, 'SIGHUP');
    while (!server.output().includes('the certificate stays as it was')) await get('/healthz');
    expect((await get('/healthz')).answer).to.match(/^HTTP\/1.1 200 /);
  });

  const start = (settings: Record<string, string>) =>
    startScript('start.ts', join(dataDir, 'other'), [], { PORT: '0', CHAIN_RPC_PORT: '0', ...settings });

  it('does not start with an invalid or incomplete certificate', async () => {
    const nonsense = await start(files);
    expect(nonsense.code).to.equal(1);
    expect(nonsense.stderr).to.include(`TLS_CERT_FILE ${files.TLS_CERT_FILE}: `);
    const half = await start({ TLS_CERT_FILE: files.TLS_CERT_FILE });
    expect([half.code, half.stderr]).to.satisfy(() => half.code === 1 && half.stderr.includes('TLS_KEY_FILE'));
    const none = await start({ ...files, TLS_CERT_FILE: join(dataDir, 'none') });
    expect(none.code).to.equal(1);
    expect(none.stderr).to.include(`TLS_CERT_FILE ${join(dataDir, 'none')}: `);
  });

  it('does not start with an invalid key or the key of another certificate', async () => {
    await writeIdentity();
    const key = await readFile(files.TLS_KEY_FILE);
    await writeFile(files.TLS_KEY_FILE, 'nonsense');
    expect((await start(files)).stderr).to.include(`TLS_KEY_FILE ${files.TLS_KEY_FILE}: `);
    await writeIdentity();
    await writeFile(files.TLS_KEY_FILE, key);
    expect((await start(files)).stderr).to.include(`and TLS_KEY_FILE ${files.TLS_KEY_FILE}: `);
  });

  it('does not start with a key that other users can read', async () => {
    await writeIdentity();
    await chmod(files.TLS_KEY_FILE, 0o640);
    const { code, stderr } = await start(files);
    expect(code).to.equal(1);
    expect(stderr).to.include(`chmod 600 ${files.TLS_KEY_FILE}`);
  });
});
