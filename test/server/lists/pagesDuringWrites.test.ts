// Reads all pages of a list while records are written: each record from before the first page is seen once.
import { expect } from 'chai';
import { aRecord, createALocation, createAnAsset, createAnEvent } from '../support/requests.ts';
import { useNewServer } from '../support/useServer.ts';

interface Walk {
  readonly title: string;
  readonly path: () => string;
  readonly items: 'assets' | 'events' | 'locations';
  readonly query: string;
}

describe('reading all pages of a list', () => {
  const server = useNewServer();
  let assetUuid: string;

  beforeEach(async () => {
    assetUuid = await createAnAsset(server, { public: true, attributes: { kind: 'x' } });
    for (let made = 0; made < 5; made += 1) await write();
  });

  const write = async (): Promise<void> => {
    await createAnEvent(server, assetUuid, aRecord({ event_attributes: { kind: 'x' } }));
    await createAnAsset(server, { attributes: { kind: 'x' } });
    await createALocation(server, { attributes: { kind: 'x' } });
  };

  const readPage = async ({ path, items }: Walk, query: string) => {
    const { status, body } = await server.request('GET', `${path()}?${query}`);
    expect([query.slice(0, 60), status]).to.eql([query.slice(0, 60), 200]);
    return {
      identities: body[items].map(({ identity }: { identity: string }) => identity),
      next: body.next_page_token,
    };
  };

  const walk = async (list: Walk, betweenPages: () => Promise<void>): Promise<string[]> => {
    const seen: string[] = [];
    let query = `page_size=2&${list.query}`;
    while (query !== '') {
      const { identities, next } = await readPage(list, query);
      seen.push(...identities);
      query = next === '' ? '' : `page_token=${next}`;
      await betweenPages();
    }
    return seen;
  };

  const FILTER = 'attributes.kind!=y';
  const LISTS: Walk[] = [
    { title: 'assets', path: () => '/svc/v2/assets', items: 'assets', query: '' },
    { title: 'assets that match', path: () => '/svc/v2/assets', items: 'assets', query: `tracked=ANY&${FILTER}` },
    { title: 'events', path: () => '/svc/v2/assets/-/events', items: 'events', query: '' },
    { title: 'events that match', path: () => '/svc/v2/assets/-/events', items: 'events', query: FILTER },
    { title: "an asset's events", path: () => `/svc/v2/assets/${assetUuid}/events`, items: 'events', query: FILTER },
    { title: 'public events', path: () => `/svc/v2/publicassets/${assetUuid}/events`, items: 'events', query: '' },
    { title: 'locations', path: () => '/svc/v2/locations', items: 'locations', query: FILTER },
  ];
  for (const list of LISTS) {
    it(`of ${list.title}, newest first, shows the records from before the first page and none from after it`, async () => {
      const before = (await readPage(list, `page_size=1000&${list.query}`)).identities;
      expect(before.length).to.be.at.least(5);
      expect(await walk(list, write)).to.eql(before);
    });
  }

  const GROWING: Walk[] = [
    {
      title: 'events, oldest first',
      path: () => '/svc/v2/assets/-/events',
      items: 'events',
      query: 'order_by=SIMPLEHASHV1&operation=Record',
    },
    { title: 'locations by name', path: () => '/svc/v2/locations', items: 'locations', query: 'order_by=DISPLAY_NAME' },
  ];
  for (const list of GROWING) {
    it(`of ${list.title}, shows each record from before the first page once`, async () => {
      const before = (await readPage(list, `page_size=1000&${list.query}`)).identities;
      let writes = 0;
      const seen = await walk(list, async () => {
        server.clock.atMs += 1000;
        writes += 1;
        if (writes < 4) await write();
      });
      expect(new Set(seen).size).to.equal(seen.length);
      expect(seen.filter((identity) => before.includes(identity))).to.eql(before);
    });
  }

  it('of records that wait for the chain, on top of others, shows each once', async () => {
    server.ledger.isChainAway = true;
    for (let made = 0; made < 3; made += 1) await write();
    for (const list of LISTS) {
      const before = (await readPage(list, `page_size=1000&${list.query}`)).identities;
      expect(await walk(list, async () => {})).to.eql(before);
    }
  });
});
