// Access tokens in the shapes in which issuers send them, with the settings that docs/access.md states for each.
import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { exportJWK, generateKeyPair } from 'jose';
import type { OidcIssuerSettings } from '../../../../server/auth/tokens/oidcSettings.ts';
import { KEYS_PATH, type OidcIssuer, startOidcIssuer } from '../../../support/startOidcIssuer.ts';
import { expectProblem } from '../../support/expectProblem.ts';
import { type OidcServer, signToken, startOidcServer, toSettings } from '../../support/oidcServer.ts';

const AUDIENCE = 'https://ledger.example';
const UUIDS = Array.from({ length: 200 }, () => randomUUID());
const [CLIENT, GROUP] = UUIDS as [string, string];

interface Shape {
  readonly settings: Partial<OidcIssuerSettings>;
  readonly header: Record<string, unknown>;
  readonly claims: Record<string, unknown>;
  /** Changes with which the token is none for this service. */
  readonly others: readonly Record<string, unknown>[];
}

const toRoles = (name: string): OidcIssuerSettings['roleMap'] => new Map([[name, ['writer']]]);

const SHAPES: Record<string, Shape> = {
  Keycloak: {
    settings: { rolesClaim: ['realm_access', 'roles'], roleMap: toRoles('makers') },
    header: { typ: 'JWT' },
    claims: {
      jti: `onrtac:${CLIENT}`,
      aud: [AUDIENCE, 'account'],
      typ: 'Bearer',
      azp: 'gate',
      acr: '1',
      realm_access: { roles: ['offline_access', 'makers'] },
      resource_access: { account: { roles: ['view-profile'] } },
      scope: 'profile email',
      preferred_username: 'alice',
    },
    others: [{ aud: 'account' }, { typ: 'ID' }, { typ: 'Refresh' }],
  },
  'Keycloak without an audience of the service': {
    settings: { audiences: ['gate'], audienceClaims: ['azp'], roleMap: toRoles('makers') },
    header: { typ: 'JWT' },
    claims: { aud: 'account', azp: 'gate', typ: 'Bearer', roles: ['makers'] },
    others: [{ azp: 'other' }, { azp: undefined, aud: 'gate' }],
  },
  'Entra ID with 200 groups': {
    settings: { audiences: [CLIENT], rolesClaim: ['groups'], roleMap: toRoles(GROUP) },
    header: { typ: 'JWT', x5t: 'thumb' },
    claims: { aud: CLIENT, aio: 'E2', azp: CLIENT, azpacr: '1', groups: UUIDS, oid: CLIENT, tid: CLIENT, ver: '2.0' },
    others: [{ aud: '00000003-0000-0000-c000-000000000000' }],
  },
  Auth0: {
    settings: { rolesClaim: ['permissions'], roleMap: toRoles('write:ledger') },
    header: { typ: 'JWT' },
    claims: {
      sub: 'auth0|5f7c8ec7c33c6c004bbafe82',
      aud: [AUDIENCE, 'https://acme.auth0.com/userinfo'],
      azp: 'my_client_id',
      scope: 'openid profile write:ledger',
      permissions: ['write:ledger'],
    },
    others: [{ aud: 'https://acme.auth0.com/userinfo' }],
  },
  'Amazon Cognito': {
    settings: { audiences: ['7h3f2'], rolesClaim: ['scope'], roleMap: toRoles('ledger/write') },
    header: { typ: undefined },
    claims: { aud: undefined, client_id: '7h3f2', token_use: 'access', version: 2, scope: 'ledger/read ledger/write' },
    others: [{ client_id: 'other' }, { token_use: 'id' }, { token_use: undefined }, { aud: 'other' }],
  },
  Dex: {
    settings: {
      audiences: ['ledger'],
      allowedClaims: ['at_hash'],
      rolesClaim: ['groups'],
      roleMap: toRoles('Ledger Writers'),
    },
    header: { typ: undefined },
    claims: { aud: 'ledger', at_hash: 'h', groups: 'Ledger Writers', email: 'a@b.example', email_verified: true },
    others: [{ aud: 'other' }, { c_hash: 'h' }],
  },
  'Google service accounts': {
    settings: { rolesClaim: ['email'], roleMap: toRoles('gate@acme.iam.gserviceaccount.com') },
    header: { typ: 'JWT' },
    claims: { azp: '1', sub: '1', email: 'gate@acme.iam.gserviceaccount.com', email_verified: true },
    others: [{ aud: '1.apps.googleusercontent.com' }],
  },
  'GitHub Actions': {
    settings: { rolesClaim: ['repository'], roleMap: toRoles('acme/gate') },
    header: { typ: 'JWT', x5t: 'thumb' },
    claims: { sub: 'repo:acme/gate:ref:refs/heads/main', repository: 'acme/gate', ref: 'refs/heads/main', jti: CLIENT },
    others: [{ aud: 'https://github.com/acme' }],
  },
  'a service with one key that has no name': {
    settings: { roleMap: toRoles('makers') },
    header: { typ: 'at+jwt', kid: undefined },
    claims: { roles: 'makers' },
    others: [],
  },
};

describe('access tokens as issuers send them', () => {
  let issuer: OidcIssuer;
  let server: OidcServer;
  beforeEach(async () => {
    issuer = await startOidcIssuer('RS256');
  });
  afterEach(async () => {
    await server.close();
    await issuer.stop();
  });

  const start = async (changes: Partial<OidcIssuerSettings>): Promise<void> => {
    // The tenant is known only when the server has it, and the settings are read when a token is verified.
    const settings = { ...toSettings(issuer.url, { tokenTypes: ['at+jwt', 'jwt'], ...changes }), tenant: '' };
    server = await startOidcServer([settings]);
    settings.tenant = server.tenant.identity;
  };
  const sign = (claims: Record<string, unknown>, header: Record<string, unknown> = {}) => {
    const iat = Math.floor(server.clock.atMs / 1000);
    return signToken(issuer, { iss: issuer.url, aud: AUDIENCE, sub: 'a', iat, exp: iat + 600, ...claims }, header);
  };
  const post = async (claims: Record<string, unknown>, header: Record<string, unknown> = {}) => {
    const headers = { authorization: `Bearer ${await sign(claims, header)}` };
    return server.request('POST', '/svc/v2/assets', { as: null, json: {}, headers });
  };

  for (const [name, { settings, header, claims, others }] of Object.entries(SHAPES)) {
    it(`accepts those of ${name}, for its tenant, and no other tokens of it`, async () => {
      await start(settings);
      expect((await post(claims, header)).status).to.equal(200);
      for (const tenant of [`tenant/${randomUUID()}`, null, '']) {
        expectProblem(await post({ ...claims, tenant }, header), 401, 'UNAUTHENTICATED');
      }
      for (const other of others) expectProblem(await post({ ...claims, ...other }, header), 401, 'UNAUTHENTICATED');
    });
  }

  it('refuses a token without the name of a key where several fit', async () => {
    await start({});
    await issuer.rotate();
    expectProblem(await post({ roles: ['writer'] }, { kid: undefined }), 401, 'UNAUTHENTICATED');
  });

  it('asks again for a key that was replaced under its name, and only once in ten seconds', async () => {
    await start({});
    const { publicKey } = await generateKeyPair('RS256');
    const old = { ...(await exportJWK(publicKey)), kid: 'key-1', alg: 'RS256', use: 'sig' };
    await issuer.misbehave(KEYS_PATH, { body: JSON.stringify({ keys: [old] }) });
    expectProblem(await post({ roles: ['writer'] }), 401, 'UNAUTHENTICATED');
    const before = await issuer.fetches();
    expectProblem(await post({ roles: ['writer'], jti: '2' }), 401, 'UNAUTHENTICATED');
    expect(await issuer.fetches()).to.equal(before);
    await issuer.misbehave(KEYS_PATH, undefined);
    server.clock.atMs += 10_000;
    expect((await post({ roles: ['writer'] })).status).to.equal(200);
    expect(await issuer.fetches()).to.equal(before + 1);
  });

  it('answers 503 for a key that may have been replaced under its name while the issuer is away', async () => {
    await start({});
    expect((await post({ roles: ['writer'] })).status).to.equal(200);
    const { publicKey } = await generateKeyPair('RS256');
    const other = { ...(await exportJWK(publicKey)), kid: 'key-1', alg: 'RS256', use: 'sig' };
    await issuer.misbehave(KEYS_PATH, { body: JSON.stringify({ keys: [other] }) });
    server.clock.atMs += 300_000;
    expectProblem(await post({ roles: ['writer'] }), 401, 'UNAUTHENTICATED');
    await issuer.misbehave(KEYS_PATH, { status: 500 });
    server.clock.atMs += 10_000;
    for (const jti of ['2', '3']) expectProblem(await post({ roles: ['writer'], jti }), 503, 'ISSUER_UNAVAILABLE');
    const old = Math.floor(server.clock.atMs / 1000) - 3600;
    expectProblem(await post({ roles: ['writer'], iat: old, exp: old + 7200 }), 401, 'UNAUTHENTICATED');
    await issuer.misbehave(KEYS_PATH, undefined);
    server.clock.atMs += 10_000;
    expect((await post({ roles: ['writer'], jti: '4' })).status).to.equal(200);
  });

  it('says why it refuses a token, to its client only if the signature was right', async () => {
    await start({});
    const past = Math.floor(server.clock.atMs / 1000) - 7200;
    const wrong = [{ aud: 'other' }, { exp: past + 60, iat: past }, { tenant: 'x' }, { sub: undefined }];
    const answers = await Promise.all(wrong.map((claims) => post(claims)));
    for (const answer of answers) expectProblem(answer, 401, 'UNAUTHENTICATED', 'authorization');
    const challenges = answers.map(({ headers }) => headers.get('www-authenticate'));
    for (const challenge of challenges)
      expect(challenge).to.match(/^Bearer error="invalid_token", error_description="/);
    expect(new Set(challenges).size).to.equal(wrong.length);
    const forged = `${(await sign({ aud: 'other' })).slice(0, -8)}AAAAAAAA`;
    const answer = await server.get(forged);
    expect(answer.headers.get('www-authenticate')).to.equal('Bearer error="invalid_token"');
    expect(answer.body.details).to.eql([{ error: 'UNAUTHENTICATED' }]);
  });

  it('reads the keys where the settings say, without a discovery document', async () => {
    await start({ jwksUri: `${issuer.url}${KEYS_PATH}` });
    await issuer.misbehave('/.well-known/openid-configuration', { status: 404 });
    expect((await post({ roles: ['writer'] })).status).to.equal(200);
  });
});
