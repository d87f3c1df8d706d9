// The file of external issuers, and the server that reads it.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { startServerProcess } from '../../../host/lifecycle/serverProcess.ts';
import { parseOidcIssuers, readOidcIssuers } from '../../../host/settings/oidcIssuers.ts';
import { useDirectories } from '../../support/directories.ts';

const UUID = '3f0e9f6c-8d1c-4a55-9a0e-5f4f3f0d7a11';
const OTHER = '9f0e9f6c-8d1c-4a55-9a0e-5f4f3f0d7a11';
const LEAST = { issuer: 'https://login.example/realms/acme', audience: 'https://ledger.example', tenants: '*' };

describe('the file of issuers', () => {
  const newDirectory = useDirectories();
  const parse = (changes: object) => parseOidcIssuers(JSON.stringify([{ ...LEAST, ...changes }]));

  it('has safe defaults for omitted fields', () => {
    expect(parse({})).to.eql([
      {
        issuer: LEAST.issuer,
        audiences: [LEAST.audience],
        audienceClaims: undefined,
        jwksUri: undefined,
        tenant: undefined,
        tenants: 'every',
        allowedClaims: undefined,
        algorithms: ['ES256', 'RS256'],
        tokenTypes: ['at+jwt'],
        clockToleranceSeconds: 30,
        lifetimeSecondsMax: 86_400,
        tenantClaim: ['tenant'],
        rolesClaim: ['roles'],
        roleMap: undefined,
        browser: undefined,
      },
    ]);
    expect(parseOidcIssuers('[]')).to.eql([]);
  });

  it('has the same defaults for optional fields that are null', () => {
    const nulls = { clock_tolerance_seconds: null, lifetime_seconds_max: null, tenant_claim: null, roles_claim: null };
    expect(parse(nulls)).to.eql(parse({}));
  });

  it('has the scope openid for a browser that is given none', () => {
    expect(parse({ browser_client_id: 'explorer' })[0]!.browser).to.eql({ clientId: 'explorer', scope: 'openid' });
  });

  it('is refused with the unknown field before the one that is missing for it', () => {
    expect(() => parseOidcIssuers(JSON.stringify([{ issuer: LEAST.issuer, Audience: 'a', tenants: '*' }]))).to.throw(
      '[0].Audience ',
    );
  });

  it('accepts every field', () => {
    const [settings] = parse({
      issuer: 'http://127.0.0.1:9000',
      audience: ['a', 'b'],
      audience_claims: ['client_id'],
      jwks_uri: 'https://keys.example/set?v=1',
      tenant: UUID,
      tenants: [UUID.toUpperCase(), `tenant/${UUID}`],
      algorithms: ['PS256', 'EdDSA'],
      token_types: ['at+jwt', 'jwt'],
      allowed_claims: ['at_hash'],
      clock_tolerance_seconds: 0,
      lifetime_seconds_max: 600,
      tenant_claim: 'org',
      roles_claim: ['realm_access', 'roles'],
      role_map: { auditors: 'reader', makers: ['reader', 'writer'] },
      browser_client_id: 'ledger explorer',
      browser_scope: 'openid ledger:read',
    });
    expect(settings).to.eql({
      issuer: 'http://127.0.0.1:9000',
      audiences: ['a', 'b'],
      audienceClaims: ['client_id'],
      jwksUri: 'https://keys.example/set?v=1',
      tenant: `tenant/${UUID}`,
      allowedClaims: ['at_hash'],
      tenants: [`tenant/${UUID}`, `tenant/${UUID}`],
      algorithms: ['PS256', 'EdDSA'],
      tokenTypes: ['at+jwt', 'jwt'],
      clockToleranceSeconds: 0,
      lifetimeSecondsMax: 600,
      tenantClaim: ['org'],
      rolesClaim: ['realm_access', 'roles'],
      roleMap: new Map([
        ['auditors', ['reader']],
        ['makers', ['reader', 'writer']],
      ]),
      browser: { clientId: 'ledger explorer', scope: 'openid ledger:read' },
    });
  });

  it('takes the only tenant for that of tokens which name none, unless the claim is configured', () => {
    const only = { tenants: [UUID] };
    expect(parse(only)[0]!.tenant).to.equal(`tenant/${UUID}`);
    expect(parse({ ...only, tenant_claim: null })[0]!.tenant).to.equal(`tenant/${UUID}`);
    expect(parse({ ...only, tenant_claim: 'tenant' })[0]!.tenant).to.equal(undefined);
    expect(parse({ tenants: [UUID, OTHER] })[0]!.tenant).to.equal(undefined);
    expect(parse({ tenant: UUID, tenants: undefined })[0]).to.deep.include({ tenants: [`tenant/${UUID}`] });
    expect(() => parse({ tenant: UUID, tenants: [OTHER] })).to.throw('[0].tenant ');
  });

  it('is refused with the name of an invalid field', () => {
    const wrong: [string, unknown[]][] = [
      [
        'issuer',
        [undefined, '', 1, 'login', 'http://login.example', 'ftp://x', 'https://u:p@x', 'https://x?a', 'https://x#a'],
      ],
      ['audience', [undefined, '', [], [1], {}]],
      ['tenants', [undefined, [], 'all', ['acme'], ['*'], [1], `tenant/${UUID}`]],
      ['algorithms', [[], 'ES256', ['HS256'], ['none'], ['ES256', 'HS512'], ['es256'], null]],
      ['token_types', [[], ['id'], 'jwt']],
      ['clock_tolerance_seconds', [-1, 301, 1.5, '30', true]],
      ['lifetime_seconds_max', [0, 604_801, '60']],
      ['tenant_claim', ['', [], 1]],
      ['roles_claim', ['', [], ['a', '']]],
      ['role_map', [[], 'reader', { a: 'root' }, { a: ['emperor'] }, { a: [] }, { a: 1 }]],
      ['browser_client_id', ['', 1, null, 'a\nb', 'é', 'a'.repeat(257)]],
      ['browser_scope', ['', ' openid', 'a  b', 'a"b', 1, null, ['openid']]],
      ['tenant', ['x', '', null, [UUID]]],
      ['audience_claims', [[], 'aud', [1], null]],
      ['jwks_uri', ['', 'http://keys.example', 'https://u:p@x', 1]],
      ['allowed_claims', [[], ['events'], 'at_hash']],
      ['tenent', [UUID]],
    ];
    for (const [field, values] of wrong) {
      for (const value of values)
        expect(() => parse({ [field]: value }), `${field} ${value}`).to.throw(`[0].${field} `);
    }
  });

  it('is refused when it is not a list of issuers or has duplicates', () => {
    for (const json of ['', '{', '{}', 'null', '[1]', '[null]', '[[]]'])
      expect(() => parseOidcIssuers(json)).to.throw();
    const one = JSON.stringify(LEAST);
    expect(() => parseOidcIssuers(`[${one},${one}]`)).to.throw('[1].issuer');
    expect(() => parseOidcIssuers(`[${one.replace('{', '{"tenants":"*",')}]`)).to.throw('tenants');
  });

  it('is named when it does not exist', async () => {
    expect(await readOidcIssuers(undefined)).to.eql([]);
    const path = join(await newDirectory(), 'none.json');
    const error = await readOidcIssuers(path).catch((refusal: unknown) => refusal);
    expect((error as Error).message).to.include(`OIDC_ISSUERS_FILE ${path}`);
  });

  it('prevents the server from starting when it is invalid', async () => {
    const directory = await newDirectory();
    const path = join(directory, 'issuers.json');
    const start = async (issuer: object) => {
      await writeFile(path, JSON.stringify([issuer]));
      return startServerProcess(join(directory, 'data'), [], { OIDC_ISSUERS_FILE: path });
    };
    const error = await start({ ...LEAST, algorithms: ['HS256'] }).catch((refusal: unknown) => refusal);
    expect(error).to.be.instanceOf(Error);
    const server = await start(LEAST);
    expect(await server.stop('SIGTERM')).to.equal(0);
  });
});
