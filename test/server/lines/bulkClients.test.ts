// Clients of `events:bulk` that vanish, don't read, or are interrupted by the server.
import { once } from 'node:events';
import { expect } from 'chai';
import { until } from '../../support/until.ts';
import { openLineClient } from '../support/lineClient.ts';
import { postLines, toLines } from '../support/lines.ts';
import { aRecord, createAnAsset } from '../support/requests.ts';
import { startTestServer, type TestServer } from '../support/testServer.ts';

const LONG = 'x'.repeat(4_000);

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

  it('that do not read are not read from', async () => {
    const client = await openLineClient(server);
    client.response.pause();
    const before = countRecords();
    let sent = 0;
    const fill = async (): Promise<void> => {
      while (sent < 20_000) {
        const isFree = client.sent.write(
          toLines(Array.from({ length: 50 }, (_, at) => aLine(100_000 + sent + at, LONG))),
        );
        sent += 50;
        if (!isFree) await new Promise((resolve) => client.sent.once('drain', resolve));
      }
    };
    void fill();
    let last = -1;
    await until(async () => {
      const now = countRecords();
      const isStill = now > before && now === last;
      last = now;
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      return isStill;
    });
    // Sockets hold some MiB in each direction.
    expect(last - before).to.be.lessThan(5_000);
    client.sent.destroy();
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
