import { createHmac, randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { decodeJwt, decodeProtectedHeader, exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose';
import { LedgerError } from '../../../../ledger/errors.ts';
import {
  createTokenAuthority,
  type TokenAuthority,
  type TokenAuthorityDeps,
} from '../../../../server/auth/tokens/tokenAuthority.ts';
import type { TokenContent, TokenSubject } from '../../../../server/auth/tokens/tokenContent.ts';
import { toSettings } from '../../support/oidcServer.ts';

const ISSUER = 'http://ledger.test';
const AUDIENCE = 'http://ledger.test/api';
const START_MS = Date.parse('2026-11-20T10:00:00.500Z');
const SUBJECT: TokenSubject = {
  tenantIdentity: `tenant/${randomUUID()}`,
  subject: 'alice',
  name: 'Alice',
  roles: ['root'],
  clientId: undefined,
  secretId: undefined,
  customClaims: {},
};

const toOwnContent = ({ customClaims: _, ...subject }: TokenSubject): TokenContent => ({
  ...subject,
  issuer: ISSUER,
  email: '',
  claims: {},
  isForeign: false,
});

const toBase64Url = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('tokenAuthority', () => {
  let privateKeyJwk: JWK;
  let authority: TokenAuthority;
  const clock = { atMs: START_MS };
  const create = (changes: Partial<TokenAuthorityDeps> = {}) =>
    createTokenAuthority({
      privateKeyJwk,
      issuer: ISSUER,
      audience: AUDIENCE,
      now: () => clock.atMs,
      newUuid: () => randomUUID(),
      ...changes,
    });

  before(async () => {
    privateKeyJwk = await exportJWK((await generateKeyPair('ES256', { extractable: true })).privateKey);
  });
  beforeEach(async () => {
    clock.atMs = START_MS;
    authority = await create();
  });

  const expectRefused = async (token: string): Promise<void> => {
    const error = await authority.verify(token).then(
      () => undefined,
      (refusal: unknown) => refusal,
    );
    expect(error).to.be.instanceOf(LedgerError);
    expect((error as LedgerError).code).to.equal('UNAUTHENTICATED');
  };

  /** A token of this authority with changes, signed with its key. */
  const forge = async (claims: Record<string, unknown>, header: Record<string, unknown> = {}): Promise<string> => {
    const { token } = await authority.issue(SUBJECT);
    const payload = Object.fromEntries(
      Object.entries({ ...decodeJwt(token), ...claims }).filter(([, v]) => v !== undefined),
    );
    const protectedHeader = { ...decodeProtectedHeader(token), ...header } as { alg: string };
    return new SignJWT(payload).setProtectedHeader(protectedHeader).sign(await importJWK(privateKeyJwk, 'ES256'));
  };

  it('verifies the tokens that it issued', async () => {
    const { token, expiresInSeconds } = await authority.issue(SUBJECT);
    expect(expiresInSeconds).to.equal(3600);
    expect(await authority.verify(token)).to.eql(toOwnContent(SUBJECT));
    const application: TokenSubject = { ...SUBJECT, roles: ['reader', 'writer'], clientId: 'app', secretId: '0f' };
    const issued = await authority.issue(application);
    expect(await authority.verify(issued.token)).to.eql(toOwnContent(application));
  });

  it('includes the claims of an application, none of which replaces its own claims', async () => {
    const ours = (await authority.issue({ ...SUBJECT, clientId: 'app', secretId: '0f' })).token;
    const names = Object.keys(decodeJwt(ours)).filter((name) => name !== 'jti');
    const customClaims = Object.fromEntries([...names, 'jti', 'nbf'].map((name) => [name, 'theirs']));
    const { token } = await authority.issue({
      ...SUBJECT,
      clientId: 'app',
      secretId: '0f',
      customClaims: { ...customClaims, department: 'x' },
    });
    const claims = decodeJwt(token);
    expect(claims).to.deep.include({ department: 'x' });
    for (const name of names) expect(claims[name], name).to.eql(decodeJwt(ours)[name]);
    expect(await authority.verify(token)).to.eql(await authority.verify(ours));
  });

  it('accepts its own token after the clock is set back by seconds, and not by a minute', async () => {
    const { token } = await authority.issue(SUBJECT);
    await authority.verify(token);
    clock.atMs = START_MS - 29_000;
    await authority.verify(token);
    clock.atMs = START_MS - 60_000;
    await expectRefused(token);
  });

  it('refuses a configuration with the same issuer twice', async () => {
    const error = await create({ issuers: [toSettings(ISSUER)] }).catch((refusal: unknown) => refusal);
    expect(error).to.be.instanceOf(TypeError);
  });

  it('verifies the tokens of another instance with the same key', async () => {
    const { token } = await (await create()).issue(SUBJECT);
    expect((await authority.verify(token)).subject).to.equal('alice');
  });

  it('assigns every token a unique identifier', async () => {
    const tokens = await Promise.all([authority.issue(SUBJECT), authority.issue(SUBJECT)]);
    expect(new Set(tokens.map(({ token }) => decodeJwt(token).jti)).size).to.equal(2);
  });

  it('refuses a token from the second of its expiry, even if it was verified before', async () => {
    const { token } = await authority.issue(SUBJECT);
    const { token: known } = await authority.issue(SUBJECT);
    await authority.verify(known);
    clock.atMs = decodeJwt(token).exp! * 1000 - 1;
    await authority.verify(known);
    clock.atMs += 1;
    await expectRefused(known);
    await expectRefused(token);
  });

  it('refuses a token without a signature, whatever its algorithm', async () => {
    const [header, payload, signature] = (await authority.issue(SUBJECT)).token.split('.') as [string, string, string];
    for (const alg of ['none', 'None', 'NONE', '']) {
      const unsigned = toBase64Url({ ...decodeProtectedHeader(`${header}.${payload}.`), alg });
      await expectRefused(`${unsigned}.${payload}.`);
      await expectRefused(`${unsigned}.${payload}.${signature}`);
    }
    await expectRefused(`${header}.${payload}.`);
  });

  it('refuses HS256 with the public key as its secret', async () => {
    const [publicJwk] = authority.jwks().keys;
    const payload = (await authority.issue(SUBJECT)).token.split('.')[1]!;
    const signed = `${toBase64Url({ alg: 'HS256', typ: 'at+jwt', kid: publicJwk!.kid })}.${payload}`;
    for (const secret of [JSON.stringify(publicJwk), publicJwk!.x, Buffer.from(publicJwk!.x, 'base64url')]) {
      await expectRefused(`${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`);
    }
  });

  it('refuses a changed payload and a changed signature', async () => {
    const [header, payload, signature] = (await authority.issue(SUBJECT)).token.split('.') as [string, string, string];
    const changed = toBase64Url({ ...decodeJwt(`${header}.${payload}.`), sub: 'mallory' });
    await expectRefused(`${header}.${changed}.${signature}`);
    await expectRefused(`${header}.${payload}.${signature.slice(0, -4)}AAAA`);
    await expectRefused(`${header}.${payload}`);
  });

  it('refuses a token that is signed with another key, even if it contains that key', async () => {
    const foreignJwk = await exportJWK((await generateKeyPair('ES256', { extractable: true })).privateKey);
    const foreign = await create({ privateKeyJwk: foreignJwk });
    await expectRefused((await foreign.issue(SUBJECT)).token);
    const { kty, crv, x, y } = foreignJwk;
    const header = { alg: 'ES256', typ: 'at+jwt', jwk: { kty, crv, x, y }, kid: authority.jwks().keys[0]!.kid };
    const { token } = await authority.issue(SUBJECT);
    const key = await importJWK(foreignJwk, 'ES256');
    await expectRefused(await new SignJWT(decodeJwt(token)).setProtectedHeader(header as never).sign(key));
  });

  it('refuses another issuer, audience or type of token', async () => {
    await expectRefused((await (await create({ issuer: 'http://other' })).issue(SUBJECT)).token);
    await expectRefused((await (await create({ audience: 'http://other' })).issue(SUBJECT)).token);
    await expectRefused(await forge({}, { typ: 'JWT' }));
    await expectRefused(await forge({}, { typ: undefined }));
  });

  it('refuses a token with a missing or invalid claim', async () => {
    for (const claim of ['iss', 'aud', 'sub', 'iat', 'exp', 'jti', 'tenant', 'roles', 'name']) {
      await expectRefused(await forge({ [claim]: undefined }));
    }
    const odd = [
      { roles: 'root' },
      { roles: ['owner'] },
      { tenant: 'assets/1' },
      { name: 1 },
      { client_id: 1 },
      { exp: '1' },
    ];
    for (const claims of odd) await expectRefused(await forge(claims));
    await authority.verify(await forge({}));
  });

  it('refuses a token with a lifetime over an hour, and one from the future', async () => {
    const issuedAtSeconds = Math.floor(START_MS / 1000);
    await expectRefused(await forge({ iat: issuedAtSeconds - 3601, exp: issuedAtSeconds + 3600 }));
    await expectRefused(await forge({ iat: issuedAtSeconds + 60 }));
    await expectRefused(await forge({ nbf: issuedAtSeconds + 60 }));
  });

  it('refuses a critical header parameter that it does not support', async () => {
    const payload = (await authority.issue(SUBJECT)).token.split('.')[1]!;
    const header = toBase64Url({ alg: 'ES256', typ: 'at+jwt', crit: ['exp'], exp: 1 });
    await expectRefused(`${header}.${payload}.AAAA`);
  });

  it('refuses texts that are not tokens', async () => {
    for (const token of ['', '.', '..', 'x', 'a.b.c.d.e', `${'a'.repeat(1_000_000)}.b.c`]) await expectRefused(token);
  });

  it('cannot be created with a key of another kind', async () => {
    const { privateKey } = await generateKeyPair('ES384', { extractable: true });
    const error = await create({ privateKeyJwk: await exportJWK(privateKey) }).catch((refusal: unknown) => refusal);
    expect(error).to.be.instanceOf(TypeError);
  });
});
