// Applications: created, listed, changed and deleted by callers with the right, each change a version on the ledger.
import { setImmediate } from 'node:timers/promises';
import { expect } from 'chai';
import { LedgerError } from '../../../../ledger/errors.ts';
import { toUuid } from '../../../../ledger/identity.ts';
import type { ApplicationRecord } from '../../../../ledger/records/application.ts';
import { createAnApplication } from '../../support/applications.ts';
import { expectProblem } from '../../support/expectProblem.ts';
import { LIMITS, type RequestOptions } from '../../support/testServer.ts';
import { useNewServer } from '../../support/useServer.ts';

const PATH = '/svc/iam/v1/applications';
const NO_UUID = '3f0e9f6c-8d1c-4a55-9a0e-5f4f3f0d7a11';
const AT = '2026-11-20T10:15:30.123Z';

describe('iam/v1/applications', () => {
  const server = useNewServer();

  const send = (method: string, path: string, options: RequestOptions = {}) =>
    server.request(method, path, { as: server.tenant.administrator, ...options });
  const post = (json: unknown, options: RequestOptions = {}) => send('POST', PATH, { json, ...options });
  const pathOf = ({ identity }: { identity: string }) => `${PATH}/${toUuid(identity)}`;
  const list = async (query = '', options: RequestOptions = {}) =>
    (await send('GET', `${PATH}?page_size=100${query}`, options)).body.applications;
  const slow = async (): Promise<void> => {
    for (let turn = 0; turn < 50; turn += 1) await setImmediate();
  };

  it('are created completely, and afterwards shown without their secret', async () => {
    const claims = { serial_number: 'G-3', 'https://doors.example/floor': '2' };
    const json = { display_name: 'Gate 3', roles: ['auditor', 'reader', 'auditor'], custom_claims: claims };
    const { status, body, headers } = await post(json);
    const clientId = toUuid(body.identity);
    expect([status, headers.get('cache-control')]).to.eql([200, 'no-store']);
    expect(body.credentials[0].secret).to.match(/^[\w-]{43}$/);
    const shown = {
      identity: `applications/${clientId}`,
      display_name: 'Gate 3',
      client_id: clientId,
      tenant_id: server.tenant.identity,
      custom_claims: claims,
      roles: ['reader', 'auditor'],
      credentials: [{ secret: '', valid_from: AT, valid_until: '' }],
    };
    expect({ ...body, credentials: [{ ...body.credentials[0], secret: '' }] }).to.eql(shown);
    expect((await send('GET', pathOf(body).toUpperCase().replace(/.*\//, `${PATH}/`))).body).to.eql(shown);
    expect(await list('&display_name=Gate+3')).to.eql([shown]);
    const record = server.ledger.records.at(-1) as ApplicationRecord;
    expect(record).to.deep.include({ type: 'application', is_deleted: false, secret_valid_from: AT });
    expect(record.principal_accepted.subject).to.equal(server.tenant.administrator.subject);
  });

  it('write where the client names no roles, as those of existing clients do, and have none where it names none', async () => {
    const { body } = await post({ display_name: 'x' });
    const { body: none } = await post({ display_name: 'x', roles: [] });
    expect([body.roles, body.custom_claims, none.roles]).to.eql([['writer', 'policies'], {}, []]);
  });

  it('are changed in the given fields, and keep their secret', async () => {
    const created = (await post({ display_name: 'x', roles: ['reader'], custom_claims: { a: '1', b: '2' } })).body;
    const before = server.ledger.records.at(-1) as ApplicationRecord;
    server.clock.atMs += 1000;
    const { status, body } = await send('PATCH', pathOf(created), { json: { custom_claims: { c: '3' } } });
    const credentials = [{ secret: '', valid_from: AT, valid_until: '' }];
    const shown = { ...created, custom_claims: { c: '3' }, credentials };
    expect([status, body]).to.eql([200, shown]);
    const { secret_sha256, identity } = server.ledger.records.at(-1) as ApplicationRecord;
    expect(secret_sha256).to.equal(before.secret_sha256);
    expect(identity).not.to.equal(before.identity);
    const renamed = await send('PATCH', pathOf(created), { json: { display_name: 'y', roles: [] } });
    expect(renamed.body).to.eql({ ...shown, display_name: 'y', roles: [] });
    expect((await send('GET', pathOf(created))).body).to.eql(renamed.body);
    const versions = server.ledger.records.length;
    await send('PATCH', pathOf(created), { json: {} });
    await send('PATCH', pathOf(created), { json: { display_name: 'y', custom_claims: { c: '3' } } });
    expect(server.ledger.records).to.have.length(versions);
  });

  it('are not found once they are deleted, and stay on the ledger', async () => {
    const created = await createAnApplication(server);
    const { status, body } = await send('DELETE', pathOf(created));
    expect([status, body]).to.eql([200, {}]);
    expect(server.ledger.records.at(-1)).to.deep.include({
      type: 'application',
      is_deleted: true,
      display_name: 'Gate',
    });
    for (const [method, path, options] of [
      ['GET', pathOf(created), {}],
      ['PATCH', pathOf(created), { json: { roles: [] } }],
      ['DELETE', pathOf(created), {}],
      ['POST', `${pathOf(created)}:regenerate-secret`, {}],
    ] as const) {
      expectProblem(await send(method, path, options), 404, 'APPLICATION_NOT_FOUND');
    }
    expect(await list('&display_name=Gate')).to.eql([]);
  });

  it('are deleted once by concurrent deletions, and no change restores them', async () => {
    const created = await createAnApplication(server);
    server.ledger.beforeAppend = slow;
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, at) =>
        at % 3 === 0
          ? send('DELETE', pathOf(created))
          : at % 3 === 1
            ? send('PATCH', pathOf(created), { json: { display_name: `${at}` } })
            : send('POST', `${pathOf(created)}:regenerate-secret`),
      ),
    );
    expect(
      answers
        .filter((_, at) => at % 3 === 0)
        .map(({ status }) => status)
        .sort(),
    ).to.eql([200, 404, 404, 404]);
    expect((server.ledger.records.at(-1) as ApplicationRecord).is_deleted).to.equal(true);
    expectProblem(await send('GET', pathOf(created)), 404, 'APPLICATION_NOT_FOUND');
  });

  it('are changed one after the other, so that no change is lost', async () => {
    const created = await createAnApplication(server);
    server.ledger.beforeAppend = slow;
    await Promise.all([
      send('PATCH', pathOf(created), { json: { display_name: 'renamed' } }),
      send('PATCH', pathOf(created), { json: { roles: ['writer'] } }),
      send('PATCH', pathOf(created), { json: { custom_claims: { a: 'b' } } }),
    ]);
    const { body } = await send('GET', pathOf(created));
    expect(body).to.deep.include({ display_name: 'renamed', roles: ['writer'], custom_claims: { a: 'b' } });
  });

  it('are seen, changed and gone while all of it waits for the chain', async () => {
    const committed = await createAnApplication(server, { display_name: 'committed' });
    server.ledger.isChainAway = true;
    const waiting = await createAnApplication(server, { display_name: 'waiting' });
    await send('PATCH', pathOf(committed), { json: { roles: ['reader'] } });
    expect((await send('GET', pathOf(committed))).body.roles).to.eql(['reader']);
    expect((await list()).slice(0, 1)[0].identity).to.equal(waiting.identity);
    await send('DELETE', pathOf(waiting));
    await send('DELETE', pathOf(committed));
    for (const each of [waiting, committed]) {
      expectProblem(await send('GET', pathOf(each)), 404, 'APPLICATION_NOT_FOUND');
    }
    expect((await list()).map(({ display_name: name }: { display_name: string }) => name)).not.to.include.members([
      'committed',
      'waiting',
    ]);
  });

  it('are listed newest first, page by page, counted when the client requests it', async () => {
    const before = (await list()).length;
    const made: string[] = [];
    for (const display_name of ['a', 'b', 'a', 'c']) {
      made.unshift((await createAnApplication(server, { display_name })).identity);
    }
    const seen: string[] = [];
    for (let query = 'page_size=3'; query !== ''; ) {
      const { body, headers } = await send('GET', `${PATH}?${query}`, { headers: { 'x-request-total-count': 'true' } });
      expect(headers.get('x-total-count')).to.equal(String(before + 4));
      seen.push(...body.applications.map(({ identity }: { identity: string }) => identity));
      query = body.next_page_token === '' ? '' : `page_token=${body.next_page_token}`;
    }
    expect(seen.slice(0, 4)).to.eql(made);
    expect(new Set(seen).size).to.equal(before + 4);
    expect((await list('&display_name=a')).map(({ identity }: { identity: string }) => identity)).to.eql([
      made[1],
      made[3],
    ]);
    const cut = await send('GET', PATH);
    expect([cut.status, cut.headers.get('content-range')]).to.eql([206, `items 0-5/${before + 4}`]);
    const other = await server.request('GET', `${PATH}?page_token=${cut.body.next_page_token}`, {
      as: server.otherTenant.root,
    });
    expectProblem(other, 400, 'PAGE_TOKEN_INVALID', 'page_token');
    expectProblem(await send('GET', `${PATH}?order_by=DISPLAY_NAME`), 400, 'REQUEST_INVALID', 'order_by');
  });

  it('are read by an auditor and changed by an administrator, and by no other role', async () => {
    const created = await createAnApplication(server);
    const { reader, writer, auditor, root } = server.tenant;
    for (const as of [auditor, root]) expect((await send('GET', pathOf(created), { as })).status).to.equal(200);
    for (const as of [reader, writer])
      expectProblem(await send('GET', PATH, { as }), 403, 'FORBIDDEN', 'authorization');
    for (const as of [reader, writer, auditor]) {
      expectProblem(await post({ display_name: 'x' }, { as }), 403, 'FORBIDDEN', 'authorization');
      expectProblem(await send('DELETE', pathOf(created), { as }), 403, 'FORBIDDEN', 'authorization');
    }
  });

  const LONG = 'x'.repeat(1025);
  const many = (count: number, value: string) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`n${at}`, value]));
  const refused: [title: string, json: object, field: string, code?: 'APPLICATION_INVALID'][] = [
    ['no name', {}, 'display_name'],
    ['an empty name', { display_name: '' }, 'display_name'],
    ['a long name', { display_name: 'x'.repeat(256) }, 'display_name'],
    ['an unknown role', { roles: ['emperor'] }, 'roles/0'],
    ['the role of a root principal', { roles: ['reader', 'root'] }, 'roles/1'],
    ['too many roles', { roles: Array(11).fill('reader') }, 'roles'],
    ['a secret of its own', { client_secret: 'x' }, 'client_secret'],
    ['claims that are a list', { custom_claims: [] }, 'custom_claims'],
    ['a claim that is a number', { custom_claims: { a: 1 } }, 'custom_claims/a'],
    ['a long claim', { custom_claims: { a: LONG } }, 'custom_claims/a'],
    ['too many claims', { custom_claims: many(51, '') }, 'custom_claims'],
    ['too much in claims', { custom_claims: many(50, 'x'.repeat(40)) }, 'custom_claims', 'APPLICATION_INVALID'],
    ['a claim of no name', { custom_claims: { '': 'x' } }, 'custom_claims/', 'APPLICATION_INVALID'],
    [
      'a claim of a long name',
      { custom_claims: { ['x'.repeat(129)]: 'x' } },
      `custom_claims/${'x'.repeat(129)}`,
      'APPLICATION_INVALID',
    ],
    ...[
      'sub',
      'Roles',
      'tenant',
      'client_id',
      'secret_id',
      'scope',
      'exp',
      'email',
      'a b',
      '1a',
      'é',
      'constructor',
    ].map((name): [string, object, string, 'APPLICATION_INVALID'] => [
      `a claim ${name}`,
      { custom_claims: { fine: 'x', [name]: 'x' } },
      `custom_claims/${name}`,
      'APPLICATION_INVALID',
    ]),
  ];
  for (const [title, changes, field, code = 'REQUEST_INVALID'] of refused) {
    it(`are refused with ${title}`, async () => {
      const json = title === 'no name' ? changes : { display_name: 'x', ...changes };
      expectProblem(await post(json), 400, code, field);
      const path = `${PATH}/${server.tenant.reader.clientId}`;
      if (title !== 'no name') expectProblem(await send('PATCH', path, { json: changes }), 400, code, field);
      expect([server.ledger.records, server.unexpected]).to.eql([[], []]);
    });
  }

  it('are refused with a claim __proto__', async () => {
    const headers = { 'content-type': 'application/json' };
    const body = '{"display_name":"x","custom_claims":{"__proto__":"x"}}';
    expectProblem(await send('POST', PATH, { body, headers }), 400, 'APPLICATION_INVALID', 'custom_claims/__proto__');
  });

  it('are 404 if they do not exist, and 400 if the identity is invalid', async () => {
    for (const [method, suffix, json] of [
      ['GET', ''],
      ['PATCH', '', {}],
      ['DELETE', ''],
      ['POST', ':regenerate-secret'],
    ] as const) {
      const options = json === undefined ? {} : { json };
      expectProblem(await send(method, `${PATH}/${NO_UUID}${suffix}`, options), 404, 'APPLICATION_NOT_FOUND');
      expectProblem(await send(method, `${PATH}/gate${suffix}`, options), 400, 'IDENTITY_INVALID', 'uuid');
    }
  });

  it('are limited, without deleted ones, however many are created at once', async () => {
    const left = LIMITS.applicationsMax - (await list()).length;
    const first = await createAnApplication(server);
    await send('DELETE', pathOf(first));
    server.ledger.beforeAppend = slow;
    const answers = await Promise.all(Array.from({ length: left + 5 }, () => post({ display_name: 'x' })));
    for (const answer of answers.filter(({ status }) => status !== 200)) {
      expectProblem(answer, 402, 'APPLICATION_QUOTA_REACHED');
    }
    expect(answers.filter(({ status }) => status === 200)).to.have.length(left);
    expect((await post({ display_name: 'x' }, { as: server.otherTenant.root })).status).to.equal(200);
  });

  it('are created by every request without an Idempotency-Key', async () => {
    const [one, other] = [await post({ display_name: 'x' }), await post({ display_name: 'x' })];
    expect([one.status, other.status]).to.eql([200, 200]);
    expect(one.body.identity).not.to.equal(other.body.identity);
  });

  it('leave no record when the ledger does not accept them', async () => {
    server.ledger.beforeAppend = async () => {
      throw new LedgerError('OUTBOX_FULL');
    };
    const before = await list();
    expectProblem(await post({ display_name: 'x' }), 503, 'OUTBOX_FULL');
    expectProblem(await send('DELETE', `${PATH}/${server.tenant.reader.clientId}`), 503, 'OUTBOX_FULL');
    expect(await list()).to.eql(before);
  });
});
