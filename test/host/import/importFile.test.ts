import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { expect } from 'chai';
import { importFile } from '../../../host/import/importFile.ts';
import { CHAIN_REFUSED } from '../../../host/import/importRequests.ts';
import { NOT_JSON } from '../../../host/import/sourceText.ts';
import { LIMITS, startTestServer, type TestServer } from '../../server/support/testServer.ts';
import { createTemporaryDirectory } from '../../support/testLedger.ts';

const ASSET = 'assets/6a1f1f1e-0b7e-4a58-9f43-0d2f8b1f6e3a';
const OTHER = 'assets/7d0f2b9a-3c51-4a57-8f0e-2b1c9d4e6f80';
const DECLARED = { issuer: 'job.idp.server/1234', subject: 'bob@job', display_name: 'Bob', email: '' };
const PRINCIPAL = { issuer: 'job.idp.server/1234', subject: 'bob@job', display_name: 'Bob' };
const ACCEPTED = { issuer: 'https://idp', subject: '1', display_name: 'App', email: '' };

const NOTHING = { assets: 0, events: 0, locations: 0, policies: 0, failed: 0, left: 0 };

const event = (asset: string, n: number, changes: object = {}) => ({
  identity: `${asset}/events/00000000-0000-4000-8000-00000000000${n}`,
  asset_identity: asset,
  behaviour: 'RecordEvidence',
  operation: 'Record',
  event_attributes: { n: String(n) },
  asset_attributes: { last: String(n) },
  timestamp_accepted: `2021-03-0${n}T00:00:00Z`,
  timestamp_declared: n % 2 === 0 ? '' : `2020-01-0${n}T00:00:00Z`,
  principal_declared: n % 2 === 0 ? null : DECLARED,
  principal_accepted: ACCEPTED,
  confirmation_status: 'CONFIRMED',
  block_number: '17',
  ...changes,
});
const creation = (asset: string) => ({
  ...event(asset, 1),
  operation: 'NewAsset',
  behaviour: 'AssetCreator',
  asset_attributes: { arc_display_name: 'Door' },
});
const LISTED = {
  identity: OTHER,
  behaviours: ['RecordEvidence'],
  attributes: { arc_display_name: 'Gate' },
  tracked: 'TRACKED',
};

describe('an import', () => {
  let server: TestServer;
  let directory: Awaited<ReturnType<typeof createTemporaryDirectory>>;
  beforeEach(async () => {
    server = await startTestServer();
    directory = await createTemporaryDirectory();
  });
  afterEach(async () => {
    expect(server.unexpected).to.eql([]);
    await server.close();
    await directory.remove();
  });

  const run = async (text: string, url = server.url) => {
    const path = join(directory.path, 'source');
    await writeFile(path, text);
    const failures: [number, string][] = [];
    const readToken = async () => (await server.tokens.issue(server.tenant.writer)).token;
    const reports = { onFailure: (...failure: [number, string]) => void failures.push(failure), onProgress: () => {} };
    return { ...(await importFile({ path }, { url, readToken, pause: async () => {} }, reports)), failures };
  };
  const readEvents = async () =>
    (await server.request('GET', '/svc/v2/assets/-/events?page_size=100')).body.events.reverse();

  const asLines = (...values: object[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join('');

  it('of lines keeps declared times and principals, and the identities of the source as attributes', async () => {
    const { failures, ...counts } = await run(asLines(creation(ASSET), event(ASSET, 2), event(ASSET, 3)));
    expect([counts, failures]).to.eql([{ ...NOTHING, assets: 1, events: 2 }, []]);
    const [created, second, third] = await readEvents();
    expect(created.asset_attributes).to.eql({
      arc_display_name: 'Door',
      imported_from: ASSET,
      imported_principal_declared: PRINCIPAL,
      imported_event_attributes: { n: '1' },
      imported_timestamp_declared: '2020-01-01T00:00:00Z',
      imported_timestamp_accepted: '2021-03-01T00:00:00Z',
      imported_principal_accepted: { issuer: 'https://idp', subject: '1', display_name: 'App' },
    });
    expect(second.event_attributes).to.eql({ n: '2', imported_from: event(ASSET, 2).identity });
    expect([second.timestamp_declared, second.principal_declared]).to.eql(['2021-03-02T00:00:00.000Z', ACCEPTED]);
    expect(third.event_attributes).to.include({ imported_timestamp_accepted: '2021-03-03T00:00:00Z' });
    expect([third.timestamp_declared, third.principal_declared]).to.eql(['2020-01-03T00:00:00.000Z', DECLARED]);
  });

  it('keeps attributes of an event under their other name, and members that records here do not have', async () => {
    const others = { trails: ['a'], location: { x: '1' }, note: 'n', attachments: [], merklelog_entry: { commit: 1 } };
    const renamed = event(ASSET, 2, { event_attributes: {}, attributes: { n: '2' } });
    const both = event(ASSET, 3, { attributes: { n: 'x' }, ...others });
    const { failures } = await run(asLines({ ...creation(ASSET), note: 'n' }, renamed, both));
    expect(failures).to.eql([]);
    const [created, second, third] = await readEvents();
    expect(created.asset_attributes.imported_members).to.eql({ note: 'n' });
    expect(second.event_attributes).to.eql({ n: '2', imported_from: renamed.identity });
    const imported_members = { attributes: '{"n":"x"}', trails: '["a"]', location: '{"x":"1"}', note: 'n' };
    expect(third.event_attributes).to.deep.include({ n: '3', imported_from: both.identity, imported_members });
  });

  it('that is repeated adds nothing', async () => {
    const text = asLines(creation(ASSET), event(ASSET, 2));
    await run(text);
    const before = await readEvents();
    expect(await run(`${text}${asLines(event(ASSET, 3))}`)).to.deep.include({ events: 2, failed: 0 });
    expect((await readEvents()).slice(0, -1)).to.eql(before);
  });

  it('of the lists of an API is in the order of acceptance', async () => {
    const lists = {
      events: [event(OTHER, 4), event(ASSET, 3), event(ASSET, 2), creation(ASSET)],
      next_page_token: 'x',
    };
    for (const text of [
      asLines({ assets: [LISTED] }, lists),
      JSON.stringify({ assets: [LISTED], ...lists }, null, 2),
    ]) {
      expect(await run(text)).to.deep.include({ assets: 2, events: 3, failures: [] });
    }
    const events = await readEvents();
    expect(events.map(({ event_attributes }: { event_attributes: { n?: string } }) => event_attributes.n)).to.eql([
      undefined,
      undefined,
      '2',
      '3',
      '4',
    ]);
  });

  it('reports each line that it does not import, and imports the others', async () => {
    const wrong = event(ASSET, 3, { event_attributes: { n: 1 } });
    const { failures, ...counts } = await run(
      `${asLines(creation(ASSET), wrong)}not JSON\n\n${asLines(event(OTHER, 2), event(ASSET, 4))}`,
    );
    expect(counts).to.eql({ ...NOTHING, assets: 1, events: 1, failed: 3 });
    expect(failures.toSorted(([a], [b]) => a - b)).to.eql([
      [2, '400 event_attributes/n: must be a string, a map of strings, or a list of maps of strings'],
      [3, NOT_JSON],
      [5, `${event(OTHER, 2).identity}: its asset was not imported, or several times`],
    ]);
  });

  it('reports a second, different creation of an asset, and not one that is repeated', async () => {
    const other = { ...creation(ASSET), asset_attributes: { arc_display_name: 'Gate' } };
    const later = { ...creation(ASSET), identity: event(ASSET, 9).identity };
    const { failures, ...counts } = await run(asLines(creation(ASSET), creation(ASSET), other, later, LISTED, LISTED));
    expect(counts).to.eql({ ...NOTHING, assets: 2, failed: 2 });
    expect(failures.map(([line]) => line)).to.eql([3, 4]);
    const differs = { ...LISTED, attributes: {} };
    expect((await run(asLines({ assets: [LISTED] }, { assets: [differs] }))).failures.map(([line]) => line)).to.eql([
      2,
    ]);
  });

  it('keeps no principal where an asset is public, and event attributes of its creation as texts', async () => {
    const attributes = { a: 'x', b: [{ c: 'y' }] };
    await run(asLines({ ...creation(ASSET), event_attributes: attributes, asset_settings: { public: true } }));
    const [{ asset_attributes: kept }] = await readEvents();
    expect(kept).to.not.have.property('imported_principal_declared');
    expect(kept.imported_event_attributes).to.eql({ a: 'x', b: '[{"c":"y"}]' });
  });

  it('reports what the chain refused', async () => {
    const stub = createServer((request, response) => {
      const failed = { identity: ASSET, confirmation_status: request.url!.includes(':bulk') ? 'FAILED' : state };
      response.end(`${JSON.stringify({ status: 200, ...failed })}\n`);
    });
    let state = 'PENDING';
    await new Promise<void>((resolve) => stub.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(stub.address() as AddressInfo).port}`;
    const text = asLines(creation(ASSET), event(ASSET, 2));
    expect(await run(text, url)).to.deep.include({ assets: 1, events: 0, failures: [[2, CHAIN_REFUSED]] });
    state = 'FAILED';
    expect(await run(asLines(creation(ASSET)), url)).to.deep.include({ assets: 0, failed: 1 });
    stub.closeAllConnections();
    stub.close();
  });

  it('sends events together, until their request has 8 MiB of text', async () => {
    const sent: number[] = [];
    const stub = createServer(async (request, response) => {
      const lines = (await readText(request)).split('\n').slice(0, -1);
      if (request.url!.includes(':bulk')) sent.push(lines.length);
      response.end(`${JSON.stringify({ status: 200, identity: ASSET })}\n`.repeat(lines.length || 1));
    });
    await new Promise<void>((resolve) => stub.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(stub.address() as AddressInfo).port}`;
    const large = 'x'.repeat(2.8 * 2 ** 20);
    const events = [2, 3, 4, 5, 6].map((n) => event(ASSET, n, n < 6 ? { event_attributes: { large } } : {}));
    expect(await run(asLines(creation(ASSET), ...events), url)).to.deep.include({ events: 5, failed: 0 });
    expect(sent).to.eql([3, 2]);
    stub.closeAllConnections();
    stub.close();
  });

  it('rejects when the server refuses it', async () => {
    await writeFile(join(directory.path, 'source'), asLines(creation(ASSET)));
    const reports = { onFailure: () => {}, onProgress: () => {} };
    const target = { url: server.url, readToken: async () => 'wrong', pause: async () => {} };
    const error = await importFile({ path: join(directory.path, 'source') }, target, reports).catch(
      (reason: Error) => reason,
    );
    expect((error as Error).message).to.match(/^the server answers 401/);
  });

  it('creates an asset from its creation event, wherever that is in the file', async () => {
    const present = { ...LISTED, identity: ASSET };
    const sources = [
      JSON.stringify({ assets: [present], events: [event(ASSET, 2), creation(ASSET)] }),
      asLines(present, event(ASSET, 2), creation(ASSET)),
    ];
    for (const source of sources)
      expect(await run(source)).to.deep.include({ assets: 1, events: 1, failures: [] }, source);
    expect((await readEvents())[0].asset_attributes.arc_display_name).to.equal('Door');
  });

  it('finds the asset that an earlier import created', async () => {
    await run(asLines(creation(ASSET), event(ASSET, 2)));
    const later = asLines(event(ASSET, 3), event(OTHER, 4), event(ASSET, 5));
    expect(await run(later)).to.deep.include({ assets: 0, events: 2, failed: 1 });
    expect(
      new Set((await readEvents()).map((recorded: { asset_identity: string }) => recorded.asset_identity)).size,
    ).to.equal(1);
  });

  it('of an import keeps the first time, and the first identity beside the one in its source', async () => {
    const first = {
      imported_from: OTHER,
      imported_timestamp_declared: '2019-01-01T00:00:00Z',
      imported_principal_declared: { subject: 'x' },
      imported_event_attributes: {},
    };
    await run(
      asLines(
        { ...creation(ASSET), asset_attributes: first },
        event(ASSET, 2, { event_attributes: { imported_from: 'x', imported_origin: 'y' } }),
      ),
    );
    const [created, second] = await readEvents();
    expect(created.asset_attributes).to.eql({ ...first, imported_from: ASSET, imported_origin: OTHER });
    expect(second.event_attributes).to.eql({ imported_from: event(ASSET, 2).identity, imported_origin: 'y' });
  });

  it('needs no server to find that its file is missing', async () => {
    const target = { url: 'http://127.0.0.1:1', readToken: () => expect.fail('a request'), pause: async () => {} };
    const reports = { onFailure: () => {}, onProgress: () => {} };
    const error = await importFile({ path: join(directory.path, 'missing') }, target, reports).catch(
      (reason) => reason,
    );
    expect(error.code).to.equal('ENOENT');
  });

  it('is complete on a server that accepts few lines in a request', async () => {
    await server.close();
    server = await startTestServer({ limits: { ...LIMITS, bulkLinesMax: 2 } });
    const events = [2, 3, 4, 5, 6].map((n) => event(ASSET, n));
    expect(await run(asLines(creation(ASSET), ...events))).to.deep.include({ events: 5, failures: [] });
    expect(await readEvents()).to.have.length(6);
  });
});
