// Forgers sign tokens with an issuer's key that the issuer would not issue: valid tokens of each issuer, with changes.
import { type JsonWebKey as CryptoJwk, createPrivateKey, sign } from 'node:crypto';
import type { JWK } from 'jose';
import type { OidcIssuer } from '../../support/startOidcIssuer.ts';
import { type OidcServer, toClaims } from './oidcServer.ts';
import { AUDIENCE, ISSUER } from './testServer.ts';

export type TokenMembers = Record<string, unknown>;

export interface Forger {
  readonly title: string;
  readonly issuer: string;
  readonly publicJwk: JWK;
  /** Header and claims of a token that is valid now. */
  header(): TokenMembers;
  claims(): TokenMembers;
  /** Signs any text with the right key. Base64url. */
  sign(text: string): Promise<string>;
}

export const toPart = (value: string | Uint8Array | TokenMembers): string =>
  Buffer.from(typeof value === 'string' || value instanceof Uint8Array ? value : JSON.stringify(value)).toString(
    'base64url',
  );

/** A token of this header and payload, signed with the right key. */
export const signParts = async (forger: Forger, header: string, payload: string | Uint8Array): Promise<string> => {
  const text = `${toPart(header)}.${toPart(payload)}`;
  return `${text}.${await forger.sign(text)}`;
};

/** The valid token with changes, signed with the right key; undefined members are omitted. */
export const forge = (forger: Forger, claims: TokenMembers = {}, header: TokenMembers = {}): Promise<string> =>
  signParts(
    forger,
    JSON.stringify({ ...forger.header(), ...header }),
    JSON.stringify({ ...forger.claims(), ...claims }),
  );

/** Signs with a P-256 key as ES256 does. */
export const signEs256 = (text: string, privateJwk: JWK): string =>
  sign('sha256', Buffer.from(text), {
    key: createPrivateKey({ key: privateJwk as CryptoJwk, format: 'jwk' }),
    dsaEncoding: 'ieee-p1363',
  }).toString('base64url');

/** The server's own tokens, of the first tenant's reader. */
export const toOwnForger = (server: OidcServer): Forger => {
  const [publicJwk] = server.tokens.jwks().keys;
  const { identity, reader } = server.tenant;
  return {
    title: "the server's own tokens",
    issuer: ISSUER,
    publicJwk: publicJwk!,
    header: () => ({ alg: 'ES256', typ: 'at+jwt', kid: publicJwk!.kid }),
    claims: () => ({
      ...toClaims(ISSUER, server, { aud: AUDIENCE, sub: reader.clientId, tenant: identity, jti: 'a' }),
      client_id: reader.clientId,
      secret_id: reader.secretId,
    }),
    sign: async (text) => signEs256(text, server.privateKeyJwk),
  };
};

/** The access tokens of another issuer. */
export const toOidcForger = async (issuer: OidcIssuer, server: OidcServer): Promise<Forger> => {
  const publicJwk = await issuer.publicJwk();
  return {
    title: `${publicJwk.alg} tokens of another issuer`,
    issuer: issuer.url,
    publicJwk,
    header: () => ({ alg: publicJwk.alg, typ: 'at+jwt', kid: publicJwk.kid }),
    claims: () => toClaims(issuer.url, server, { jti: 'a' }),
    sign: (text) => issuer.sign(text),
  };
};
