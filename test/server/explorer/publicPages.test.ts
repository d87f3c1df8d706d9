import { expect } from 'chai';
import { readExplorerFiles } from '../../../server/explorer/explorerFiles.ts';
import { useDirectories } from '../../support/directories.ts';
import { expectProblem } from '../support/expectProblem.ts';
import { createAnAsset, createAnEvent } from '../support/requests.ts';
import { startTestServer, type TestServer } from '../support/testServer.ts';
import { buildExplorerFixture } from './explorerFixture.ts';

const NO_UUID = '3f0e9f6c-8d1c-4a55-9a0e-5f4f3f0d7a11';
const NAVIGATION = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const NAMING_PAGES = [NAVIGATION, 'text/html', 'TEXT/HTML;q=0.1', 'text/html;q=0.9, application/json;q=0.8'];
const NOT_NAMING_PAGES = [
  '*/*',
  'text/*',
  'application/json',
  'application/json, text/html;q=0.9',
  'text/html;q=0, */*',
  'text/html;q=0.5, */*;q=0.9',
  'application/*, text/html;q=0.1',
];

describe('the page of a public record', () => {
  const createDirectory = useDirectories();
  let server: TestServer;
  let asset: string;
  let event: string;
  let addresses: readonly (readonly [address: string, page: string])[];
  before(async () => {
    const directory = await createDirectory();
    await buildExplorerFixture(directory);
    server = await startTestServer({ explorer: await readExplorerFiles(directory) });
    asset = await createAnAsset(server, { public: true });
    event = (await createAnEvent(server, asset)).identity.slice(-36);
    addresses = [
      [`publicassets/${asset}`, `/p/assets/${asset}`],
      [`publicassets/${asset}/events/${event}`, `/p/assets/${asset}/events/${event}`],
      [`assets/${asset}:publicurl`, `/p/assets/${asset}`],
      [`assets/${asset}/events/${event}:publicurl`, `/p/assets/${asset}/events/${event}`],
    ];
  });
  after(() => server.close());

  const open = (path: string, accept: string, { method = 'GET', url = server.url } = {}) =>
    fetch(`${url}${path}`, { method, headers: { accept }, redirect: 'manual' });

  it('is where a browser is redirected to from the address of the record, without a token', async () => {
    for (const [address, page] of addresses)
      for (const accept of NAMING_PAGES)
        for (const method of ['GET', 'HEAD']) {
          const { status, headers } = await open(`/svc/v2/${address}`, accept, { method });
          expect([address, accept, status]).to.deep.equal([address, accept, 303]);
          expect([headers.get('location'), headers.get('vary')]).to.deep.equal([page, 'accept']);
        }
    expect(await (await fetch(`${server.url}/archivist/v2/publicassets/${asset.toUpperCase()}`)).json()).to.include({
      identity: `assets/${asset}`,
    });
    const { headers } = await open(`/archivist/v2/publicassets/${asset.toUpperCase()}`, NAVIGATION);
    expect(headers.get('location')).to.equal(`/p/assets/${asset}`);
  });

  it('is not where other clients are redirected to', async () => {
    for (const [address] of addresses)
      for (const accept of NOT_NAMING_PAGES) {
        const { status, headers, body } = await server.request('GET', `/svc/v2/${address}`, { headers: { accept } });
        expect([address, accept, status, headers.get('vary')]).to.deep.equal([address, accept, 200, 'accept']);
        expect(body).to.be.an('object');
      }
  });

  it('leaves refusals as they are, and says that they depend on Accept', async () => {
    const refused = await server.request('GET', `/svc/v2/publicassets/${NO_UUID}`, { as: null });
    expectProblem(refused, 404, 'ASSET_NOT_FOUND');
    expect(refused.headers.get('vary')).to.equal('accept');
    expectProblem(
      await server.request('GET', `/svc/v2/assets/${asset}:publicurl`, { as: null }),
      401,
      'UNAUTHENTICATED',
    );
  });

  it('has nothing to do with other addresses', async () => {
    const headers = { accept: NAVIGATION };
    for (const path of [
      `v2/assets/${asset}`,
      `v2/publicassets/${asset}/events`,
      'v2/publicassets/-/events',
      'v2/assets',
    ])
      expect((await server.request('GET', `/svc/${path}`, { headers })).status, path).to.equal(200);
    expectProblem(
      await server.request('DELETE', `/svc/v2/publicassets/${asset}`, { headers }),
      405,
      'METHOD_NOT_ALLOWED',
    );
    const paths = [
      'publicassets/x',
      `publicassets/${asset}%0d%0ax`,
      `publicassets//${asset}`,
      `publicassets/${asset}/`,
    ];
    for (const path of paths) {
      const { status } = await open(`/svc/v2/${path}`, NAVIGATION);
      expect([path, status >= 400 && status < 500]).to.deep.equal([path, true]);
    }
    expect(server.unexpected).to.deep.equal([]);
  });

  it('does not exist where the explorer is not built', async () => {
    const bare = await startTestServer();
    const uuid = await createAnAsset(bare, { public: true });
    const { status, headers } = await open(`/svc/v2/publicassets/${uuid}`, NAVIGATION, { url: bare.url });
    expect([status, headers.get('vary')]).to.deep.equal([200, null]);
    await bare.close();
  });
});
