import { createHash } from 'node:crypto';
import { expect } from 'chai';
import { expectProblem } from '../../support/expectProblem.ts';
import { createAnAsset, createAnEvent } from '../../support/requests.ts';
import { upload, uploadBlob } from '../../support/uploads.ts';
import { useNewServer } from '../../support/useServer.ts';

const NO_BLOB = '3f0e9f6c-8d1c-4a55-9a0e-5f4f3f0d7a11';
const sha256 = (bytes: Uint8Array | string): string => createHash('sha256').update(bytes).digest('hex');

describe('GET v1/blobs', () => {
  const server = useNewServer();

  const attach = (assetUuid: string, identity: string) =>
    createAnEvent(server, assetUuid, {
      behaviour: 'RecordEvidence',
      operation: 'Record',
      event_attributes: { seen: { arc_attribute_type: 'arc_attachment', arc_blob_identity: identity } },
    });

  it('finds a file by its hash, in any case and form, and the events that attach it', async () => {
    const uuid = await uploadBlob(server, 'hello');
    await uploadBlob(server, 'other');
    const assetUuid = await createAnAsset(server);
    const events = [await attach(assetUuid, `blobs/${uuid}`), await attach(assetUuid, `blobs/${uuid}`)];
    const plain = sha256('hello');
    for (const hash of [plain, plain.toUpperCase(), `sha256:${plain}`, `SHA-256%3A${plain}`, `0x${plain}`]) {
      const { status, body } = await server.request('GET', `/svc/v1/blobs?hash=${hash}`);
      expect(status).to.equal(200);
      expect(body.next_page_token).to.equal('');
      expect(body.blobs).to.have.length(1);
      expect(body.blobs[0].identity).to.equal(`blobs/${uuid}`);
      expect(body.blobs[0].attached_by).to.eql([events[1].identity, events[0].identity]);
      expect(body.blobs[0].attached_by_total).to.equal(2);
    }
  });

  it('finds the events that attach it by a map inside a list', async () => {
    const uuid = await uploadBlob(server, 'hello');
    const photo = { arc_attribute_type: 'arc_attachment', arc_blob_identity: `blobs/${uuid}` };
    const assetUuid = await createAnAsset(server, { attributes: { photos: [{}, photo] } });
    const event = await createAnEvent(server, assetUuid, {
      behaviour: 'RecordEvidence',
      operation: 'Record',
      event_attributes: { seen: [photo] },
    });
    const { body } = await server.request('GET', `/svc/v1/blobs?hash=${sha256('hello')}`);
    expect(body.blobs[0].attached_by_total).to.equal(2);
    expect(body.blobs[0].attached_by[0]).to.equal(event.identity);
  });

  it('finds the events that state its hash without a file, of a public asset also without a token', async () => {
    const hash = sha256('never uploaded');
    const attributes = { document_hash_value: hash, document_hash_alg: 'sha256' };
    const open = await createAnAsset(server, { attributes, public: true });
    const closed = await createAnAsset(server);
    const event = await createAnEvent(server, closed, {
      behaviour: 'RecordEvidence',
      operation: 'Record',
      event_attributes: { arc_hash_value: hash.toUpperCase() },
    });
    const find = async (as: typeof server.tenant.reader | null) => {
      const { status, body } = await server.request('GET', `/svc/v1/blobs?hash=${hash}`, { as });
      expect([status, body.blobs]).to.eql([200, []]);
      return (body.stated_by ?? []).map((stated: Record<string, string>) => [stated.asset_identity, stated.attribute]);
    };
    const ofAsset = [`assets/${open}`, 'document_hash_value'];
    expect(await find(server.tenant.reader)).to.have.deep.members([ofAsset, [`assets/${closed}`, 'arc_hash_value']]);
    expect(await find(null)).to.eql([ofAsset]);
    expect(await find(server.otherTenant.reader)).to.eql([]);
    const { body } = await server.request('GET', `/svc/v1/blobs?hash=${hash}`);
    expect(body.stated_by.map((stated: Record<string, string>) => stated.event_identity)).to.include(event.identity);
  });

  it('finds the newest events that state its hash, in whichever attribute and case', async () => {
    const hash = sha256('stated often');
    const asset = await createAnAsset(server);
    const state = (attributes: object) =>
      createAnEvent(server, asset, { behaviour: 'RecordEvidence', operation: 'Record', ...attributes });
    const events: { identity: string }[] = [];
    for (let at = 0; at < 11; at += 1)
      events.push(await state({ asset_attributes: { document_hash_value: hash, n: String(at) } }));
    events.push(await state({ event_attributes: { arc_hash_value: hash.toUpperCase() } }));
    const { body } = await server.request('GET', `/svc/v1/blobs?hash=${hash}`);
    const newest = events.toReversed().slice(0, 10);
    expect(body.stated_by.map((stated: Record<string, string>) => stated.event_identity)).to.eql(
      newest.map(({ identity }) => identity),
    );
  });

  it('finds no file that was not uploaded, or uploaded by another tenant', async () => {
    await uploadBlob(server, 'hello');
    const as = server.otherTenant.reader;
    const foreign = await server.request('GET', `/svc/v1/blobs?hash=${sha256('hello')}`, { as });
    const missing = await server.request('GET', `/svc/v1/blobs?hash=${sha256('nothing')}`);
    expect(foreign.body).to.eql({ blobs: [], next_page_token: '' });
    expect(missing.body).to.eql(foreign.body);
  });

  it('pages with the token alone or with the same hash, and counts when requested', async () => {
    const uuids = [
      await uploadBlob(server, 'hello'),
      await uploadBlob(server, 'hello'),
      await uploadBlob(server, 'hello'),
    ];
    const query = `hash=${sha256('hello')}&page_size=1`;
    const counting = { headers: { 'x-request-total-count': 'true' } };
    const first = await server.request('GET', `/svc/v1/blobs?${query}`, counting);
    expect(first.headers.get('x-total-count')).to.equal('3');
    const token = encodeURIComponent(first.body.next_page_token);
    const second = await server.request('GET', `/svc/v1/blobs?page_token=${token}`);
    const again = await server.request(
      'GET',
      `/svc/v1/blobs?${query.toUpperCase().replace('HASH', 'hash').replace('PAGE_SIZE', 'page_size')}&page_token=${token}`,
    );
    expect(again.body.blobs).to.eql(second.body.blobs);
    const seen = [first, second].map(({ body }) => body.blobs[0].identity);
    expect(seen).to.eql([`blobs/${uuids[2]}`, `blobs/${uuids[1]}`]);
    const other = await server.request('GET', `/svc/v1/blobs?hash=${sha256('x')}&page_token=${token}`);
    expectProblem(other, 400, 'PAGE_TOKEN_INVALID', 'page_token');
  });

  it('requires a valid hash', async () => {
    for (const query of [
      '',
      '?hash=',
      '?hash=abc',
      `?hash=${sha256('x')}0`,
      `?hash=0x${sha256('x').slice(2)}`,
      `?hash=sha512:${sha256('x')}`,
    ]) {
      expectProblem(await server.request('GET', `/svc/v1/blobs${query}`), 400, 'REQUEST_INVALID', 'hash');
    }
  });

  it('describes one blob to its tenant alone', async () => {
    const { body: blob } = await upload(server, 'hello');
    const path = `/svc/v1/${blob.identity}/info`;
    expect((await server.request('GET', path, { as: server.tenant.reader })).body).to.eql(blob);
    const missing = await server.request('GET', `/svc/v1/blobs/${NO_BLOB}/info`);
    expectProblem(missing, 404, 'BLOB_NOT_FOUND');
    expect((await server.request('GET', path, { as: server.otherTenant.root })).body).to.eql(missing.body);
    expectProblem(await server.request('GET', '/svc/v1/blobs/1/info'), 400, 'IDENTITY_INVALID', 'uuid');
  });

  it('shows ten blobs on a page at most', async () => {
    for (let number = 0; number < 11; number += 1) await upload(server, 'again');
    const { hash } = (await upload(server, 'again')).body;
    const path = `/svc/v1/blobs?hash=${hash.value}`;
    expectProblem(await server.request('GET', `${path}&page_size=11`), 400, 'REQUEST_INVALID', 'page_size');
    const { status, body, headers } = await server.request('GET', path);
    expect([status, body.blobs.length, headers.get('content-range')]).to.eql([206, 10, 'items 0-10/12']);
    const rest = await server.request('GET', `/svc/v1/blobs?page_token=${body.next_page_token}`);
    expect([rest.status, rest.body.blobs.length, rest.body.next_page_token]).to.eql([200, 2, '']);
  });
});
