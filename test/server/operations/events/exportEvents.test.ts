import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { expectProblem } from '../../support/expectProblem.ts';
import { parseLines, postLines, toLines } from '../../support/lines.ts';
import { aRecord, createAnAsset, createAnEvent } from '../../support/requests.ts';
import { startTestServer, type TestServer } from '../../support/testServer.ts';

const EXPORT = '/svc/v2/events:export';

describe('exportEvents', () => {
  let server: TestServer;
  let asset: string;
  let other: string;
  const read = async (query = '') => {
    const { status, headers, body } = await server.request('GET', `${EXPORT}${query}`, { as: server.tenant.reader });
    expect(status).to.equal(200);
    expect(headers.get('content-type')).to.equal('application/x-ndjson');
    const events = parseLines(body);
    expect(headers.get('x-total-count')).to.equal(String(events.length));
    return events;
  };
  const listNewestFirst = async (uuid: string) =>
    (await server.request('GET', `/svc/v2/assets/${uuid}/events?page_size=1000`)).body.events;

  before(async () => {
    server = await startTestServer();
    asset = await createAnAsset(server);
    other = await createAnAsset(server, {}, { as: server.tenant.writer });
    const lines = Array.from({ length: 450 }, (_, at) =>
      aRecord({ asset_identity: `assets/${at % 3 === 0 ? other : asset}`, event_attributes: { text: `line\n${at}` } }),
    );
    await postLines(server, toLines(lines), { query: '?fields=identity' });
    await createAnAsset(server, {}, { as: server.otherTenant.writer });
  });
  after(async () => {
    expect(server.unexpected).to.eql([]);
    await server.close();
  });

  it('has all events of the tenant as lists show them, oldest first, on more than one page', async () => {
    const events = await read();
    expect(events).to.have.length(452);
    expect(events).to.eql((await listNewestFirst('-')).reverse());
  });

  it('has the events of one asset', async () => {
    const ofAsset = (await listNewestFirst(asset)).reverse();
    for (const name of [`assets/${asset.toUpperCase()}`, `publicassets/${asset}`, asset])
      expect(await read(`?asset_identity=${name}`)).to.eql(ofAsset);
    expect(await read(`?asset_identity=assets/${randomUUID()}`)).to.eql([]);
  });

  it('continues after an event, of all events and of those of one asset', async () => {
    const events = await read();
    for (const at of [0, 199, 200, 450, 451])
      expect(await read(`?after=${events[at].identity}`)).to.eql(events.slice(at + 1));
    const ofAsset = events.filter(({ asset_identity }) => asset_identity === `assets/${asset}`);
    expect(await read(`?asset_identity=assets/${asset}&after=${ofAsset[250].identity}`)).to.eql(ofAsset.slice(251));
  });

  it('omits events that wait for the chain, and refuses to continue after one', async () => {
    server.ledger.isChainAway = true;
    const { identity } = await createAnEvent(server, asset);
    server.ledger.isChainAway = false;
    expect(await read()).to.have.length(452);
    const answer = await server.request('GET', `${EXPORT}?after=${identity}`);
    expectProblem(answer, 400, 'REQUEST_INVALID', 'after');
  });

  it('answers HEAD with the number of lines alone', async () => {
    const { status, headers, body } = await server.request('HEAD', EXPORT);
    expect([status, headers.get('x-total-count'), body]).to.eql([200, '452', '']);
  });

  it('refuses a name of another form, and a caller without a right', async () => {
    expectProblem(await server.request('GET', `${EXPORT}?after=${asset}`), 400, 'REQUEST_INVALID', 'after');
    for (const wrong of ['x', `locations/${asset}`]) {
      const answer = await server.request('GET', `${EXPORT}?asset_identity=${wrong}`);
      expectProblem(answer, 400, 'REQUEST_INVALID', 'asset_identity');
    }
    expectProblem(
      await server.request('GET', EXPORT, { as: server.tenant.roleless }),
      403,
      'FORBIDDEN',
      'authorization',
    );
  });
});
