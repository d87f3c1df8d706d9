// What the source left behind stays as text: the records that name it, and those after them, are imported.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { importFile } from '../../../host/import/importFile.ts';
import type { ImportRole } from '../../../host/import/importRequests.ts';
import { startTestServer, type TestServer } from '../../server/support/testServer.ts';
import { createTemporaryDirectory } from '../../support/testLedger.ts';

const UUID = '6a1f1f1e-0b7e-4a58-9f43-0d2f8b1f6e3';
const [ASSET, LOCATION, BLOB] = [`assets/${UUID}a`, `locations/${UUID}b`, `blobs/${UUID}c`];
const HASH = '2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881'; // of the text x
const ITEM = { arc_attachment_identity: BLOB, arc_display_name: 'x', arc_hash_value: HASH, arc_hash_alg: 'SHA256' };

const event = (n: number, changes: object = {}) => ({
  identity: `${ASSET}/events/00000000-0000-4000-8000-00000000000${n}`,
  behaviour: 'RecordEvidence',
  operation: 'Record',
  event_attributes: { n: String(n) },
  timestamp_accepted: `2021-03-0${n}T00:00:00Z`,
  ...changes,
});
const creation = (attributes: object = {}, settings: object = {}) =>
  event(1, { behaviour: 'AssetCreator', operation: 'NewAsset', asset_attributes: attributes, ...settings });
const attach = (n: number, ...items: object[]) =>
  event(n, { behaviour: 'Attachments', operation: 'Attach', event_attributes: { arc_append_attachments: items } });
const move = (n: number) =>
  event(n, {
    behaviour: 'LocationUpdate',
    operation: 'SetHomeLocation',
    asset_attributes: { arc_home_location_identity: LOCATION },
  });

describe('an import of what names records that were left behind', () => {
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

  const run = async (records: readonly object[], files?: string, failed = 0) => {
    const path = join(directory.path, 'source');
    await writeFile(path, JSON.stringify(records));
    const readToken = async (role: ImportRole) => (await server.tokens.issue(server.tenant[role])).token;
    const target = { url: server.url, readToken, pause: async () => {} };
    const reports = { onFailure: () => {}, onProgress: () => {} };
    const counts = await importFile({ path, files }, target, reports);
    expect(counts.failed).to.equal(failed);
    return counts;
  };
  const readEvents = async () =>
    (await server.request('GET', '/svc/v2/assets/-/events?page_size=100')).body.events.reverse();
  const readAsset = async () => (await server.request('GET', '/svc/v2/assets?tracked=ANY')).body.assets[0];
  const upload = async () => {
    const body = new FormData();
    body.set('file', new Blob(['x']), 'filename');
    return (await server.request('POST', '/svc/v1/blobs', { body })).body;
  };

  it('keeps a home location as text, and leaves the asset without one', async () => {
    const counts = await run([creation({ arc_home_location_identity: LOCATION, other: LOCATION }), move(2), event(3)]);
    expect(counts).to.include({ assets: 1, events: 2, left: 1 });
    const { attributes } = await readAsset();
    expect(attributes).to.include({ imported_home_location_identity: LOCATION, other: LOCATION });
    expect(attributes.arc_home_location_identity).to.equal('');
    const moved = (await readEvents())[1];
    expect([moved.behaviour, moved.event_attributes.imported_operation]).to.eql([
      'RecordEvidence',
      'LocationUpdate/SetHomeLocation',
    ]);
  });

  it('keeps attachments as text, and attaches those whose files are here', async () => {
    const here = await upload();
    const found = { ...ITEM, arc_attachment_identity: `blobs/${UUID}d`, arc_hash_value: HASH.toUpperCase() };
    const left = { ...ITEM, arc_hash_value: '00'.repeat(32) };
    await run([creation(), attach(2, left), attach(3, found, left)]);
    const [, alone, both] = await readEvents();
    expect([alone.operation, alone.event_attributes.imported_append_attachments]).to.eql(['Record', [left]]);
    expect([both.operation, both.event_attributes.imported_append_attachments]).to.eql(['Attach', [left]]);
    expect((await readAsset()).attributes.arc_attachments).to.eql([
      { ...found, arc_attachment_identity: here.identity },
    ]);
  });

  it('uploads files by the hashes that records state, whatever their names', async () => {
    const files = join(directory.path, 'files');
    await mkdir(files);
    await writeFile(join(files, 'any name.txt'), 'x');
    await run(
      [creation({ picture: { arc_attribute_type: 'arc_attachment', arc_blob_identity: BLOB } }), attach(2, ITEM)],
      files,
    );
    const [{ arc_attachment_identity: identity }] = (await readAsset()).attributes.arc_attachments;
    expect((await server.request('GET', `/svc/v1/${identity}/info`)).body.hash.value).to.equal(HASH);
  });

  it('finds a location that an earlier import created, and one of this ledger', async () => {
    const record = { identity: LOCATION, display_name: 'Here', latitude: 1.5, longitude: '-2', attributes: {} };
    expect(await run([record])).to.include({ locations: 1 });
    expect(await run([creation(), move(2)])).to.include({ left: 0 });
    const home = (await readAsset()).attributes.arc_home_location_identity;
    const own = { ...move(3), asset_attributes: { arc_home_location_identity: home } };
    expect(await run([own])).to.include({ events: 1, left: 0 });
    const { body } = await server.request('GET', `/svc/v2/${home}`);
    expect(body).to.include({ latitude: '1.5', longitude: '-2' });
    expect(body.attributes).to.eql({ imported_from: LOCATION });
  });

  it('keeps members of a location that this ledger has no member for as a text', async () => {
    const more = { attachments: [], trails: ['a'], note: '' };
    const record = { identity: LOCATION, display_name: 'Here', latitude: 1, longitude: 2, attributes: {}, ...more };
    expect(await run([record])).to.include({ locations: 1 });
    const { body } = await server.request('GET', '/svc/v2/locations');
    expect(body.locations[0].attributes).to.eql({ imported_from: LOCATION, imported_members: '{"trails":["a"]}' });
  });

  it('names a location of an earlier import that is refused now, because it has changed since', async () => {
    const record = { identity: LOCATION, display_name: 'Here', latitude: '1', longitude: '2', attributes: {} };
    await run([record]);
    expect(await run([{ ...record, display_name: 'There' }, creation(), move(2)], undefined, 1)).to.include({
      left: 0,
    });
    expect((await readAsset()).attributes.arc_home_location_identity).to.match(/^locations\//);
  });

  it('records what this ledger has no operation for as evidence, also where the asset does not support that', async () => {
    const unknown = event(2, { behaviour: 'TaskScheduler', operation: 'Plan' });
    await run([creation({}, { asset_settings: { behaviours: ['Maintenance', 'TaskScheduler'] } }), unknown]);
    const operations = (await readEvents()).map(({ operation }: { operation: string }) => operation);
    expect(operations).to.eql(['NewAsset', 'Add', 'Record', 'Remove']);
    const { behaviours, attributes } = await readAsset();
    expect(behaviours).to.eql(['AssetCreator', 'Builtin', 'Maintenance']);
    expect(attributes.imported_behaviours).to.equal('TaskScheduler');
  });

  it('gives an asset whose creation names no behaviours those that it is listed with, and those of its events', async () => {
    const maintenance = event(2, { behaviour: 'Maintenance', operation: 'Maintenance' });
    const described = { ...maintenance, event_attributes: { arc_description: 'oiled' } };
    const listed = { identity: ASSET, behaviours: ['Attachments'], attributes: { arc_attachments: [ITEM] } };
    await run([creation(), described, listed]);
    expect((await readAsset()).behaviours).to.have.members(['AssetCreator', 'Attachments', 'Builtin', 'Maintenance']);
    expect((await readEvents())[1].operation).to.equal('Maintenance');
  });

  it('leaves the present attachments of a listed asset to the events that attach them', async () => {
    await upload();
    await run([{ identity: ASSET, attributes: { arc_attachments: [ITEM] } }, attach(2, ITEM)]);
    expect((await readAsset()).attributes.arc_attachments).to.have.length(1);
  });

  it('ends the tracking of an asset that is listed so', async () => {
    await run([{ identity: ASSET, attributes: {}, tracked: 'NOT_TRACKED' }]);
    expect((await readAsset()).tracked).to.equal('NOT_TRACKED');
  });

  it('goes on after policies that are refused, or that its token may not create', async () => {
    const policy = { identity: `compliance_policies/${UUID}e`, compliance_type: 'COMPLIANCE_SINCE' };
    expect(await run([policy, creation()], undefined, 1)).to.include({ assets: 1, policies: 0 });
    const readWriter = async () => (await server.tokens.issue(server.tenant.writer)).token;
    const target = { url: server.url, readToken: readWriter, pause: async () => {} };
    const reasons: string[] = [];
    const reports = { onFailure: (_line: number, reason: string) => void reasons.push(reason), onProgress: () => {} };
    await importFile({ path: join(directory.path, 'source') }, target, reports);
    expect(reasons).to.have.length(1);
    expect(reasons[0]).to.match(/: 403 /);
  });
});
