// Searches files by hash without a token: only those that public records attach are found (decision 58).
import { createHash } from 'node:crypto';
import { expect } from 'chai';
import type { TokenSubject } from '../../../../server/auth/tokens/tokenContent.ts';
import { expectProblem } from '../../support/expectProblem.ts';
import { aRecord, createAnAsset } from '../../support/requests.ts';
import { startTestServer } from '../../support/testServer.ts';
import { upload } from '../../support/uploads.ts';
import { useNewServer } from '../../support/useServer.ts';

const CONTENT = 'a public file';
const sha256 = (content: string): string => createHash('sha256').update(content).digest('hex');
const BEHAVIOURS = ['RecordEvidence', 'Attachments'];

describe('GET v1/blobs?hash= without a token', () => {
  const server = useNewServer();

  const search = (query = `hash=${sha256(CONTENT)}`, headers: Record<string, string> = {}) =>
    server.request('GET', `/svc/v1/blobs?${query}`, { as: null, headers });
  const uploadAs = async (as: TokenSubject, content = CONTENT): Promise<string> =>
    (await upload(server, content, undefined, { as })).body.identity;
  const attach = async (as: TokenSubject, isPublic: boolean, blob: string, content = CONTENT): Promise<string> => {
    const uuid = await createAnAsset(server, { public: isPublic, behaviours: BEHAVIOURS }, { as });
    const item = {
      arc_attachment_identity: blob,
      arc_display_name: 'x',
      arc_hash_value: sha256(content),
      arc_hash_alg: 'SHA256',
    };
    const json = {
      behaviour: 'Attachments',
      operation: 'Attach',
      event_attributes: { arc_append_attachments: [item] },
    };
    const { status, body } = await server.request('POST', `/svc/v2/assets/${uuid}/events`, { as, json });
    expect(status).to.equal(200);
    return body.identity;
  };
  const identitiesOf = (body: { blobs: { identity: string }[] }): string[] =>
    body.blobs.map(({ identity }) => identity);

  it('finds no blob that no public record attaches', async () => {
    const blob = await uploadAs(server.tenant.writer);
    const before = await search();
    expect([before.status, before.body]).to.eql([200, { blobs: [], next_page_token: '' }]);
    await attach(server.tenant.writer, false, blob);
    expect((await search()).body.blobs).to.eql([]);
  });

  it('finds the blob of a public record, without who uploaded it and without private records that attach it', async () => {
    const blob = await uploadAs(server.tenant.writer);
    const event = await attach(server.tenant.writer, true, blob);
    await attach(server.tenant.writer, false, blob);
    const { status, headers, body } = await search(undefined, { 'x-request-total-count': 'true' });
    expect(status).to.equal(200);
    expect(headers.has('x-total-count')).to.equal(false);
    expect(identitiesOf(body)).to.eql([blob]);
    const shown = { issuer: '', subject: '', attached_by: [event], attached_by_total: 1 };
    expect(body.blobs[0]).to.deep.include({ ...shown, tenantid: server.tenant.identity });
    const own = await server.request('GET', `/svc/v1/blobs?hash=${sha256(CONTENT)}`);
    expect(own.body.blobs[0].attached_by_total).to.equal(2);
  });

  it('finds blobs that creations and attribute maps attach', async () => {
    const [first, second] = [await uploadAs(server.tenant.writer), await uploadAs(server.tenant.writer)];
    const toMap = (blob: string) => ({ arc_attribute_type: 'arc_attachment', arc_blob_identity: blob });
    await createAnAsset(server, { public: true, attributes: { photo: toMap(first) } });
    const uuid = await createAnAsset(server, { public: true });
    const json = aRecord({ event_attributes: { photos: [toMap(second)] } });
    await server.request('POST', `/svc/v2/assets/${uuid}/events`, { json });
    expect(identitiesOf((await search()).body)).to.have.members([first, second]);
  });

  it('finds the blobs of all tenants, page by page, each once', async () => {
    const blobs: string[] = [];
    for (const { writer } of [server.tenant, server.otherTenant, server.tenant]) {
      const blob = await uploadAs(writer);
      await attach(writer, true, blob);
      blobs.push(blob);
    }
    let query = `hash=${sha256(CONTENT).toUpperCase()}&page_size=1`;
    const found: string[] = [];
    for (let page = 0; query !== ''; page += 1) {
      expect(page).to.be.lessThan(4);
      const { status, body } = await search(query);
      expect(status).to.equal(200);
      found.push(...identitiesOf(body));
      query = body.next_page_token === '' ? '' : `page_token=${body.next_page_token}`;
    }
    expect(found).to.have.length(3).and.have.members(blobs);
    const { body } = await search(`hash=${sha256(CONTENT)}&page_size=1`);
    const elsewhere = await server.request('GET', `/svc/v1/blobs?page_token=${body.next_page_token}`);
    expectProblem(elsewhere, 400, 'PAGE_TOKEN_INVALID', 'page_token');
  });

  it("does not find another tenant's blob by a public record that only names it", async () => {
    const blob = await uploadAs(server.tenant.writer);
    const map = { arc_attribute_type: 'arc_attachment', arc_blob_identity: blob };
    await createAnAsset(server, { public: true, attributes: { photo: map } }, { as: server.otherTenant.writer });
    expect((await search()).body.blobs).to.eql([]);
  });

  it('is refused without a hash, and with an invalid token', async () => {
    expectProblem(await search(''), 400, 'REQUEST_INVALID', 'hash');
    expectProblem(await search(undefined, { authorization: 'Bearer x' }), 401, 'UNAUTHENTICATED');
    const { roleless } = server.tenant;
    const requested = await server.request('GET', `/svc/v1/blobs?hash=${sha256(CONTENT)}`, { as: roleless });
    expectProblem(requested, 403, 'FORBIDDEN', 'authorization');
  });

  it('is counted for the address, as is publicinfo', async () => {
    const off = { perSecond: 0, burst: 0 };
    const rates = { tenant: off, open: { perSecond: 1, burst: 0 }, tokenFailuresPerMinute: 0 };
    const limited = await startTestServer({ rates });
    const publicInfo = `/svc/v1/tenancies/${limited.tenant.identity.slice('tenant/'.length)}:publicinfo`;
    for (const path of [`/svc/v1/blobs?hash=${sha256(CONTENT)}`, publicInfo]) {
      const answers = await Promise.all(Array.from({ length: 20 }, () => limited.request('GET', path, { as: null })));
      const refused = answers.find(({ status }) => status !== 200);
      expectProblem(refused!, 429, 'RATE_LIMITED');
    }
    const own = await limited.request('GET', `/svc/v1/blobs?hash=${sha256(CONTENT)}`);
    expect(own.status).to.equal(200);
    await limited.close();
  });
});
