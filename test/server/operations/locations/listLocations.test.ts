import { expect } from 'chai';
import { expectProblem } from '../../support/expectProblem.ts';
import { itFinds, toNames } from '../../support/filterCases.ts';
import { createALocation, readNamesByPage } from '../../support/requests.ts';
import { startTestServer } from '../../support/testServer.ts';
import { useServer } from '../../support/useServer.ts';

const COUNTED = { 'X-Request-Total-Count': 'True' };

describe('GET v2/locations', () => {
  const server = useServer();

  before(async () => {
    await createALocation(server, { display_name: 'Zürich', description: 'south' });
    await createALocation(server, { display_name: 'Depot', attributes: { phone: '1', note: '' } });
    const yard = await createALocation(server, { display_name: 'yard', attributes: { phone: '2' } });
    await createALocation(server, { display_name: 'Depot', description: 'north' });
    await createALocation(server, { display_name: '\u{1f6aa}' });
    await server.request('PATCH', `/svc/v2/${yard.identity}`, {
      json: { display_name: 'Yard', attributes: { a: 'b' } },
    });
    await createALocation(server, { display_name: 'Depot' }, { as: server.otherTenant.writer });
  });

  const list = toNames(
    (query) => server.request('GET', `/archivist/v2/locations${query}`, { headers: COUNTED }),
    'locations',
  );

  itFinds(list, [
    ['', '\u{1f6aa} Depot Yard Depot Zürich'],
    ['order_by=DEFAULT', '\u{1f6aa} Depot Yard Depot Zürich'],
    ['order_by=DISPLAY_NAME', 'Depot Depot Yard Zürich \u{1f6aa}'],
    ['display_name=Depot', 'Depot Depot'],
    ['display_name=depot', ''],
    ['display_name=yard', ''],
    ['display_name=Z%C3%BCrich', 'Zürich'],
    ['display_name=Depot&description=north', 'Depot'],
    ['description=south', 'Zürich'],
    ['attributes.phone=1', 'Depot'],
    ['attributes.phone=2', ''],
    ['attributes.a=*', 'Yard'],
    ['attributes.note=*', ''],
    ['attributes.phone!=*', '\u{1f6aa} Depot Yard Zürich'],
    ['attributes.phone!=1&order_by=DISPLAY_NAME', 'Depot Yard Zürich \u{1f6aa}'],
  ]);

  it('pages through either order, each location once', async () => {
    for (const order of ['DEFAULT', 'DISPLAY_NAME']) {
      const pages = `/svc/v2/locations?page_size=2&order_by=${order}`;
      expect(await readNamesByPage(server, pages, 'locations')).to.equal(await list(`order_by=${order}`));
    }
  });

  it('shows a location that is not on the chain yet', async () => {
    const fresh = await startTestServer();
    fresh.ledger.isChainAway = true;
    const location = await createALocation(fresh);
    const { body } = await fresh.request('GET', '/svc/v2/locations');
    expect(body.locations).to.eql([location]);
    expect((await fresh.request('GET', `/svc/v2/${location.identity}`)).body).to.eql(location);
    await fresh.close();
  });

  it('ends at the limit with 206 when no page_size is given', async () => {
    const fresh = await startTestServer();
    for (let made = 0; made < 6; made += 1) await createALocation(fresh);
    const { status, headers, body } = await fresh.request('GET', '/svc/v2/locations');
    expect([status, headers.get('content-range'), body.locations.length]).to.eql([206, 'items 0-5/6', 5]);
    await fresh.close();
  });

  it('accepts no token of another list, order or tenant', async () => {
    const { body } = await server.request('GET', '/svc/v2/locations?page_size=1');
    const path = `/svc/v2/locations?page_token=${body.next_page_token}`;
    expectProblem(
      await server.request('GET', `${path}&order_by=DISPLAY_NAME`),
      400,
      'PAGE_TOKEN_INVALID',
      'page_token',
    );
    const foreign = await server.request('GET', path, { as: server.otherTenant.root });
    expectProblem(foreign, 400, 'PAGE_TOKEN_INVALID', 'page_token');
    const assets = await server.request('GET', `/svc/v2/assets?page_token=${body.next_page_token}`);
    expectProblem(assets, 400, 'PAGE_TOKEN_INVALID', 'page_token');
  });
});
