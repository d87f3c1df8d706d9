// Root principals: read and replaced by root principals alone, and never without one, even in a race.
import { expect } from 'chai';
import { toPrincipal } from '../../../../ledger/principal.ts';
import type { TenantRecord } from '../../../../ledger/records/tenant.ts';
import { expectProblem } from '../../support/expectProblem.ts';
import { ISSUER, type RequestOptions, type ServerAnswer, startTestServer } from '../../support/testServer.ts';
import { useNewServer } from '../../support/useServer.ts';

const PATH = '/svc/v1/tenancies/root_principals';
const principal = (subject: string, more: object = {}) => ({ issuer: ISSUER, subject, ...more });

describe('v1/tenancies/root_principals', () => {
  const server = useNewServer();
  let own: { issuer: string; subject: string };
  beforeEach(() => {
    own = principal(server.tenant.root.subject);
  });

  const rootOf = (subject: string) => ({ ...server.tenant.root, subject });
  const get = (options: RequestOptions = {}) => server.request('GET', PATH, { as: server.tenant.root, ...options });
  const patch = (list: unknown, options: RequestOptions = {}) =>
    server.request('PATCH', PATH, { as: server.tenant.root, json: { root_principals: list }, ...options });
  const subjectsOf = ({ body }: ServerAnswer): string[] =>
    body.root_principals.map((each: { subject: string }) => each.subject);
  // Delays changes until this number of callers was looked up as root principals: each once, and the first again at its
  // turn.
  const holdUntilKnown = (callers: number): void => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const { readTenant } = server.deps.view;
    let reads = 0;
    const counting: typeof readTenant = (identity) => {
      reads += 1;
      if (reads > callers) resolve();
      return readTenant(identity);
    };
    Object.assign(server.deps.view, { readTenant: counting });
    server.ledger.beforeAppend = () => promise;
  };

  it('are those of the tenant, with all of their fields', async () => {
    const { status, body } = await get();
    const shown = toPrincipal({ ...own, display_name: 'Root' });
    expect([status, body]).to.eql([200, { root_principals: [shown] }]);
  });

  it('are replaced together, at once, by another version on the ledger', async () => {
    const { status, body } = await patch([principal('b', { email: 'b@b.example' }), own]);
    const list = [toPrincipal(principal('b', { email: 'b@b.example' })), toPrincipal(own)];
    expect([status, body]).to.eql([200, { root_principals: list }]);
    expect((await get({ as: rootOf('b') })).body).to.eql({ root_principals: list });
    const record = server.ledger.records.at(-1) as TenantRecord;
    expect(record).to.deep.include({ type: 'tenant', display_name: 'first', root_principals: list });
    expect(record.principal_accepted.subject).to.equal(own.subject);
    expect((await server.deps.view.readTenantIdentity('first'))!).to.equal(server.tenant.identity);
  });

  it('have no new version when nothing changes', async () => {
    await patch([own, principal('b')]);
    expect((await patch([own, principal('b')])).status).to.equal(200);
    expect(server.ledger.records).to.have.length(1);
  });

  it('are shown while the change waits for the chain, and lose their right at once', async () => {
    await patch([own, principal('b')]);
    server.ledger.isChainAway = true;
    expect(subjectsOf(await patch([principal('b')], { as: rootOf('b') }))).to.eql(['b']);
    expectProblem(await get(), 403, 'FORBIDDEN', 'authorization');
    expect(subjectsOf(await get({ as: rootOf('b') }))).to.eql(['b']);
    expect(subjectsOf(await patch([principal('b'), principal('c')], { as: rootOf('b') }))).to.eql(['b', 'c']);
  });

  const refused: [title: string, toList: () => unknown, field: string][] = [
    ['removes the caller', () => [principal('b')], 'root_principals'],
    ['is empty', () => [], 'root_principals'],
    ['is missing', () => undefined, 'root_principals'],
    ['is none', () => ({}), 'root_principals'],
    ['has the caller of another issuer', () => [{ ...own, issuer: 'x' }], 'root_principals root_principals/0/issuer'],
    ['lacks an issuer', () => [own, { subject: 'b' }], 'root_principals/1/issuer'],
    ['lacks a subject', () => [own, { issuer: ISSUER }], 'root_principals/1/subject'],
    ['has an empty issuer', () => [own, { issuer: '', subject: 'b' }], 'root_principals/1/issuer'],
    ['has an empty subject', () => [principal(''), own], 'root_principals/0/subject'],
    ['has another issuer', () => [own, { issuer: 'https://elsewhere', subject: 'b' }], 'root_principals/1/issuer'],
    [
      'has the same issuer in other letters',
      () => [own, { issuer: ISSUER.toUpperCase(), subject: 'b' }],
      'root_principals/1/issuer',
    ],
    ['has a principal twice', () => [own, principal('b'), principal('b', { email: 'x' })], 'root_principals/2'],
    ['has the caller twice', () => [own, own], 'root_principals/1'],
    ['has too many', () => [own, ...Array.from({ length: 100 }, (_, at) => principal(`${at}`))], 'root_principals'],
    ['has a long subject', () => [own, principal('x'.repeat(1025))], 'root_principals/1/subject'],
    ['has a long issuer', () => [own, { issuer: 'x'.repeat(1025), subject: 'b' }], 'root_principals/1/issuer'],
    [
      'has a long name',
      () => [own, principal('b', { display_name: 'x'.repeat(1025) })],
      'root_principals/1/display_name',
    ],
    ['has a long address', () => [own, principal('b', { email: 'x'.repeat(1025) })], 'root_principals/1/email'],
    ['has an unknown field', () => [own, principal('b', { role: 'root' })], 'root_principals/1/role'],
    ['has a subject that is no text', () => [own, { issuer: ISSUER, subject: 1 }], 'root_principals/1/subject'],
  ];
  for (const [title, toList, fields] of refused) {
    it(`refuse a list that ${title}`, async () => {
      const answer = await patch(toList());
      expectProblem(answer, 400, 'ROOT_PRINCIPALS_INVALID');
      expect(answer.body.details.map(({ field }: { field: string }) => field)).to.eql(fields.split(' '));
      expect(server.ledger.records).to.eql([]);
    });
  }

  it('accept a hundred', async () => {
    const list = [own, ...Array.from({ length: 99 }, (_, at) => principal(`${at}`))];
    expect((await patch(list)).status).to.equal(200);
  });

  it('are refused to other roles with 403 that names the right', async () => {
    const { reader, writer, auditor, administrator, roleless, root } = server.tenant;
    for (const as of [
      reader,
      writer,
      auditor,
      administrator,
      roleless,
      { ...root, roles: ['administrator'] as const },
    ]) {
      for (const answer of [await get({ as }), await patch([own], { as })]) {
        expectProblem(answer, 403, 'FORBIDDEN', 'authorization');
        expect(answer.body.details[0].description).to.equal('lacks the right "root"');
      }
    }
    expectProblem(await get({ as: null }), 401, 'UNAUTHENTICATED');
  });

  it('are separate for each tenant', async () => {
    const as = server.otherTenant.root;
    expect(subjectsOf(await get({ as }))).to.eql([as.subject]);
    expectProblem(await patch([own], { as }), 400, 'ROOT_PRINCIPALS_INVALID', 'root_principals');
    expect(subjectsOf(await patch([principal(as.subject), own], { as }))).to.eql([as.subject, own.subject]);
    expect(subjectsOf(await get())).to.eql([own.subject]);
  });

  it('refuse a principal that the previous change removed, with 403', async () => {
    await patch([own, principal('b')]);
    holdUntilKnown(2);
    const answers = await Promise.all([patch([own]), patch([principal('b')], { as: rootOf('b') })]);
    const [winner, loser] = answers.sort((one, other) => one.status - other.status);
    expect(winner!.status).to.equal(200);
    expectProblem(loser!, 403, 'FORBIDDEN', 'authorization');
    expect(loser!.body.details[0].description).to.equal('lacks the right "root"');
    const left = subjectsOf(winner!);
    expect(subjectsOf(await get({ as: rootOf(left[0]!) })))
      .to.eql(left)
      .and.have.length(1);
  });

  it('are never empty and never without the principal that changed them last, even in a race', async () => {
    const all = Array.from({ length: 8 }, (_, at) => `p${at}`);
    await patch([own, ...all.map((subject) => principal(subject))]);
    const racers = [own.subject, ...all];
    const without = (at: number) => racers.filter((_, other) => other !== (at + 1) % racers.length);
    holdUntilKnown(racers.length);
    const answers = await Promise.all(
      racers.map((subject, at) =>
        patch(
          without(at).map((each) => principal(each)),
          { as: rootOf(subject) },
        ),
      ),
    );
    for (const answer of answers.filter(({ status }) => status !== 200)) expectProblem(answer, 403, 'FORBIDDEN');
    const versions = server.ledger.records.slice(1) as TenantRecord[];
    expect(versions.length)
      .to.equal(answers.filter(({ status }) => status === 200).length)
      .and.be.at.least(1);
    for (const { root_principals: list, principal_accepted: by } of versions) {
      expect(list.map(({ subject }) => subject)).to.include(by.subject);
    }
    // Each was still a root principal in the version before its own.
    for (const [at, { principal_accepted: by }] of versions.slice(1).entries()) {
      expect(versions[at]!.root_principals.map(({ subject }) => subject)).to.include(by.subject);
    }
  });

  it('answer 500 when the chain refuses the change, and stay unchanged', async () => {
    const { begin } = server.deps.writer;
    Object.assign(server.deps.writer, { begin: async () => ({ confirmation_status: 'FAILED' }) });
    expect((await patch([own, principal('b')])).status).to.equal(500);
    expect(server.unexpected).to.have.length(1);
    Object.assign(server.deps.writer, { begin });
    expect(subjectsOf(await get())).to.eql([own.subject]);
  });
});

describe('GET v1/tenancies/{uuid}:publicinfo', () => {
  it('confirms that a tenant exists, without a token', async () => {
    const server = await startTestServer();
    for (const { identity } of [server.tenant, server.otherTenant]) {
      const path = `/archivist/v1/tenancies/${identity.slice('tenant/'.length)}:publicinfo`;
      for (const as of [null, server.tenant.reader, server.tenant.roleless]) {
        const { status, body } = await server.request('GET', path, { as });
        expect([status, body]).to.eql([200, { identity, verified_domain: '' }]);
      }
    }
    const get = (uuid: string) => server.request('GET', `/svc/v1/tenancies/${uuid}:publicinfo`);
    expectProblem(await get('3f0e9f6c-8d1c-4a55-9a0e-5f4f3f0d7a11'), 404, 'TENANT_NOT_FOUND');
    expectProblem(await get('first'), 400, 'IDENTITY_INVALID', 'uuid');
    await server.close();
  });
});
