// The claims of another issuer's tokens, and what they allow.
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { toTimestamp } from '../../../../ledger/encoding/timestamp.ts';
import { toVersionIdentity } from '../../../../ledger/identity.ts';
import { type Principal, toPrincipal } from '../../../../ledger/principal.ts';
import { createAuthenticate } from '../../../../server/auth/authentication.ts';
import type { Right } from '../../../../server/auth/rights.ts';
import { fetchKeySet } from '../../../../server/auth/tokens/fetchKeySet.ts';
import type { OidcIssuerSettings } from '../../../../server/auth/tokens/oidcSettings.ts';
import { createOidcVerify } from '../../../../server/auth/tokens/oidcTokens.ts';
import { aCreation } from '../../../support/records.ts';
import { NOT_REFUSED, rejectionOf } from '../../../support/refusals.ts';
import { type OidcIssuer, startOidcIssuer } from '../../../support/startOidcIssuer.ts';
import { expectProblem } from '../../support/expectProblem.ts';
import { type OidcServer, signToken, startOidcServer, toClaims, toSettings } from '../../support/oidcServer.ts';
import { permit } from '../../support/sharing.ts';

describe('the tokens of another issuer', () => {
  let issuer: OidcIssuer;
  let server: OidcServer;
  before(async () => {
    issuer = await startOidcIssuer();
  });
  afterEach(() => server.close());
  after(() => issuer.stop());

  const start = async (changes: Partial<OidcIssuerSettings> = {}): Promise<void> => {
    server = await startOidcServer([toSettings(issuer.url, changes)]);
  };
  const sign = (changes: Record<string, unknown> = {}, header = {}) =>
    signToken(issuer, toClaims(issuer.url, server, changes), header);
  const authenticate = async (changes: Record<string, unknown>, right: Right = 'reader') =>
    createAuthenticate({ view: server.ledger.view, tokens: server.tokens })(`Bearer ${await sign(changes)}`, right);
  const refusalOf = (changes: Record<string, unknown>) => rejectionOf(authenticate(changes, 'root'));
  const post = async (changes: Record<string, unknown>) => {
    const authorization = `Bearer ${await sign(changes)}`;
    return server.request('POST', '/svc/v2/assets', { as: null, json: {}, headers: { authorization } });
  };
  const nameRoot = (principal: Principal) =>
    server.ledger.mine({
      tenantIdentity: server.tenant.identity,
      record: {
        type: 'tenant',
        identity: toVersionIdentity(server.tenant.identity, randomUUID()),
        display_name: 'first',
        root_principals: [principal],
        timestamp_accepted: toTimestamp(0),
        principal_accepted: principal,
      },
    });

  it('name the author of a record', async () => {
    await start();
    expect((await post({ roles: ['writer'], email: 'alice@example.org' })).status).to.equal(200);
    const { body } = await server.get(await sign(), '/svc/v2/assets/-/events');
    expect(body.events[0].principal_accepted).to.eql({
      issuer: issuer.url,
      subject: 'alice',
      display_name: 'Alice',
      email: 'alice@example.org',
    });
  });

  it('name a principal whose texts are cut to limits, except the subject', async () => {
    await start();
    const principalOf = async (changes: Record<string, unknown>) => (await authenticate(changes)).principal;
    expect(await principalOf({ name: `${'😀'.repeat(1025)}`, email: 7 })).to.include({
      display_name: '😀'.repeat(1024),
      email: '',
    });
    expect(await principalOf({ name: 'a\ud800b', email: 'a@b' })).to.include({
      display_name: 'a\ufffdb',
      email: 'a@b',
    });
    expect(await principalOf({ name: undefined, email: 'a@b', email_verified: false })).to.include({
      display_name: '',
      email: '',
    });
    expect(await principalOf({ sub: 's'.repeat(1024) })).to.include({ subject: 's'.repeat(1024) });
    for (const sub of ['s'.repeat(1025), '', 'a\ud800']) {
      expectProblem(await server.get(await sign({ sub })), 401, 'UNAUTHENTICATED');
    }
  });

  it('name a tenant by its identity or its UUID, and by no other text', async () => {
    await start();
    const { identity } = server.tenant;
    const uuid = identity.slice('tenant/'.length);
    for (const tenant of [identity, uuid, uuid.toUpperCase(), `tenant/${uuid.toUpperCase()}`]) {
      expect((await authenticate({ tenant })).tenantIdentity).to.equal(identity);
    }
    const others = [
      'first',
      '',
      `x/${uuid}`,
      `TENANT/${uuid}`,
      `${uuid} `,
      `tenant/tenant/${uuid}`,
      [identity],
      1,
      null,
    ];
    for (const tenant of [...others, undefined, { identity }, `tenant/${randomUUID()}`]) {
      expectProblem(await server.get(await sign({ tenant })), 401, 'UNAUTHENTICATED');
    }
  });

  it('are valid only for the tenants that are configured for their issuer', async () => {
    await start();
    const [one, other] = [server.tenant.identity, server.otherTenant.identity];
    const { now } = server.deps;
    const verify = async (tenant: string) => {
      const settings = toSettings(issuer.url, { tenants: [one] });
      const issuedAtSeconds = Math.floor(server.clock.atMs / 1000);
      const unverified = { issuer: issuer.url, keyId: 'key-1', type: 'at+jwt', issuedAtSeconds };
      return createOidcVerify(settings, { now, fetchKeySet, onProblem: () => undefined })(
        await sign({ tenant }),
        unverified,
      );
    };
    expect((await verify(one)).content.tenantIdentity).to.equal(one);
    const error = await verify(other).catch((refusal: unknown) => refusal);
    expect(error).to.include({ code: 'UNAUTHENTICATED' });
  });

  it('act for one tenant, and read nothing of another', async () => {
    await start();
    await post({ roles: ['writer'] });
    const elsewhere = await sign({ tenant: server.otherTenant.identity });
    expect((await server.get(elsewhere, '/svc/v2/assets')).body.assets).to.eql([]);
    expect((await server.get(await sign(), '/svc/v2/assets')).body.assets).to.have.length(1);
  });

  it('contain roles of this service as a list or as words; other roles, and root, grant nothing', async () => {
    await start();
    for (const roles of [['reader'], 'reader', 'openid reader x', ['admin', 'reader', 7, null], ['root', 'reader']]) {
      expect((await server.get(await sign({ roles }))).status).to.equal(200);
      expectProblem(await post({ roles }), 403, 'FORBIDDEN', 'authorization');
    }
    expect((await post({ roles: ['reader', 'writer'] })).status).to.equal(200);
    for (const roles of [
      [],
      '',
      'root',
      ['root'],
      ['Reader'],
      'reader,writer',
      { reader: true },
      undefined,
      1,
      [['reader']],
    ]) {
      expectProblem(await server.get(await sign({ roles })), 403, 'FORBIDDEN', 'authorization');
    }
  });

  it('name principals of access policies by any claim, unless their email is not verified', async () => {
    await start();
    const { identity } = server.tenant;
    await server.ledger.mine({ tenantIdentity: identity, record: aCreation({ asset_attributes: { colour: 'red' } }) });
    const user_attributes = [{ or: ['jwt_serial=7', 'email=bill@example.com'] }];
    await permit(server, server.tenant, { user_attributes, asset_attributes_read: ['colour'] });
    const count = async (claims: object): Promise<number> =>
      (await server.get(await sign({ roles: [], ...claims }), '/svc/v2/assets')).body.assets.length;
    expect(await count({ jwt_serial: 7 })).to.equal(1);
    expect(await count({ jwt_serial: '7' })).to.equal(1);
    expect(await count({ email: 'bill@example.com' })).to.equal(1);
    expect(await count({ email: 'bill@example.com', email_verified: false })).to.equal(0);
    expect(await count({ jwt_serial: 8 })).to.equal(0);
  });

  it('contain roles under another name and in another claim, if so configured', async () => {
    await start({
      tenantClaim: ['https://idp.example/tenant'],
      rolesClaim: ['realm_access', 'roles'],
      roleMap: new Map([['ledger-write', ['reader', 'writer']]]),
    });
    const claims = (names: unknown) => ({
      tenant: undefined,
      'https://idp.example/tenant': server.tenant.identity,
      roles: ['writer'],
      realm_access: { roles: names },
    });
    expect((await post(claims(['ledger-write']))).status).to.equal(200);
    expectProblem(await server.get(await sign(claims(['writer', 'reader']))), 403, 'FORBIDDEN', 'authorization');
    expectProblem(
      await server.get(await sign({ ...claims([]), realm_access: 'x' })),
      403,
      'FORBIDDEN',
      'authorization',
    );
    expectProblem(await server.get(await sign({ tenant: server.tenant.identity })), 401, 'UNAUTHENTICATED');
  });

  it('expire at the configured lifetime, even if they were verified before', async () => {
    await start({ lifetimeSecondsMax: 60, clockToleranceSeconds: 0 });
    const [used, unused] = [await sign({}), await sign({ jti: 'another' })];
    expect((await server.get(used)).status).to.equal(200);
    server.clock.atMs += 61_000;
    for (const token of [used, unused]) expectProblem(await server.get(token), 401, 'UNAUTHENTICATED');
  });

  it('grant the right root to a root principal of the tenant, for as long as it is one', async () => {
    await start();
    expect(await refusalOf({})).to.equal('FORBIDDEN');
    await nameRoot(toPrincipal({ issuer: issuer.url, subject: 'alice' }));
    expect(await refusalOf({ roles: [] })).to.equal(NOT_REFUSED);
    expect(await refusalOf({ roles: ['reader'] })).to.equal(NOT_REFUSED);
    expect(await refusalOf({ sub: 'bob' })).to.equal('FORBIDDEN');
    expectProblem(await post({ sub: 'Alice', roles: [] }), 403, 'FORBIDDEN', 'authorization');
    expect(await refusalOf({ tenant: server.otherTenant.identity })).to.equal('FORBIDDEN');
    await nameRoot(toPrincipal({ issuer: 'https://other.example', subject: 'alice' }));
    expect(await refusalOf({})).to.equal('FORBIDDEN');
  });

  it('may have a generic type, if so configured, unless a claim shows another purpose', async () => {
    await start({ tokenTypes: ['at+jwt', 'jwt'] });
    for (const typ of ['JWT', undefined, 'at+jwt']) {
      expect((await server.get(await sign({}, { typ }))).status).to.equal(200);
      expect((await server.get(await sign({ typ: 'Bearer', token_use: 'access' }, { typ }))).status).to.equal(200);
    }
    const others = [
      { nonce: 'n' },
      { at_hash: 'h' },
      { c_hash: 'h' },
      { events: {} },
      { token_use: 'id' },
      { typ: 'ID' },
    ];
    for (const claims of others)
      expectProblem(await server.get(await sign(claims, { typ: 'JWT' })), 401, 'UNAUTHENTICATED');
    expectProblem(await server.get(await sign({}, { typ: 'logout+jwt' })), 401, 'UNAUTHENTICATED');
  });

  it('are refused when they are bound to a key of the bearer', async () => {
    await start();
    expectProblem(await server.get(await sign({ cnf: { jkt: 'x' } })), 401, 'UNAUTHENTICATED');
  });

  it('expire at their time plus the tolerance for clocks, even if they were verified before', async () => {
    await start({ clockToleranceSeconds: 10 });
    const token = await sign({ exp: Math.floor(server.clock.atMs / 1000) + 60 });
    expect((await server.get(token)).status).to.equal(200);
    server.clock.atMs += 69_000;
    expect((await server.get(token)).status).to.equal(200);
    server.clock.atMs += 1_000;
    expectProblem(await server.get(token), 401, 'UNAUTHENTICATED');
  });

  it('cannot be configured with an algorithm of a shared secret, or without one', async () => {
    await start();
    for (const algorithms of [['HS256'], ['none'], ['ES256', 'HS512'], []] as never[]) {
      const settings = toSettings(issuer.url, { algorithms });
      const deps = { now: Date.now, fetchKeySet: async () => expect.fail(), onProblem: () => undefined };
      expect(() => createOidcVerify(settings, deps)).to.throw(TypeError);
    }
  });
});
