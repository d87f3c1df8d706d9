import { expect } from 'chai';
import { expectProblem } from '../../support/expectProblem.ts';
import { createAnAsset, createAnEvent } from '../../support/requests.ts';
import { LIMITS } from '../../support/testServer.ts';
import { useServer } from '../../support/useServer.ts';

describe('GET v2/assets/{asset_uuid}/events', () => {
  const server = useServer();
  let assetUuid: string;
  let newestFirst: string[];
  const EVENTS = 8;

  before(async () => {
    assetUuid = await createAnAsset(server);
    for (let made = 1; made < EVENTS; made += 1) await createAnEvent(server, assetUuid);
    newestFirst = server.ledger.records.map(({ identity }) => identity).reverse();
    await createAnAsset(server, {}, { as: server.otherTenant.writer });
  });

  const list = (query: string, asset = assetUuid) => server.request('GET', `/svc/v2/assets/${asset}/events${query}`);
  const identities = (body: { events: { identity: string }[] }) => body.events.map(({ identity }) => identity);

  it('honours page_size exactly, newest first, and counts all', async () => {
    const { status, body, headers } = await list('?page_size=3');
    expect(status).to.equal(200);
    expect(identities(body)).to.eql(newestFirst.slice(0, 3));
    expect(headers.get('x-total-count')).to.equal(String(EVENTS));
    expect(headers.has('content-range')).to.equal(false);
  });

  it('walks all pages with the token alone, each event once', async () => {
    const seen: string[] = [];
    const sizes: number[] = [];
    let query = '?page_size=3';
    do {
      const { status, body } = await list(query);
      expect(status).to.equal(200);
      seen.push(...identities(body));
      sizes.push(body.events.length);
      query = body.next_page_token === '' ? '' : `?page_token=${body.next_page_token}`;
    } while (query !== '');
    expect(seen).to.eql(newestFirst);
    expect(sizes).to.eql([3, 3, 2]);
  });

  it('ends at the limit with 206 and content-range when no page_size is given', async () => {
    const first = await list('');
    expect(first.status).to.equal(206);
    expect(first.headers.get('content-range')).to.equal(`items 0-${LIMITS.listRecordsMax}/${EVENTS}`);
    expect(first.headers.get('x-total-count')).to.equal(String(EVENTS));
    const second = await list(`?page_token=${first.body.next_page_token}`);
    expect(second.status).to.equal(200);
    expect(second.body.next_page_token).to.equal('');
    expect([...identities(first.body), ...identities(second.body)]).to.eql(newestFirst);
  });

  it('lists events of all assets of the tenant under `-`', async () => {
    const other = await createAnAsset(server);
    const { body } = await list('?page_size=1000', '-');
    expect(body.events[0].asset_identity).to.equal(`assets/${other}`);
    expect(body.events.length).to.equal(server.ledger.records.length - 1);
    expect(new Set(body.events.map((event: { tenant_identity: string }) => event.tenant_identity))).to.eql(
      new Set([server.tenant.identity]),
    );
  });

  it("shows and counts nothing of a missing asset, nor of another tenant's", async () => {
    const foreign = await server.request('GET', `/svc/v2/assets/${assetUuid}/events`, { as: server.otherTenant.root });
    const missing = await list('', '3f0e9f6c-8d1c-4a55-9a0e-5f4f3f0d7a11');
    for (const { status, body, headers } of [foreign, missing]) {
      expect(status).to.equal(200);
      expect(body).to.eql({ events: [], next_page_token: '' });
      expect(headers.get('x-total-count')).to.equal('0');
    }
  });

  it('accepts a token with the query that it carries, and another page_size', async () => {
    const { body } = await list('?page_size=3&order_by=DEFAULT');
    for (const query of ['&page_size=3&order_by=DEFAULT', '&order_by=DEFAULT', '']) {
      const next = await list(`?page_token=${body.next_page_token}${query}`);
      expect(identities(next.body)).to.eql(newestFirst.slice(3, 6));
    }
    const longer = await list(`?page_token=${body.next_page_token}&page_size=4`);
    expect(identities(longer.body)).to.eql(newestFirst.slice(3, 7));
  });

  it('refuses a token that is cut short, changed, or of another list or tenant', async () => {
    const token: string = (await list('?page_size=3')).body.next_page_token;
    const changed = `${token.slice(0, -2)}${token.at(-2) === 'A' ? 'B' : 'A'}${token.at(-1)}`;
    for (const wrong of [token.slice(0, -1), token.slice(0, 40), 'x', changed, `${token}=`, `${token}!`]) {
      const answer = await list(`?page_token=${encodeURIComponent(wrong)}`);
      expectProblem(answer, 400, 'PAGE_TOKEN_INVALID', 'page_token');
    }
    expectProblem(await list(`?page_token=${token}`, '-'), 400, 'PAGE_TOKEN_INVALID', 'page_token');
    const path = `/svc/v2/assets/${assetUuid}/events?page_token=${token}`;
    const foreign = await server.request('GET', path, { as: server.otherTenant.root });
    expectProblem(foreign, 400, 'PAGE_TOKEN_INVALID', 'page_token');
  });

  const refusals: [string, string][] = [
    ['page_size=0', 'page_size'],
    ['page_size=-1', 'page_size'],
    ['page_size=1001', 'page_size'],
    ['page_size=1000000000', 'page_size'],
    ['page_size=1.5', 'page_size'],
    ['page_size=ten', 'page_size'],
    ['page_size=', 'page_size'],
    ['page_size=1&page_size=2', 'page_size'],
    ['page_size[]=1', 'page_size[]'],
    ['page_token=a&page_token=b', 'page_token'],
    ['order_by=SIMPLEHASHV3', 'order_by'],
    ['pagesize=1', 'pagesize'],
    ['__proto__=1', '__proto__'],
    ['constructor=1', 'constructor'],
  ];
  for (const [query, field] of refusals) {
    it(`refuses ?${query} and names ${field}`, async () => {
      expectProblem(await list(`?${query}`), 400, 'REQUEST_INVALID', field);
    });
  }

  it('refuses the unknown parameter among very many', async () => {
    const query = Array.from({ length: 1050 }, () => 'page_size=1').join('&');
    expectProblem(await list(`?${query}&zzz=1`), 400, 'REQUEST_INVALID', 'zzz');
  });
});
