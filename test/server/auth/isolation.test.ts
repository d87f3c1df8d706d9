// A tenant's records are hidden from other tenants and from requests without a token, and can't be changed by a reader:
// for every operation of the document, a request that names existing records and one that names unknown records must
// get the same response, byte for byte.
import { expect } from 'chai';
import { isGranted } from '../../../server/auth/rights.ts';
import { type ApiOperation, readDocument, toOperations } from '../../../server/openapi/document.ts';
import { expectProblem } from '../support/expectProblem.ts';
import { TRIALS, type Trial, toMethod } from '../support/isolationTrials.ts';
import { anAccessPolicy, aPolicy, aSubject } from '../support/requests.ts';
import {
  createTenantRecords,
  fileOf,
  KEY,
  type Names,
  type TenantRecords,
  unknownNames,
} from '../support/tenantRecords.ts';
import {
  LIMITS,
  type RequestOptions,
  type ServerAnswer,
  startTestServer,
  type TestServer,
} from '../support/testServer.ts';
import { upload } from '../support/uploads.ts';

const document = readDocument(LIMITS);
const OPERATIONS = Object.keys(document.paths).flatMap((path) => toOperations(document, path));
/** Headers that depend on the time or the request, not on the records. */
const OF_REQUEST = ['date', 'x-request-id'];
const COUNTED = { 'x-request-total-count': 'true' };

// Refusals repeat the names in the request, so each name is replaced by its kind.
const withoutNames = (bytes: string, names: Names): string =>
  Object.entries(names).reduce(
    (text, [name, value]) => (typeof value === 'string' ? text.replaceAll(value, `<${name}>`) : text),
    bytes,
  );

const toBytes = ({ status, headers, body }: ServerAnswer): string => {
  const kept = [...headers].filter(([name]) => !OF_REQUEST.includes(name)).sort();
  return JSON.stringify([status, kept, body]);
};

const LISTS: readonly [list: string, query: string, items: string][] = [
  ['/v2/assets', 'tracked=ANY', 'assets'],
  ['/v2/assets/-/events', 'order_by=DEFAULT', 'events'],
  ['/v2/locations', 'order_by=DEFAULT', 'locations'],
  ['/v1/compliance_policies', 'order_by=DEFAULT', 'compliance_policies'],
  ['/iam/v1/applications', '', 'applications'],
  ['/iam/v1/access_policies', 'order_by=DEFAULT', 'access_policies'],
  ['/iam/v1/subjects', 'order_by=DEFAULT', 'subjects'],
];

describe('isolation', () => {
  let server: TestServer;
  let ofA: TenantRecords;
  let ofB: TenantRecords;
  let listsOfBBefore: string[];

  const send = (method: string, { path, options }: Trial, as: RequestOptions['as']) =>
    server.request(method.toUpperCase(), path.startsWith('/.') ? path : `/svc${path}`, { as: as!, ...options });
  const sendAll = (operation: ApiOperation, names: Names, as: RequestOptions['as']) =>
    Promise.all(TRIALS[operation.id].named(names, ofB).map((trial) => send(operation.method, trial, as)));
  const readList = ([list, query]: (typeof LISTS)[number], as: RequestOptions['as']) =>
    send('GET', { path: `${list}?page_size=1000&${query}`, options: { headers: COUNTED } }, as);
  const readLists = async (as: RequestOptions['as']): Promise<string[]> => {
    const lists = await Promise.all(LISTS.map((list) => readList(list, as)));
    const blobs = await send('GET', { path: `/v1/blobs?hash=${ofA?.sha256 ?? '0'.repeat(64)}` }, as);
    const root = await send('GET', { path: '/v1/tenancies/root_principals' }, as);
    return [...lists, blobs, root].map(toBytes);
  };

  before(async () => {
    server = await startTestServer({ limits: { ...LIMITS, applicationsMax: 100 } });
    ofB = await createTenantRecords(server, server.otherTenant);
    listsOfBBefore = (await readLists(server.otherTenant.root)).slice(0, LISTS.length);
    ofA = await createTenantRecords(server, server.tenant);
  });
  after(() => server.close());

  // No other tenant may see these.
  const expectNothingOfA = (answer: ServerAnswer): void => {
    const { public: ofPublic, ...own } = ofA;
    const { sha256: _, ...uuids } = own;
    const { reader, writer, root } = server.tenant;
    const secrets = [
      ...Object.values(uuids),
      ...Object.values(ofPublic),
      ...[reader, writer, root].map(({ subject }) => subject),
    ];
    const text = JSON.stringify([[...answer.headers], answer.body]);
    expect(secrets.filter((secret) => text.includes(secret))).to.eql([]);
  };

  it('is tested on every operation of the document', () => {
    expect(Object.keys(TRIALS)).to.have.members(OPERATIONS.map(({ id }) => id));
    for (const { id, path } of OPERATIONS.filter((operation) => /\{\w*uuid\}/.test(operation.path))) {
      const isOfTenant = id === 'getTenantPublicInfo' || id === 'getTenantEvidence';
      const tried = TRIALS[id].named(ofA, ofB).length > 0 || isOfTenant;
      expect([path, tried]).to.eql([path, true]);
    }
  });

  it('is tested with names that are valid in their own tenant', async () => {
    const named = OPERATIONS.filter(({ id, method }) => method === 'get' && TRIALS[id].named(ofA, ofA).length > 0);
    for (const { id, method, right } of named) {
      // The tested names are not those of public records.
      if (right === undefined) continue;
      const [first] = TRIALS[id].named(ofA, ofA);
      const { status } = await send(toMethod({ id, method }), first!, server.tenant.root);
      expect([id, status]).to.eql([id, id.endsWith('PublicUrl') ? 404 : 200]);
    }
  });

  describe('of one tenant', () => {
    let listsOfA: string[];
    before(async () => {
      listsOfA = await readLists(server.tenant.root);
    });
    after(async () => {
      expect(await readLists(server.tenant.root)).to.eql(listsOfA);
      expect(server.unexpected).to.eql([]);
    });

    for (const operation of OPERATIONS) {
      it(`from another tenant: ${operation.id} answers as if the records did not exist`, async () => {
        const as = server.otherTenant.root;
        const nothing = unknownNames();
        const unknown = await sendAll(operation, nothing, as);
        const answers = await sendAll(operation, ofA, as);
        expect(answers.map((answer) => withoutNames(toBytes(answer), ofA))).to.eql(
          unknown.map((answer) => withoutNames(toBytes(answer), nothing)),
        );
        for (const { status } of answers) expect(status).to.be.oneOf([200, 400, 401, 404]);
      });
    }

    it('without a token: listBlobs shows of a blob only what public records show', async () => {
      const { status, body } = await send('GET', { path: `/v1/blobs?hash=${ofA.sha256}` }, null);
      expect([status, body.blobs.length]).to.eql([200, 1]);
      const { blob, sha256, public: ofPublic, ...own } = ofA;
      expect(body.blobs[0]).to.deep.include({
        identity: `blobs/${blob}`,
        issuer: '',
        subject: '',
        attached_by_total: 1,
      });
      expect(body.blobs[0].attached_by[0]).to.match(new RegExp(`^assets/${ofPublic.asset}/events/`));
      const { reader, writer, root } = server.tenant;
      const hidden = [...Object.values(own), ...[reader, writer, root].map(({ subject }) => subject)];
      // Every public record names its tenant.
      const text = JSON.stringify(body).replaceAll(sha256, '').replaceAll(server.tenant.identity, '');
      expect(hidden.filter((secret) => text.includes(secret))).to.eql([]);
    });

    for (const operation of OPERATIONS.filter(({ isTokenOptional }) => !isTokenOptional)) {
      it(`without a token: ${operation.id} ${operation.right === undefined ? 'reveals nothing' : 'is 401'}`, async () => {
        const unknown = await sendAll(operation, unknownNames(), null);
        const answers = await sendAll(operation, ofA, null);
        expect(answers.map(toBytes)).to.eql(unknown.map(toBytes));
        const { own } = TRIALS[operation.id];
        const all = [...answers, ...(own === undefined ? [] : [await send(operation.method, own, null)])];
        for (const answer of all) {
          if (operation.right !== undefined) expectProblem(answer, 401, 'UNAUTHENTICATED');
          expectNothingOfA(answer);
        }
      });
    }

    for (const operation of OPERATIONS.filter(({ right }) => right !== undefined && !isGranted(['reader'], right))) {
      it(`from its own reader: ${operation.id} is 403, whether or not the records exist`, async () => {
        const { own } = TRIALS[operation.id];
        const trials = [
          ...[ofA, unknownNames()].flatMap((names) => TRIALS[operation.id].named(names, ofA)),
          ...(own === undefined ? [] : [own]),
        ];
        const answers = await Promise.all(trials.map((trial) => send(operation.method, trial, server.tenant.reader)));
        expect(new Set(answers.map(toBytes)).size).to.equal(1);
        for (const answer of answers) expectProblem(answer, 403, 'FORBIDDEN', 'authorization');
      });
    }

    it('from another tenant: a page token of its lists is refused like a forged one', async () => {
      for (const [list, query, items] of LISTS) {
        const first = await send('GET', { path: `${list}?page_size=1&${query}` }, server.tenant.root);
        const token: string = first.body.next_page_token;
        expect([list, first.body[items].length, token === '']).to.eql([list, 1, false]);
        const forged = `${token.slice(0, -2)}${token.endsWith('AA') ? 'BB' : 'AA'}`;
        const [theirs, none] = await Promise.all(
          [token, forged].map((each) => send('GET', { path: `${list}?page_token=${each}` }, server.otherTenant.root)),
        );
        expect(toBytes(theirs!)).to.equal(toBytes(none!));
        expectProblem(theirs!, 400, 'PAGE_TOKEN_INVALID', 'page_token');
      }
    });
  });

  describe('of two tenants', () => {
    it('leaves lists and counts of a tenant unchanged by records of another', async () => {
      const as = server.otherTenant.root;
      const lists = (await readLists(as)).slice(0, LISTS.length);
      expect(lists).to.eql(listsOfBBefore);
      for (const { id, method } of OPERATIONS.filter((operation) => operation.right !== undefined)) {
        const { own } = TRIALS[id];
        if (own !== undefined) expectNothingOfA(await send(method, own, as));
      }
    });

    it('allows two tenants the same Idempotency-Key and the same file, each with its own records', async () => {
      const as = server.otherTenant.root;
      const headers = { 'idempotency-key': KEY };
      const before = await readLists(server.tenant.root);
      for (const [path, json] of [
        ['/v2/assets', { attributes: { other: 'x' } }],
        ['/v2/locations', { display_name: 'other', latitude: 1, longitude: 1 }],
        ['/v1/compliance_policies', aPolicy({ display_name: 'other' })],
        ['/iam/v1/access_policies', anAccessPolicy({ display_name: 'other' })],
        ['/iam/v1/subjects', aSubject({ display_name: 'other' })],
      ] as const) {
        // B used the key for another request of its own; the conflict reveals nothing of A.
        expectProblem(await send('POST', { path, options: { json, headers } }, as), 409, 'IDEMPOTENCY_CONFLICT');
        const { administrator, writer } = server.otherTenant;
        const by = path.endsWith('policies') || path.endsWith('subjects') ? administrator : writer;
        const answer = await send('POST', { path, options: { json, headers } }, by);
        expect(answer.status).to.equal(200);
        expectNothingOfA(answer);
      }
      const { status, body } = await upload(server, fileOf(server.tenant), 'text/plain', { as });
      expect([status, body.hash.value, body.tenantid]).to.eql([200, ofA.sha256, server.otherTenant.identity]);
      const { blobs } = (await send('GET', { path: `/v1/blobs?hash=${ofA.sha256}` }, as)).body;
      expect(blobs.map(({ identity }: { identity: string }) => identity)).to.eql([body.identity]);
      expect(await readLists(server.tenant.root)).to.eql(before);
    });
  });
});
