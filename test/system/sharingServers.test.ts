// Two organisations share records across their own servers, each of which indexes the other's tenant for that.
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { listTenants } from '../../host/tenancy/listTenants.ts';
import type { AssetResource } from '../../ledger/assets/assetResource.ts';
import { toUuid } from '../../ledger/identity.ts';
import type { EventResource } from '../../ledger/records/event.ts';
import type { SubjectResource } from '../../ledger/records/subject.ts';
import { useDirectories } from '../support/directories.ts';
import { type ExternalNode, QUICK_NODE, startNode } from '../support/externalNode.ts';
import { openSharingServers, type SharingServer } from '../support/sharingServers.ts';
import type { JsonAnswer } from '../support/testLedger.ts';
import { until } from '../support/until.ts';

const SELF = 'iam/v1/subjects/00000000-0000-0000-0000-000000000000';
const COUNTED = { 'x-request-total-count': 'true' };
const DOORS = 5;
const RACING = 12;

interface Problem {
  readonly details: readonly { readonly error: string; readonly message: string; readonly field?: string }[];
}

interface Identified {
  readonly identity: string;
}

describe('the servers of two organisations that share records', () => {
  const createDirectory = useDirectories();
  let node: ExternalNode;
  let alpha: SharingServer;
  let beta: SharingServer;
  let policy: string;
  let blob: string;
  const doors: AssetResource[] = [];

  const create = async <T extends Identified>(of: SharingServer, path: string, body: object): Promise<T> => {
    const created = await of.request<T>('POST', path, body);
    expect([created.status, created.body.identity]).to.deep.equal([200, created.body.identity]);
    return created.body;
  };
  const introduce = async (owner: SharingServer, other: SharingServer): Promise<string> => {
    const { body: self } = await other.request<SubjectResource>('GET', SELF);
    const sent = Buffer.from(JSON.stringify(self)).toString('base64');
    const received = JSON.parse(Buffer.from(sent, 'base64').toString()) as object;
    return (await create(owner, 'iam/v1/subjects', { ...received, display_name: 'the other' })).identity;
  };
  const upload = async ({ server, tenant }: SharingServer, content: string) => {
    const form = new FormData();
    form.set('file', new Blob([content], { type: 'text/plain' }), 'filename');
    const headers = { authorization: `Bearer ${tenant.token}` };
    const answer = await fetch(`${server.url}/archivist/v1/blobs`, { method: 'POST', body: form, headers });
    return (await answer.json()) as Identified & { hash: { value: string } };
  };
  const listAssets = (of: SharingServer, query: string) =>
    of.request<{ assets: AssetResource[]; next_page_token: string }>('GET', `v2/assets?${query}`, undefined, COUNTED);
  const listEvents = (of: SharingServer, asset: Identified, query = '') =>
    of.request<{ events: EventResource[] }>('GET', `v2/${asset.identity}/events?${query}`, undefined, COUNTED);
  const record = (of: SharingServer, asset: Identified, type: string, asset_attributes: object = {}) =>
    of.request<EventResource & Problem>('POST', `v2/${asset.identity}/events`, {
      behaviour: 'RecordEvidence',
      operation: 'Record',
      event_attributes: { arc_display_type: type },
      asset_attributes,
    });
  const count = ({ headers }: JsonAnswer<unknown>): number => Number(headers.get('x-total-count'));

  before(async () => {
    node = await startNode(QUICK_NODE);
    [alpha, beta] = await openSharingServers(node, await createDirectory());
    const subject = await introduce(alpha, beta);
    await introduce(beta, alpha);
    const file = await upload(alpha, 'a drawing');
    blob = file.identity;
    const drawing = {
      arc_attribute_type: 'arc_attachment',
      arc_blob_identity: blob,
      arc_blob_hash_alg: 'SHA256',
      arc_blob_hash_value: file.hash.value,
    };
    for (let number = 1; number <= DOORS; number += 1) {
      const attributes = { arc_display_type: 'Door', number: `${number}`, weight: '7', secret: 's', drawing };
      doors.push(await create(alpha, 'v2/assets', { attributes, public: number === 1 }));
    }
    await create(alpha, 'v2/assets', { attributes: { arc_display_type: 'Vault' } });
    await record(alpha, doors[0]!, 'Move', { weight: '6' });
    await record(alpha, doors[0]!, 'Measure', { weight: '5', secret: 't' });
    const permission = {
      subjects: [subject],
      behaviours: ['RecordEvidence'],
      asset_attributes_read: ['arc_display_type', 'number', 'weight', 'drawing'],
      asset_attributes_write: ['weight'],
      event_arc_display_type_read: ['Measure'],
      event_arc_display_type_write: ['Measure'],
    };
    const body = {
      display_name: 'doors for beta',
      filters: [{ or: ['attributes.arc_display_type=Door'] }],
      access_permissions: [permission],
    };
    policy = (await create(alpha, 'iam/v1/access_policies', body)).identity;
    await create(beta, 'v2/assets', { attributes: { arc_display_type: 'Door', number: 'own' } });
  });
  after(async () => {
    await alpha?.close();
    await beta?.close();
    await node?.kill();
  });

  it('list, count, filter and page own and shared assets with the granted attributes only', async () => {
    const all = await listAssets(beta, 'attributes.arc_display_type=Door');
    expect([all.status, count(all), all.body.assets.length]).to.deep.equal([200, DOORS + 1, DOORS + 1]);
    const shared = all.body.assets.filter(({ tenant_identity }) => tenant_identity === alpha.tenant.identity);
    expect(shared.map(({ identity }) => identity).sort()).to.deep.equal(doors.map(({ identity }) => identity).sort());
    for (const { attributes } of shared)
      expect(Object.keys(attributes).sort()).to.deep.equal(['arc_display_type', 'drawing', 'number', 'weight']);
    const one = await listAssets(beta, 'attributes.number=2');
    expect(one.body.assets.map(({ identity }) => identity)).to.deep.equal([doors[1]!.identity]);
    expect(count(await listAssets(beta, 'attributes.secret=s'))).to.equal(0);
    expect(count(await listAssets(beta, 'attributes.arc_display_type=Vault'))).to.equal(0);
    const paged: string[] = [];
    for (let query = 'page_size=2'; query !== ''; ) {
      const { body } = await listAssets(beta, query);
      paged.push(...body.assets.map(({ identity }) => identity));
      query = body.next_page_token && `page_token=${encodeURIComponent(body.next_page_token)}`;
    }
    expect(paged).to.deep.equal(all.body.assets.map(({ identity }) => identity));
  });

  it('show the events of the granted types', async () => {
    const { body } = await listEvents(beta, doors[0]!);
    expect(body.events).to.have.length(1);
    expect(body.events[0]).to.deep.include({
      tenant_identity: alpha.tenant.identity,
      asset_attributes: { weight: '5' },
      event_attributes: { arc_display_type: 'Measure' },
    });
    expect((await beta.request('GET', `v2/${body.events[0]!.identity}`)).body).to.deep.equal(body.events[0]);
  });

  it('describe an attachment whose bytes are on the other server, and say where they are not', async () => {
    const path = `v2/attachments/${doors[1]!.identity}/${toUuid(blob)}`;
    const info = await beta.request<{ hash: { value: string } }>('GET', `${path}/info`);
    expect(info.status).to.equal(200);
    const { status, body } = await beta.request<Problem>('GET', `${path}?allow_insecure=true`);
    expect([status, body.details[0]!.error]).to.deep.equal([404, 'BLOB_ELSEWHERE']);
    expect(JSON.stringify(body)).to.include(info.body.hash.value);
    const { server, tenant } = alpha;
    const headers = { authorization: `Bearer ${tenant.token}` };
    const read = await fetch(`${server.url}/archivist/${path}?allow_insecure=true`, { headers });
    expect([read.status, await read.text()]).to.deep.equal([200, 'a drawing']);
  });

  it('take a contribution of the other organisation into the lists and the compliance of the owner', async () => {
    const checked = await create(alpha, 'v1/compliance_policies', {
      compliance_type: 'COMPLIANCE_RICHNESS',
      description: 'is not too heavy',
      display_name: 'light',
      asset_filter: [{ or: ['attributes.arc_display_type=Door'] }],
      richness_assertions: [{ or: ['weight<9'] }],
    });
    const isCompliant = async (): Promise<boolean> => {
      const path = `v1/compliance/assets/${toUuid(doors[2]!.identity)}`;
      return (await alpha.request<{ compliant: boolean }>('GET', path)).body.compliant;
    };
    expect(await isCompliant()).to.equal(true);
    // Its time is its block's, in whole seconds, which may be before that of an asset of the same second.
    const createdMs = Date.parse(doors[2]!.at_time);
    await until(() => Date.now() - (Date.now() % 1_000) > createdMs);
    const { status, body: event } = await record(beta, doors[2]!, 'Measure', { weight: '9' });
    expect([status, event.tenant_identity]).to.deep.equal([200, beta.tenant.identity]);
    const listed = await listEvents(alpha, doors[2]!);
    expect(listed.body.events[0]).to.deep.equal((await alpha.request('GET', `v2/${event.identity}`)).body);
    expect(listed.body.events.map(({ identity }) => identity)).to.include(event.identity);
    const { body: shown } = await alpha.request<AssetResource>('GET', `v2/${doors[2]!.identity}`);
    expect(shown.attributes.weight).to.equal('9');
    expect(count(await listAssets(alpha, 'attributes.weight=9'))).to.equal(1);
    // From the time of its block on, which Hardhat sets up to seconds ahead.
    await until(async () => !(await isCompliant()));
    expect((await alpha.request('DELETE', `v1/${checked.identity}`)).status).to.equal(200);
    const refused = await record(beta, doors[2]!, 'Measure', { number: '9' });
    expect([refused.status, refused.body.details[0]!.error]).to.deep.equal([403, 'CONTRIBUTION_FORBIDDEN']);
  });

  it("describe a file that the other organisation's event attaches, and say that it is not here, also in public", async () => {
    const { identity, hash } = await upload(beta, 'a photo');
    const photo = { arc_attribute_type: 'arc_attachment', arc_blob_identity: identity };
    const { status, body: event } = await beta.request<EventResource>('POST', `v2/${doors[0]!.identity}/events`, {
      behaviour: 'RecordEvidence',
      operation: 'Record',
      event_attributes: { arc_display_type: 'Measure', photo },
    });
    expect(status).to.equal(200);
    const path = `${event.identity}/${toUuid(identity)}`;
    expect((await alpha.request('GET', `v2/attachments/${path}/info`)).status).to.equal(200);
    const headers = { authorization: `Bearer ${alpha.tenant.token}` };
    for (const [record, init] of [[path, { headers }], [`public${path}`]] as const) {
      const answer = await fetch(`${alpha.server.url}/archivist/v2/attachments/${record}?allow_insecure=true`, init);
      const { details } = (await answer.json()) as Problem;
      expect([answer.status, details[0]!.error]).to.deep.equal([404, 'BLOB_ELSEWHERE']);
      expect(JSON.stringify(details)).to.include(hash.value);
    }
  });

  it('show a shared asset at a past time', async () => {
    const before = (await listEvents(alpha, doors[2]!)).body.events.at(-1)!.timestamp_accepted;
    const { body } = await beta.request<AssetResource>('GET', `v2/${doors[2]!.identity}?at_time=${before}`);
    expect(body.attributes).to.include({ number: '3', weight: '7' }).and.not.have.property('secret');
  });

  it('serve no tenant but their own', async () => {
    const listed = await listTenants(beta.ledger);
    expect(listed.map(({ tenantIdentity, state }) => [tenantIdentity, state])).to.deep.equal([
      [beta.tenant.identity, 'serving'],
      [alpha.tenant.identity, 'sharing'],
    ]);
    expect(listed[1]!.administrator).to.match(/^0x[0-9a-f]{40}$/);
    const path = `archivist/v2/public${doors[0]!.identity}`;
    expect((await fetch(`${alpha.server.url}/${path}`)).status).to.equal(200);
    expect((await fetch(`${beta.server.url}/${path}`)).status).to.equal(404);
    const events = await (await fetch(`${beta.server.url}/archivist/v2/publicassets/-/events`)).json();
    expect((events as { events: unknown[] }).events).to.deep.equal([]);
    const info = `v1/tenancies/${toUuid(alpha.tenant.identity)}:publicinfo`;
    expect((await alpha.request('GET', info)).status).to.equal(200);
    expect((await beta.request('GET', info)).status).to.equal(404);
    expect(await beta.ledger.view.readTenantIdentity('alpha')).to.equal(undefined);
    const { client_id, credentials } = await create<
      Identified & { client_id: string; credentials: { secret: string }[] }
    >(alpha, 'iam/v1/applications', { display_name: 'gauge', roles: ['writer'] });
    await beta.request('GET', 'v2/assets');
    const form = { grant_type: 'client_credentials', client_id, client_secret: credentials[0]!.secret };
    const statuses = await Promise.all(
      [alpha, beta].map(async ({ server }) => {
        const url = `${server.url}/archivist/iam/v1/appidp/token`;
        return (await fetch(url, { method: 'POST', body: new URLSearchParams(form) })).status;
      }),
    );
    expect(statuses).to.deep.equal([200, 401]);
  });

  it('end the sharing with the policy, and keep what was contributed and who could see what', async () => {
    const [listed, own, weight] = [
      await listEvents(alpha, doors[2]!),
      await listEvents(beta, doors[2]!),
      (await listAssets(alpha, 'attributes.number=3')).body.assets[0]!.attributes.weight,
    ];
    expect([own.body.events.length, weight]).to.deep.equal([1, '9']);
    const policies = `iam/v1/assets/${toUuid(doors[2]!.identity)}/access_policies`;
    const before = new Date().toISOString();
    const racing = Array.from({ length: RACING }, () => record(beta, doors[3]!, 'Measure', { weight: '2' }));
    const [answers, deleted] = await Promise.all([Promise.all(racing), alpha.request('DELETE', `iam/v1/${policy}`)]);
    expect(deleted.status).to.equal(200);
    expect([200, 404, 409]).to.include.members(answers.map(({ status }) => status));
    const acknowledged = answers.filter(({ status }) => status === 200).map(({ body }) => body.identity);
    const contributed = (await listEvents(alpha, doors[3]!)).body.events.filter((event) => event.contribution);
    expect(contributed.map(({ identity }) => identity).sort()).to.deep.equal(acknowledged.sort());
    const left = await listAssets(beta, 'attributes.arc_display_type=Door');
    expect([count(left), left.body.assets[0]!.attributes.number]).to.deep.equal([1, 'own']);
    for (const path of [`v2/${doors[2]!.identity}`, `v2/${doors[0]!.identity}/events`]) {
      const missing = await beta.request(`GET`, path.replace(/[0-9a-f-]{36}/, randomUUID()));
      const { status, body } = await beta.request('GET', path);
      expect([status, body]).to.deep.equal([missing.status, missing.body]);
    }
    expect((await record(beta, doors[2]!, 'Measure', { weight: '1' })).status).to.equal(404);
    expect((await listAssets(alpha, 'attributes.number=3')).body.assets[0]!.attributes.weight).to.equal(weight);
    expect((await listEvents(alpha, doors[2]!)).body).to.deep.equal(listed.body);
    const written = await beta.request<EventResource>('GET', `v2/${own.body.events[0]!.identity}`);
    expect([written.status, written.body.tenant_identity]).to.deep.equal([200, beta.tenant.identity]);
    const inEffect = async (query: string): Promise<string[]> =>
      (await alpha.request<{ access_policies: Identified[] }>('GET', `${policies}${query}`)).body.access_policies.map(
        ({ identity }) => identity,
      );
    expect(await inEffect('')).to.deep.equal([]);
    expect(await inEffect(`?at_time=${before}`)).to.deep.equal([policy]);
  });
});
