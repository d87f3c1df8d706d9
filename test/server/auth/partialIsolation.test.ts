// A tenant that another one permits to read some attributes of one asset, and one type of event, finds out nothing
// else: every operation gives it the same answers, byte for byte, as on a ledger where all that is hidden differs.
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { toTenantIdentity, toUuid } from '../../../ledger/identity.ts';
import { readDocument, toOperations } from '../../../server/openapi/document.ts';
import { createAnApplication } from '../support/applications.ts';
import { TRIALS, type Trial, toMethod } from '../support/isolationTrials.ts';
import {
  aPolicy,
  aRecord,
  aSubject,
  createALocation,
  createAnAsset,
  createAPolicy,
  createASubject,
} from '../support/requests.ts';
import { introduce, permit } from '../support/sharing.ts';
import { createTenantRecords, type Names, type TenantRecords, toAttach } from '../support/tenantRecords.ts';
import { LIMITS, type ServerAnswer, startTestServer, type TestServer } from '../support/testServer.ts';
import { countedUuids, startTwin, uuidsOf } from '../support/twinServer.ts';
import { upload } from '../support/uploads.ts';

const document = readDocument(LIMITS);
const OPERATIONS = Object.keys(document.paths).flatMap((path) => toOperations(document, path));
/** Headers that depend on the time or the request, not on the records. */
const OF_REQUEST = ['date', 'x-request-id'];
const COUNTED = { headers: { 'x-request-total-count': 'true' } };
const MARKER = 'known to the owner alone';
const GRANTED = ['colour', 'label'];

const toBytes = ({ status, headers, body }: ServerAnswer): string => {
  const kept = [...headers].filter(([name]) => !OF_REQUEST.includes(name)).sort();
  // A new application's secret is random; the length of an answer with it isn't.
  return JSON.stringify([status, kept, body]).replaceAll(/"secret":"[^"]+"/g, '"secret":""');
};

// What a page token says is part of what an answer says.
const readToken = ({ body }: ServerAnswer): string =>
  Buffer.from(body.next_page_token ?? '', 'base64url').toString('latin1');

describe('isolation of a tenant with a partial permission', () => {
  let server: TestServer;
  let twin: TestServer;
  let ofC: TenantRecords;
  let shared: Names;
  let unshared: Names;
  let visibleEvent: string;
  let visibleBlob: string;
  let secrets: readonly string[];

  const asOwner = async (path: string, json: object): Promise<string> => {
    const { status, body } = await server.request('POST', `/svc/${path}`, { as: server.tenant.root, json });
    expect(status).to.equal(200);
    return toUuid(body.identity);
  };
  const uploadFile = async (content: string) => {
    const { body } = await upload(server, content, 'text/plain', { as: server.tenant.root });
    return { blob: toUuid(body.identity), sha256: body.hash.value as string };
  };
  const attachment = (blob: string) => ({ arc_attribute_type: 'arc_attachment', arc_blob_identity: `blobs/${blob}` });
  const measure = (asset_attributes: object) =>
    aRecord({ event_attributes: { arc_display_type: 'Measure', note: 'n' }, asset_attributes });

  const createRecords = async (): Promise<void> => {
    const as = server.tenant.root;
    const { location, hidden } = {
      location: await createALocation(server, { display_name: MARKER }, { as }),
      hidden: await uploadFile(MARKER),
    };
    visibleBlob = (await uploadFile('a label')).blob;
    const attributes = {
      colour: 'red',
      label: attachment(visibleBlob),
      secret: MARKER,
      [`name ${MARKER}`]: 'x',
      seal: attachment(hidden.blob),
      arc_home_location_identity: location.identity,
    };
    const behaviours = ['RecordEvidence', 'Attachments'];
    const assets = [];
    for (const _ of ['shared', 'unshared'])
      assets.push(await createAnAsset(server, { behaviours, attributes }, { as }));
    const [asset, other] = assets as [string, string];
    const declared = { principal_declared: { subject: MARKER, issuer: MARKER } };
    const event = await asOwner(`v2/assets/${asset}/events`, { ...toAttach(hidden), ...declared });
    const record = { ...measure({ colour: 'blue', secret: `${MARKER} 2` }), ...declared };
    visibleEvent = await asOwner(`v2/assets/${asset}/events`, record);
    const policy = await createAPolicy(server, aPolicy({ display_name: MARKER }), { as });
    const application = await createAnApplication(server, { display_name: MARKER, roles: ['reader'] }, { as });
    const subject = await createASubject(server, aSubject({ display_name: MARKER }), { as });
    const names = {
      ...hidden,
      tenant: toUuid(server.tenant.identity),
      location: toUuid(location.identity),
      policy: toUuid(policy.identity),
      application: application.client_id,
      subject: toUuid(subject.identity),
    };
    const accessPolicy = await shareSome(asset);
    shared = { ...names, accessPolicy, asset, event };
    unshared = { ...names, accessPolicy, asset: other, event: await asOwner(`v2/assets/${other}/events`, measure({})) };
    await asOwner(`v2/assets/${asset}/events`, measure({ secret: `${MARKER} 3` }));
    await asOwner(`v2/assets/${asset}/events`, aRecord({ event_attributes: { arc_display_type: 'Move', to: MARKER } }));
  };

  // The first tenant shares everything with the second one, and with the third one a part of one asset.
  const shareSome = async (asset: string): Promise<string> => {
    const second = { identity: toTenantIdentity(randomUUID()) };
    const [all, some] = [
      await introduce(server, server.tenant, second),
      await introduce(server, server.tenant, server.otherTenant),
    ];
    const [everything] = [['*']];
    await permit(server, server.tenant, {
      subjects: [all],
      asset_attributes_read: everything,
      event_arc_display_type_read: everything,
    });
    await asOwner(`v2/assets/${asset}/events`, measure({ serial: '7' }));
    await permit(
      server,
      server.tenant,
      {
        subjects: [some],
        behaviours: ['RecordEvidence'],
        asset_attributes_read: GRANTED,
        event_arc_display_type_read: ['Measure'],
        asset_attributes_write: ['secret'],
        event_arc_display_type_write: ['Inspection'],
      },
      [{ or: ['attributes.serial=7'] }],
    );
    return toUuid(server.ledger.mined.at(-1)!.record.identity.split('/').slice(0, 2).join('/'));
  };

  const findHidden = () => {
    const { identity } = server.tenant;
    const named = [shared.asset, visibleEvent, visibleBlob, shared.tenant];
    // The twin has one asset and some events less.
    const hiddenEvents = server.ledger.mined
      .filter(({ record }) => JSON.stringify(record).includes('"Move"'))
      .map(({ record }) => record.identity);
    const visible = server.ledger.mined
      .map(({ record }) => JSON.stringify(record))
      .filter((json) => json.includes('"Measure"') && json.includes(`"assets/${shared.asset}/events/`))
      .map((json) => toUuid(JSON.parse(json).identity));
    const uuids = uuidsOf(server.ledger, identity, [...named, ...visible]);
    const texts = [MARKER, shared.sha256, ...uuids];
    return { tenantIdentity: identity, texts, records: [`assets/${unshared.asset}`, ...hiddenEvents] };
  };

  before(async () => {
    let newUuid: () => string = randomUUID;
    server = await startTestServer({ newUuid: () => newUuid(), limits: { ...LIMITS, applicationsMax: 100 } });
    ofC = await createTenantRecords(server, server.otherTenant);
    await createRecords();
    const hidden = findHidden();
    secrets = hidden.texts;
    twin = await startTwin(server, hidden);
    newUuid = countedUuids();
  });
  after(async () => {
    await twin.close();
    await server.close();
  });

  const sendTo = (to: TestServer, method: string, { path, options }: Trial) =>
    to.request(method.toUpperCase(), path.startsWith('/.') ? path : `/svc${path}`, {
      as: server.otherTenant.root,
      ...options,
    });
  // Sends a request to both servers, one after the other.
  const send = async (method: string, trial: Trial): Promise<ServerAnswer> => {
    const answer = await sendTo(server, method, trial);
    const other = await sendTo(twin, method, trial);
    expect(toBytes(answer)).to.equal(toBytes(other));
    const text = `${toBytes(answer)} ${readToken(answer)}`;
    const [, token = ''] = trial.path.split('page_token=');
    const query = Buffer.from(token, 'base64url').toString('latin1');
    const asked = `${decodeURIComponent(trial.path)} ${query} ${JSON.stringify(trial.options ?? {})}`;
    expect(secrets.filter((secret) => text.includes(secret) && !asked.includes(secret))).to.eql([]);
    return answer;
  };
  const get = (path: string) => send('GET', { path, options: COUNTED });

  it('shows what is permitted', async () => {
    const { status, body } = await get(`/v2/assets/${shared.asset}`);
    expect([status, Object.keys(body.attributes).sort(), body.attributes.colour]).to.eql([200, GRANTED, 'blue']);
    const events = await get(`/v2/assets/${shared.asset}/events`);
    expect(events.headers.get('x-total-count')).to.equal('3');
    expect((await get(`/v2/assets/${shared.asset}/events/${visibleEvent}`)).status).to.equal(200);
    expect((await get(`/v2/attachments/assets/${shared.asset}/${visibleBlob}`)).body).to.equal('a label');
    expect((await get(`/v2/assets/${unshared.asset}`)).status).to.equal(404);
  });

  for (const { id, method } of OPERATIONS) {
    it(`${id} answers as if nothing else existed`, async () => {
      const { named, own } = TRIALS[id];
      const visible = { ...shared, event: visibleEvent, blob: visibleBlob };
      const trials = [shared, unshared, visible].flatMap((names) => named(names, ofC));
      for (const trial of own === undefined ? trials : [...trials, own]) await send(toMethod({ id, method }), trial);
    });
  }

  it('answers writes alike, permitted or not', async () => {
    for (const [type, asset_attributes] of [
      ['Inspection', { secret: 'mine' }],
      ['Inspection', { secret: MARKER }],
      ['Inspection', { colour: 'green' }],
      ['Measure', {}],
    ] as const) {
      for (const asset of [shared.asset, unshared.asset]) {
        const json = aRecord({ event_attributes: { arc_display_type: type }, asset_attributes });
        await send('POST', { path: `/v2/assets/${asset}/events`, options: { json } });
      }
    }
    await get(`/v2/assets/${shared.asset}/events`);
  });

  const value = encodeURIComponent(MARKER);
  const FILTERS = [
    '',
    ...[value, '*', 'x'].flatMap((each) => [`attributes.secret=${each}`, `attributes.secret!=${each}`]),
    ...[`name%20${value}=x`, `name%20${value}!=*`, 'seal=*', 'seal!=*', 'serial=7'].map((each) => `attributes.${each}`),
    'attributes.colour=blue',
  ];
  const EVENT_FILTERS = [
    ...FILTERS.map((each) => (each === '' ? '' : `asset_${each}`)),
    ...['arc_display_type=Move', 'arc_display_type!=Move', `to=${value}`, `to!=${value}`].map(
      (each) => `event_attributes.${each}`,
    ),
    `principal_declared.subject=${value}`,
    'behaviour=Attachments',
  ];

  for (const order of ['', 'order_by=SIMPLEHASHV1']) {
    it(`filters on what is hidden change no count, page or token (${order || 'newest first'})`, async () => {
      const lists = [
        ...FILTERS.map((filter) => `/v2/assets?${filter}`),
        ...EVENT_FILTERS.flatMap((filter) =>
          [shared.asset, '-'].map((asset) => `/v2/assets/${asset}/events?${filter}`),
        ),
      ];
      for (const list of lists) {
        const path = list.slice(0, list.indexOf('?'));
        let query = [list.slice(path.length + 1), order, 'page_size=1'].filter((each) => each !== '').join('&');
        for (let pages = 0; query !== '' && pages < 40; pages += 1) {
          const { status, body } = await get(`${path}?${query}`);
          expect([list, status]).to.eql([list, 200]);
          query = body.next_page_token === '' ? '' : `page_token=${body.next_page_token}`;
        }
      }
    });
  }

  it('differs as soon as the permission is wider: the ledgers do', async () => {
    const wider = { asset_attributes_read: ['*'], event_arc_display_type_read: ['*'] };
    const answers: string[][] = [];
    for (const each of [server, twin]) {
      const subject = await introduce(each, server.tenant, server.otherTenant);
      const revoke = await permit(each, server.tenant, { subjects: [subject], ...wider });
      const lists = [
        `/v2/assets/${shared.asset}`,
        '/v2/assets',
        '/v2/assets/-/events',
        `/v2/assets?attributes.secret=${encodeURIComponent(MARKER)}`,
      ];
      const read = lists.map((path) => sendTo(each, 'GET', { path, options: COUNTED }));
      answers.push((await Promise.all(read)).map((answer) => answer.headers.get('x-total-count') + toBytes(answer)));
      await revoke();
    }
    for (const [at, answer] of answers[0]!.entries()) expect(answer).not.to.equal(answers[1]![at]);
  });
});
