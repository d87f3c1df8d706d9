import { expect } from 'chai';
import { expectProblem } from '../../support/expectProblem.ts';
import { createAnAsset, createAnEvent } from '../../support/requests.ts';
import { LIMITS } from '../../support/testServer.ts';
import { useServer } from '../../support/useServer.ts';

describe('GET v2/assets', () => {
  const server = useServer();
  let newestFirst: string[];
  const ASSETS = 7;

  before(async () => {
    const made: string[] = [];
    for (let count = 0; count < ASSETS; count += 1) made.push(`assets/${await createAnAsset(server)}`);
    newestFirst = made.reverse();
    await createAnAsset(server, {}, { as: server.otherTenant.writer });
  });

  const list = (query: string, headers: Record<string, string> = {}) =>
    server.request('GET', `/archivist/v2/assets${query}`, { headers });
  const identities = (body: { assets: { identity: string }[] }) => body.assets.map(({ identity }) => identity);

  it('lists the assets of the tenant, newest first, page by page', async () => {
    const first = await list('?page_size=4');
    const second = await list(`?page_token=${first.body.next_page_token}`);
    expect([first.status, second.status]).to.eql([200, 200]);
    expect([...identities(first.body), ...identities(second.body)]).to.eql(newestFirst);
    expect(second.body.next_page_token).to.equal('');
  });

  it('ends at the limit with 206 and content-range when no page_size is given', async () => {
    const { status, headers, body } = await list('');
    expect(status).to.equal(206);
    expect(headers.get('content-range')).to.equal(`items 0-${LIMITS.listRecordsMax}/${ASSETS}`);
    expect(identities(body)).to.eql(newestFirst.slice(0, LIMITS.listRecordsMax));
  });

  it('counts only when requested', async () => {
    expect((await list('?page_size=2')).headers.has('x-total-count')).to.equal(false);
    expect((await list('?page_size=2', { 'X-Request-Total-Count': 'false' })).headers.has('x-total-count')).to.equal(
      false,
    );
    for (const requested of ['true', 'True']) {
      const { headers } = await list('?page_size=2', { 'X-Request-Total-Count': requested });
      expect(headers.get('x-total-count')).to.equal(String(ASSETS));
    }
  });

  it('leaves out untracked assets', async () => {
    const assetUuid = await createAnAsset(server);
    await createAnEvent(server, assetUuid, { behaviour: 'Builtin', operation: 'StopTracking' });
    expect(identities((await list('?page_size=1000')).body)).to.eql(newestFirst);
  });

  it('accepts every token that it returns, including that of the longest filters', async () => {
    // Control characters take the most bytes in a token.
    const longest = (name: string, value: string, bytes: number) =>
      `${name}=${encodeURIComponent(value.repeat(Math.floor((bytes - name.length) / Buffer.byteLength(value))))}`;
    for (const character of ['\u0001', 'x', '"', '\u{1f6aa}', 'é']) {
      const filters = ['attributes.a!', 'attributes.b!'].map((name, at) => longest(name, character, [4000, 1900][at]!));
      const first = await list(`?page_size=1&${filters.join('&')}`);
      expect([character, first.status, identities(first.body)]).to.eql([character, 200, newestFirst.slice(0, 1)]);
      const second = await list(`?page_token=${first.body.next_page_token}`);
      expect([character, second.status, identities(second.body)]).to.eql([character, 200, newestFirst.slice(1, 2)]);
    }
  });

  it('does not accept the token of an events list, nor an unknown order', async () => {
    const events = await server.request('GET', '/svc/v2/assets/-/events?page_size=1');
    const answer = await list(`?page_token=${events.body.next_page_token}`);
    expectProblem(answer, 400, 'PAGE_TOKEN_INVALID', 'page_token');
    expectProblem(await list('?order_by=DISPLAY_NAME'), 400, 'REQUEST_INVALID', 'order_by');
  });
});
