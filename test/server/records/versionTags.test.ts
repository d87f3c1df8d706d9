// `ETag` and `If-Match` of every resource that changes by versions.
import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { METHODS, readDocument, toOperations } from '../../../server/openapi/document.ts';
import { expectProblem } from '../support/expectProblem.ts';
import { anAccessPolicy, aPolicy, aSubject } from '../support/requests.ts';
import { ISSUER, type RequestOptions } from '../support/testServer.ts';
import { useNewServer } from '../support/useServer.ts';

interface Resource {
  readonly name: string;
  /** Where it is created; undefined: every tenant has one. */
  readonly collection?: string;
  readonly path?: string;
  readonly body?: object;
  /** Two changes by PATCH; empty: it has none. */
  readonly changes: readonly object[];
  readonly isDeletable: boolean;
}

const NAMES = [{ display_name: 'one' }, { display_name: 'two' }];

const RESOURCES: readonly Resource[] = [
  {
    name: 'location',
    collection: 'v2/locations',
    body: { display_name: 'Depot', latitude: 1, longitude: 2 },
    changes: NAMES,
    isDeletable: true,
  },
  { name: 'policy', collection: 'v1/compliance_policies', body: aPolicy(), changes: [], isDeletable: true },
  {
    name: 'access policy',
    collection: 'iam/v1/access_policies',
    body: anAccessPolicy(),
    changes: NAMES,
    isDeletable: true,
  },
  { name: 'subject', collection: 'iam/v1/subjects', body: aSubject(), changes: NAMES, isDeletable: true },
  {
    name: 'application',
    collection: 'iam/v1/applications',
    body: { display_name: 'Gate' },
    changes: NAMES,
    isDeletable: true,
  },
];

describe('the tag of a resource that changes by versions', () => {
  const server = useNewServer();
  const send = (method: string, path: string, options: RequestOptions = {}) =>
    server.request(method, `/svc/${path}`, { as: server.tenant.root, ...options });
  const ifMatch = (tag: string) => ({ 'If-Match': tag });

  const create = async ({ collection, body }: Resource) => {
    const answer = await send('POST', collection!, { json: body });
    expect(answer.status).to.equal(200);
    const version = collection!.slice(0, collection!.lastIndexOf('/'));
    return { path: `${version}/${answer.body.identity}`, tag: answer.headers.get('etag')! };
  };
  const readTag = async (path: string) => (await send('GET', path)).headers.get('etag')!;
  const holdAppends = () => {
    server.ledger.beforeAppend = async () => {
      for (let turn = 0; turn < 50; turn += 1) await setImmediate();
    };
  };

  for (const resource of RESOURCES) {
    const { name, changes } = resource;

    it(`is in all answers with a ${name}, and the one of its reads makes them 304`, async () => {
      const { path, tag } = await create(resource);
      expect(tag).to.match(/^"[0-9a-f-]{36}"$/);
      expect(await readTag(path)).to.equal(tag);
      const same = await send('GET', path, { headers: { 'If-None-Match': `"other", ${tag}` } });
      expect([same.status, same.headers.get('etag')]).to.eql([304, tag]);
      expect((await send('GET', path, { headers: { 'If-None-Match': '"other"' } })).status).to.equal(200);
      for (const json of changes.slice(0, 1)) {
        const { status, headers } = await send('PATCH', path, { json, headers: ifMatch(tag) });
        expect([status, headers.get('etag') === tag]).to.eql([200, false]);
        expect(headers.get('etag')).to.equal(await readTag(path));
        const unchanged = await send('PATCH', path, { json, headers: ifMatch(headers.get('etag')!) });
        expect([unchanged.status, unchanged.headers.get('etag')]).to.eql([200, headers.get('etag')]);
        expect((await send('GET', path, { headers: { 'If-None-Match': tag } })).status).to.equal(200);
      }
    });

    it(`refuses a change of a ${name} that has another one, and records nothing`, async () => {
      const { path, tag } = await create(resource);
      const count = server.ledger.records.length;
      const methods = [...(changes.length > 0 ? ['PATCH'] : []), 'DELETE'];
      for (const method of methods)
        for (const other of ['"nonsense"', `W/${tag}`, tag.slice(1, -1), '', '"", ""']) {
          const options = { headers: ifMatch(other), ...(method === 'PATCH' ? { json: changes[0] } : {}) };
          const answer = await send(method, path, options);
          expect([method, other, answer.status]).to.eql([method, other, 412]);
          expectProblem(answer, 412, 'PRECONDITION_FAILED');
        }
      expect(server.ledger.records).to.have.length(count);
      expect(await readTag(path)).to.equal(tag);
      for (const json of changes.slice(0, 1))
        expect((await send('PATCH', path, { json, headers: ifMatch('*') })).status).to.equal(200);
      const newest = await readTag(path);
      expect((await send('DELETE', path, { headers: ifMatch(`"a", ${newest}`) })).status).to.equal(200);
      expect((await send('DELETE', path, { headers: ifMatch('*') })).status).to.equal(404);
    });

    if (changes.length === 0) continue;
    it(`lets one of two changes of a ${name} at the same time succeed`, async () => {
      const { path, tag } = await create(resource);
      holdAppends();
      const sent = [...changes.map((json) => ({ json })), ...changes.map((json) => ({ json }))];
      const answers = await Promise.all(sent.map((one) => send('PATCH', path, { ...one, headers: ifMatch(tag) })));
      expect(answers.map(({ status }) => status).sort()).to.eql([200, 412, 412, 412]);
      const won = answers.find(({ status }) => status === 200)!;
      expect((await send('GET', path)).body.display_name).to.equal(won.body.display_name);
      expect(server.ledger.records).to.have.length(2);
    });
  }

  it('is that of the list of root principals', async () => {
    const path = 'v1/tenancies/root_principals';
    const own = { issuer: ISSUER, subject: server.tenant.root.subject };
    const replace = (subject: string, tag: string) =>
      send('PATCH', path, { json: { root_principals: [own, { issuer: ISSUER, subject }] }, headers: ifMatch(tag) });
    const tag = await readTag(path);
    expectProblem(await replace('x', '"nonsense"'), 412, 'PRECONDITION_FAILED');
    holdAppends();
    const answers = await Promise.all(['a', 'b'].map((subject) => replace(subject, tag)));
    expect(answers.map(({ status }) => status).sort()).to.eql([200, 412]);
    const won = answers.find(({ status }) => status === 200)!;
    expect(won.headers.get('etag')).to.equal(await readTag(path));
    expect((await send('GET', path)).body).to.eql(won.body);
    expect((await send('GET', path, { headers: { 'If-None-Match': tag } })).status).to.equal(200);
  });

  it('decides about the secret of an application, too', async () => {
    const { path, tag } = await create(RESOURCES.find(({ name }) => name === 'application')!);
    const regenerate = (of: string) => send('POST', `${path}:regenerate-secret`, { headers: ifMatch(of) });
    const first = await regenerate(tag);
    expect([first.status, first.headers.get('etag')]).to.eql([200, await readTag(path)]);
    expectProblem(await regenerate(tag), 412, 'PRECONDITION_FAILED');
    expect(server.ledger.records).to.have.length(2);
  });

  it('tells a subject that waits for the chain from one that is on it, and changes both', async () => {
    const subject = RESOURCES.find(({ name }) => name === 'subject')!;
    server.ledger.isChainAway = true;
    const { path, tag } = await create(subject);
    expect(tag).to.match(/^"[0-9a-f-]{36}\.PENDING"$/);
    expect(await readTag(path)).to.equal(tag);
    const { status } = await send('PATCH', path, { json: { display_name: 'one' }, headers: ifMatch(tag) });
    expect(status).to.equal(200);
    const stale = await send('PATCH', path, { json: { display_name: 'two' }, headers: ifMatch(tag) });
    expectProblem(stale, 412, 'PRECONDITION_FAILED');
  });

  it('is in no answer about the past', async () => {
    const { path } = await create(RESOURCES[0]!);
    server.clock.atMs += 1_000;
    const time = new Date(server.clock.atMs - 1).toISOString();
    const { status, headers } = await send('GET', `${path}?at_time=${time}`);
    expect([status, headers.get('etag')]).to.eql([200, null]);
  });

  it('is described for every operation that changes such a resource', () => {
    const document = readDocument();
    const changing = Object.keys(document.paths).flatMap((path) =>
      toOperations(document, path).filter(
        ({ method }) => method === 'patch' || method === 'delete' || method === 'put',
      ),
    );
    expect(METHODS).to.include.members(['patch', 'delete', 'put']);
    for (const { id, headerNames } of changing) expect([id, headerNames]).to.eql([id, ['If-Match']]);
    expect(changing).to.have.length(10);
  });
});
