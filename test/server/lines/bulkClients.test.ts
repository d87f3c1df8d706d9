// Clients of `events:bulk` that vanish, don't read, or are interrupted by the server.
import { getEventListeners, once } from 'node:events';
import { type ClientRequest, request } from 'node:http';
import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { isAwaited } from '../../../server/http/bodyPace.ts';
import { until } from '../../support/until.ts';
import { type ArrivedRequest, useArrivedRequests } from '../support/arrivedRequests.ts';
import { type LineClient, openLineClient } from '../support/lineClient.ts';
import { LINES_TYPE, postLines, toLines } from '../support/lines.ts';
import { useListeners } from '../support/listeners.ts';
import { aRecord, createAnAsset } from '../support/requests.ts';
import { useSweeps } from '../support/sweeps.ts';
import { startTestServer, type TestServer } from '../support/testServer.ts';

const LONG = 'x'.repeat(4_000);
const TURNS = 500;

describe('clients of events:bulk', () => {
  const stopping = new AbortController();
  let server: TestServer;
  let asset: string;
  const aLine = (n: number, text = '') =>
    aRecord({ asset_identity: `assets/${asset}`, idempotency_key: `key-${n}`, event_attributes: { text, n: `${n}` } });
  const countRecords = (): number => server.ledger.records.length;

  before(async () => {
    server = await startTestServer({ stopping: stopping.signal });
    asset = await createAnAsset(server);
  });
  after(async () => {
    expect(server.unexpected).to.eql([]);
    await server.close();
  });

  it('that send byte by byte get the same answers', async () => {
    const before = countRecords();
    const client = await openLineClient(server);
    for (const character of toLines([aLine(1), aLine(2)])) client.write(character);
    client.sent.end();
    expect([(await client.read()).line, (await client.read()).line]).to.eql([1, 2]);
    expect(await client.read()).to.equal(undefined);
    expect(countRecords()).to.equal(before + 2);
  });

  it('that vanish leave what was answered, and nothing else is recorded later', async () => {
    const before = countRecords();
    const client = await openLineClient(server);
    client.write(toLines([aLine(10)]));
    expect((await client.read()).status).to.equal(200);
    client.write('{"asset_identity":');
    client.sent.destroy();
    await once(client.sent, 'close');
    const [again] = await postLines(server, toLines([aLine(10)]));
    expect(again.status).to.equal(200);
    expect(countRecords()).to.equal(before + 1);
  });

  it('get answers to the lines in flight and an error line when the server stops', async () => {
    const client = await openLineClient(server);
    client.write(toLines([aLine(20)]));
    expect((await client.read()).status).to.equal(200);
    stopping.abort();
    expect(await client.read()).to.deep.include({ line: 2, status: 503 });
    expect(await client.read()).to.equal(undefined);
  });
});

describe('a client of events:bulk that vanishes before its token is verified', () => {
  const { server, listenWith } = useListeners();

  // Resolves when the server has closed the request, which it authenticates then.
  const vanishEarly = async (stopping: AbortSignal, send: (sent: ClientRequest) => unknown): Promise<TestServer> => {
    const { tokens } = server().deps;
    const arrived = Promise.withResolvers<void>();
    const closed = Promise.withResolvers<void>();
    const verify = async (token: string) => {
      arrived.resolve();
      await closed.promise;
      return tokens.verify(token);
    };
    const parts = { stopping, tokens: { ...tokens, verify }, onAnswered: () => closed.resolve() };
    const listener = await listenWith({ parts });
    const { token } = await tokens.issue(server().tenant.writer);
    const headers = { ...LINES_TYPE, authorization: `Bearer ${token}` };
    const sent = request(`${listener.url}/svc/v2/events:bulk`, { method: 'POST', headers });
    send(sent.on('error', () => undefined));
    await arrived.promise;
    sent.destroy();
    await closed.promise;
    return listener;
  };

  const bodies: [string, (sent: ClientRequest) => unknown][] = [
    ['in its body', (sent) => sent.write('{"asset_identity":')],
    ['after its body', (sent) => sent.end('{}\n')],
  ];
  for (const [title, send] of bodies) {
    it(`leaves nothing that waits for the rest, ${title}`, async () => {
      const { signal } = new AbortController();
      const client = await openLineClient(await vanishEarly(signal, send));
      client.sent.end();
      expect(await client.read()).to.equal(undefined);
      await until(() => getEventListeners(signal, 'abort').length === 0);
      expect(server().unexpected).to.eql([]);
    });
  }
});

describe('a client of events:bulk that sends events as they occur', () => {
  const { server, listenWith } = useListeners();
  const pass = useSweeps();
  const arrived = useArrivedRequests();
  const aLine = (asset: string) => toLines([aRecord({ asset_identity: `assets/${asset}` })]);

  it('may send slowly for any time', async () => {
    const strict = await listenWith({ timeouts: { graceMs: 500, bytesPerSecondMin: 10 ** 9, sweepMs: 10 } });
    const asset = await createAnAsset(server());
    const client = await openLineClient(strict);
    const { request: seen } = arrived().at(-1)!;
    for (let line = 1; line <= 4; line += 1) {
      await until(() => isAwaited(seen));
      pass(5_000);
      client.write(aLine(asset));
      expect(await client.read()).to.deep.include({ line, status: 200 });
    }
    client.sent.end();
    expect(await client.read()).to.equal(undefined);
  });

  it('gets an error line when it sends nothing for too long', async () => {
    const strict = await listenWith({ timeouts: { bodySilenceMs: 500, sweepMs: 10 } });
    const asset = await createAnAsset(server());
    const client = await openLineClient(strict);
    client.write(aLine(asset));
    expect(await client.read()).to.deep.include({ line: 1, status: 200 });
    const { request: seen } = arrived().at(-1)!;
    await until(() => isAwaited(seen));
    // One look more finds that nothing arrived since the last one.
    pass(520);
    expect(await client.read()).to.deep.include({ line: 2, status: 408 });
    expect(await client.read()).to.equal(undefined);
  });
});

describe('a client of events:bulk that stops reading its answers', () => {
  const { server, listenWith } = useListeners();
  const arrived = useArrivedRequests();
  const LINES = 20_000;
  const limits = { bulkLinesMax: LINES };
  const countRecords = (): number => server().ledger.records.length;
  const toLine = (asset: string, n: number) =>
    aRecord({ asset_identity: `assets/${asset}`, idempotency_key: `${n}`, event_attributes: { text: LONG } });

  // Sends until the connection is closed; resolves with the number of lines. Their answers don't fit into the buffers
  // between the server and the client.
  const sendUntilClosed = async ({ sent, response }: LineClient, asset: string): Promise<number> => {
    response.on('error', () => undefined).pause();
    const closed = new Promise<false>((resolve) => sent.once('close', () => resolve(false)));
    const isDrained = () => new Promise<true>((resolve) => sent.once('drain', () => resolve(true)));
    for (let count = 1; count <= LINES; count += 1) {
      const isOpen = sent.write(toLines([toLine(asset, count)])) || (await Promise.race([closed, isDrained()]));
      if (!isOpen) return count;
    }
    await closed;
    return LINES;
  };

  // Whether nothing moves, in either direction, while the event loop turns many times: everything is in this process.
  const isStuck = async ({ sent }: LineClient, { request, response }: ArrivedRequest): Promise<boolean> => {
    const isFull = () => response.writableNeedDrain && sent.writableNeedDrain;
    const toBytes = () => `${request.socket.bytesRead} ${response.socket?.bytesWritten} ${countRecords()}`;
    const before = toBytes();
    for (let turns = 0; turns < TURNS; turns += 1) {
      await turn();
      if (!isFull() || toBytes() !== before) return false;
    }
    return true;
  };

  it('is not read from', async () => {
    const patient = await listenWith({ limits });
    const asset = await createAnAsset(patient);
    const client = await openLineClient(patient);
    const before = countRecords();
    const closed = sendUntilClosed(client, asset);
    await until(() => isStuck(client, arrived().at(-1)!));
    const recorded = countRecords() - before;
    client.sent.destroy();
    // Sockets hold some MiB in each direction.
    expect(await closed).to.be.lessThan(LINES / 2);
    expect(recorded).to.be.within(1, 4_999);
  });

  it('is disconnected after the timeout, and what it sent is recorded once', async () => {
    const impatient = await listenWith({ limits, timeouts: { idleMs: 1_000 } });
    const asset = await createAnAsset(server());
    const before = countRecords();
    const sent = await sendUntilClosed(await openLineClient(impatient), asset);
    expect(sent).to.be.lessThan(LINES);
    await server().ledger.writer.flush();
    const recorded = countRecords() - before;
    expect(recorded).to.be.within(1, sent);
    for (let n = 1; n <= recorded; n += 500) {
      const count = Math.min(500, recorded - n + 1);
      const lines = Array.from({ length: count }, (_, at) => toLine(asset, n + at));
      const again = await postLines(server(), toLines(lines), { query: '?fields=identity' });
      expect(again.map(({ status }) => status)).to.eql(Array(count).fill(200));
    }
    expect(countRecords()).to.equal(before + recorded);
    expect(impatient.unexpected).to.eql([]);
  });
});
