// What a reader from another tenant sees of shared records, through the API.
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { toContentPath } from '../../../../server/blobs/contentFiles.ts';
import { expectProblem } from '../../support/expectProblem.ts';
import { introduce, permit } from '../../support/sharing.ts';
import type { RequestOptions, ServerAnswer } from '../../support/testServer.ts';
import { upload } from '../../support/uploads.ts';
import { useServer } from '../../support/useServer.ts';

const NOBODY = { issuer: '', subject: '', display_name: '', email: '' };
const COUNTED = { headers: { 'x-request-total-count': 'true' } };

describe('records that another tenant shares', () => {
  const server = useServer();
  let subject: string;
  let asset: string;
  let blob: string;
  before(async () => {
    subject = await introduce(server, server.tenant, server.otherTenant);
    blob = (await upload(server, 'a seal', 'text/plain', { as: server.tenant.writer })).body.identity;
  });

  const send = (method: string, path: string, options: RequestOptions = {}) =>
    server.request(method, `/svc/${path}`, { as: server.otherTenant.reader, ...options });
  const asOwner = (method: string, path: string, json?: unknown): Promise<ServerAnswer> =>
    send(method, path, { as: server.tenant.writer, ...(json === undefined ? {} : { json }) });
  const record = async (type: string | undefined, asset_attributes: object = {}): Promise<string> => {
    const event_attributes = type === undefined ? {} : { arc_display_type: type, note: 'n' };
    const json = { operation: 'Record', behaviour: 'RecordEvidence', event_attributes, asset_attributes };
    return (await asOwner('POST', `v2/${asset}/events`, json)).body.identity;
  };

  const revoke: (() => Promise<void>)[] = [];
  const share = async (permission: object, filters: { or: string[] }[] = []): Promise<void> => {
    revoke.push(await permit(server, server.tenant, { subjects: [subject], ...permission }, filters));
  };
  beforeEach(async () => {
    const attachment = { arc_attribute_type: 'arc_attachment', arc_blob_identity: blob };
    const attributes = { colour: 'red', weight: '7', secret: 'hidden', seal: attachment };
    asset = (await asOwner('POST', 'v2/assets', { attributes })).body.identity;
  });
  afterEach(async () => {
    for (const end of revoke.splice(0)) await end();
  });

  it('are missing without a policy, exactly as if they did not exist', async () => {
    const event = await record('Measure');
    const missing = `assets/${randomUUID()}`;
    for (const [of, nothing] of [
      [asset, missing],
      [event, `${missing}/events/${randomUUID()}`],
      [`attachments/${asset}/${blob.slice('blobs/'.length)}`, `attachments/${missing}/${randomUUID()}`],
    ]) {
      const [found, none] = [await send('GET', `v2/${of}`), await send('GET', `v2/${nothing}`)];
      expect([found.status, found.body]).to.eql([404, none.body]);
    }
    expect((await send('GET', 'v2/assets', COUNTED)).headers.get('x-total-count')).to.equal('0');
    expect((await send('GET', 'v2/assets/-/events')).headers.get('x-total-count')).to.equal('0');
  });

  it('show the attributes that are granted, in lists and alone, with the owner, and nothing else', async () => {
    await share({ asset_attributes_read: ['colour'], include_attributes: ['weight'] }, [
      { or: ['attributes.colour=red'] },
    ]);
    const { status, body } = await send('GET', `v2/${asset}`);
    expect([status, body.attributes]).to.eql([200, { colour: 'red', weight: '7' }]);
    expect(body.tenant_identity).to.equal(server.tenant.identity);
    const list = await send('GET', `v2/assets?tenant_identity=${server.tenant.identity}&page_size=1`, COUNTED);
    expect({ ...list.body.assets[0], at_time: body.at_time }).to.eql(body);
    expect((await send('GET', `v2/assets?tenant_identity=${server.otherTenant.identity}`)).body.assets).to.eql([]);
    // Its events are not shared with it.
    expect((await send('GET', `v2/${asset}/events`)).body.events).to.eql([]);
  });

  it('let no filter find out what is hidden', async () => {
    await share({ asset_attributes_read: ['colour'] });
    const count = async (filter: string): Promise<string | null> =>
      (await send('GET', `v2/assets?${filter}`, COUNTED)).headers.get('x-total-count');
    const all = Number(await count('tracked=ANY'));
    expect(all).to.be.greaterThan(0);
    const counts = await Promise.all(
      ['attributes.secret=hidden', 'attributes.secret=*', 'attributes.secret=other'].map(count),
    );
    expect(counts).to.eql(['0', '0', '0']);
    expect(await count('attributes.secret!=hidden')).to.equal(String(all));
    expect(await count('attributes.secret!=*')).to.equal(String(all));
    expect(await count('attributes.colour=red')).to.equal(String(all));
  });

  it('show events of granted types only, without principals, with granted attributes', async () => {
    await share({ asset_attributes_read: ['colour'], event_arc_display_type_read: ['Measure'] });
    const [measured, moved, untyped] = [
      await record('Measure', { colour: 'blue', weight: '8' }),
      await record('Move'),
      await record(undefined),
    ];
    const { body } = await send('GET', `v2/${measured}`);
    expect(body).to.deep.include({
      asset_attributes: { colour: 'blue' },
      event_attributes: { arc_display_type: 'Measure', note: 'n' },
      principal_accepted: NOBODY,
      principal_declared: NOBODY,
      tenant_identity: server.tenant.identity,
    });
    const list = await send('GET', `v2/${asset}/events`);
    expect(list.body.events).to.eql([body]);
    expect(list.headers.get('x-total-count')).to.equal('1');
    const all = await send('GET', 'v2/assets/-/events');
    const types = all.body.events.map((event: typeof body) => event.event_attributes.arc_display_type);
    expect(all.body.events[0]).to.eql(body);
    expect(new Set(types)).to.eql(new Set(['Measure']));
    for (const hidden of [moved, untyped]) expectProblem(await send('GET', `v2/${hidden}`), 404, 'EVENT_NOT_FOUND');
    const of = encodeURIComponent(server.tenant.writer.subject);
    const filtered = await send('GET', `v2/assets/-/events?principal_accepted.subject=${of}`);
    expect(filtered.body.events).to.eql([]);
  });

  it('are those of the policy as it is now, and of the asset as it is now', async () => {
    await share({ asset_attributes_read: ['*'] }, [{ or: ['attributes.colour=red'] }]);
    expect((await send('GET', `v2/${asset}`)).status).to.equal(200);
    await record('Measure', { colour: 'blue' });
    expectProblem(await send('GET', `v2/${asset}`), 404, 'ASSET_NOT_FOUND');
    await record('Measure', { colour: 'red' });
    expect((await send('GET', `v2/${asset}`)).status).to.equal(200);
    await revoke.pop()!();
    expectProblem(await send('GET', `v2/${asset}`), 404, 'ASSET_NOT_FOUND');
  });

  it('include the attachments that a visible attribute names', async () => {
    const path = `v2/attachments/${asset}/${blob.slice('blobs/'.length)}`;
    await share({ asset_attributes_read: ['colour'] });
    expectProblem(await send('GET', path), 404, 'ATTACHMENT_NOT_FOUND');
    await share({ asset_attributes_read: ['seal'] });
    const info = await send('GET', `${path}/info`);
    expect(info.body).to.deep.include({ issuer: '', subject: '', tenantid: server.tenant.identity, size: 6 });
    const { status, headers } = await send('GET', path);
    expect([status, headers.get('content-length')]).to.eql([200, '6']);
    // Blobs themselves are not shared.
    expectProblem(await send('GET', `v1/${blob}`), 404, 'BLOB_NOT_FOUND');
  });

  it('name the hash of an attachment whose bytes this server lacks', async () => {
    const kept = await upload(server, 'elsewhere', 'text/plain', { as: server.tenant.writer });
    const { identity, hash } = kept.body;
    const attachment = { arc_attribute_type: 'arc_attachment', arc_blob_identity: identity };
    const created = await asOwner('POST', 'v2/assets', { attributes: { seal: attachment } });
    await share({ asset_attributes_read: ['seal'] });
    const path = `v2/attachments/${created.body.identity}/${identity.slice('blobs/'.length)}`;
    expect((await send('GET', path)).status).to.equal(200);
    const file = toContentPath({ tenantIdentity: server.tenant.identity, sha256: hash.value });
    await rm(join(server.directory, 'content', file));
    const answer = await send('GET', path);
    expectProblem(answer, 404, 'BLOB_ELSEWHERE', 'hash');
    expect(answer.body.details[0].description).to.equal(`SHA256 ${hash.value}`);
    expect((await send('GET', `${path}/info`)).body.hash).to.eql(hash);
  });

  it('give no evidence, and no verdict', async () => {
    await share({ asset_attributes_read: ['*'], event_arc_display_type_read: ['*'] });
    const event = await record('Measure');
    for (const path of [asset, event]) {
      expectProblem(await send('GET', `v2/${path}:evidence`), 403, 'EVIDENCE_RESTRICTED');
    }
    expectProblem(await send('GET', `v1/compliance/${asset}`), 404, 'ASSET_NOT_FOUND');
  });

  it('are listed after own records by their position in the chain, each once, on pages of any size', async () => {
    await share({ asset_attributes_read: ['*'] });
    const created: string[] = [];
    for (const as of [server.otherTenant.writer, server.tenant.writer, server.otherTenant.writer]) {
      created.push(
        (await send('POST', 'v2/assets', { as, json: { attributes: { n: String(created.length) } } })).body.identity,
      );
    }
    const listed: string[] = [];
    let query = 'page_size=1';
    for (let pages = 0; query !== '' && pages < 50; pages += 1) {
      const { body } = await send('GET', `v2/assets?${query}`);
      listed.push(...body.assets.map(({ identity }: { identity: string }) => identity));
      query = body.next_page_token === '' ? '' : `page_token=${body.next_page_token}`;
    }
    expect(listed.slice(0, 3)).to.eql(created.toReversed());
    expect(new Set(listed).size).to.equal(listed.length);
    expect(listed).to.include(asset);
  });

  it('continue no list of a caller with a role by a page token of one without', async () => {
    const user_attributes = [{ or: [`subject=${server.tenant.roleless.subject}`] }];
    revoke.push(await permit(server, server.tenant, { user_attributes, asset_attributes_read: ['*'] }));
    const first = await send('GET', 'v2/assets?page_size=1', { as: server.tenant.roleless });
    const path = `v2/assets?page_token=${first.body.next_page_token}`;
    expect((await send('GET', path, { as: server.tenant.roleless })).status).to.equal(200);
    expectProblem(await send('GET', path, { as: server.tenant.reader }), 400, 'PAGE_TOKEN_INVALID', 'page_token');
  });

  it('are at most those of 5,000 names that one owner grants, the newest first', async () => {
    await share({ asset_attributes_read: ['colour'] });
    expect((await send('GET', `v2/${asset}`)).body.attributes).to.eql({ colour: 'red' });
    await share({ asset_attributes_read: Array.from({ length: 4_999 }, (_, at) => `n${at}`) });
    expect((await send('GET', `v2/${asset}`)).body.attributes).to.eql({ colour: 'red' });
    await share({ asset_attributes_read: ['weight'] });
    expect((await send('GET', `v2/${asset}`)).body.attributes).to.eql({ weight: '7' });
  });

  it('are shared with an application without a role of the tenant itself by its claims', async () => {
    const { roleless } = server.tenant;
    const read = () => send('GET', `v2/${asset}`, { as: roleless });
    expectProblem(await read(), 404, 'ASSET_NOT_FOUND');
    const user_attributes = [{ or: [`subject=${roleless.subject}`] }];
    revoke.push(await permit(server, server.tenant, { user_attributes, asset_attributes_read: ['weight'] }));
    expect((await read()).body.attributes).to.eql({ weight: '7' });
    // What the tenant shares with another one is not for callers of that one without a role.
    await share({ asset_attributes_read: ['*'] });
    expect((await send('GET', `v2/${asset}`)).status).to.equal(200);
    expect((await send('GET', 'v2/assets', { as: server.otherTenant.roleless })).body.assets).to.eql([]);
    expectProblem(await send('GET', `v2/${asset}`, { as: server.otherTenant.roleless }), 404, 'ASSET_NOT_FOUND');
    // It may do nothing else.
    expectProblem(await send('GET', 'v2/locations', { as: roleless }), 403, 'FORBIDDEN', 'authorization');
    expectProblem(await send('POST', 'v2/assets', { as: roleless, json: {} }), 403, 'FORBIDDEN', 'authorization');
  });
});
