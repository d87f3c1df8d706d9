// What npm run evidence asks of a server whose checkpoints take longer than a request.
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { dataPaths } from '../../../host/files/dataPaths.ts';
import { listenForControl } from '../../../host/operator/controlServer.ts';
import { runScript } from '../../support/runScript.ts';
import { createTemporaryDirectory } from '../../support/testLedger.ts';

const ASSET = 'assets/00000000-0000-4000-8000-000000000001';
const POLICY = '00000000-0000-4000-8000-000000000002';
const AT = '2026-11-23T01:02:03Z';
const PENDING_ANSWERS = 2;

describe('npm run evidence of a verdict that no checkpoint covers yet', () => {
  let dataDir: string;
  let server: Server;
  let asked: URL[];
  const closing: (() => Promise<void>)[] = [];

  beforeEach(async () => {
    const { path, remove } = await createTemporaryDirectory();
    closing.push(remove);
    dataDir = path;
    asked = [];
    server = createServer(({ url }, response) => {
      asked.push(new URL(url!, 'http://server'));
      const status = asked.length > PENDING_ANSWERS ? 404 : 503;
      response.writeHead(status, { 'retry-after': '0' }).end('{}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closing.push(() => new Promise((resolve) => server.close(() => resolve())));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const commands = { info: async () => ({ url }), token: async () => ({ token: 'a token' }) };
    closing.push(await listenForControl(dataPaths(dataDir).controlSocket, commands));
  });
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  const askedTimes = async (...args: string[]): Promise<(string | null)[]> => {
    expect((await runScript('evidence.ts', dataDir, [ASSET, '--policy', POLICY, ...args])).code).to.equal(1);
    expect(asked).to.have.length(PENDING_ANSWERS + 1);
    return [...new Set(asked.map(({ searchParams }) => searchParams.get('compliant_at')))];
  };

  it('asks again about the time of its start', async () => {
    const startMs = Date.now();
    const times = await askedTimes();
    expect(times).to.have.length(1);
    expect(Date.parse(times[0]!)).to.be.within(startMs, Date.now());
  });

  it('asks again about the time that is given', async () => {
    expect(await askedTimes('--at', AT)).to.deep.equal([AT]);
  });
});
