// Decodes a compact JWS before its verification, only as far as needed to select the issuer that verifies it. Strict
// where decoders could differ: one encoding of the same bytes, no repeated names, no header that would select a key or
// change how the rest is decoded.
import { findRepeatedName } from '../../../ledger/encoding/repeatedNames.ts';
import { isJsonObject } from '../../../ledger/records/attributes.ts';

/** The parts of an unverified token that select its verification. */
export interface UnverifiedToken {
  readonly issuer: string;
  readonly keyId: string;
  /** Header `typ` in lower case without `application/`; empty when there is none. */
  readonly type: string;
  /** Seconds since the epoch. */
  readonly issuedAtSeconds: number;
}

/** Longest bearer token: twice the length of large issuers' tokens. */
const TOKEN_CHARACTERS_MAX = 8192;
const KEY_ID_CHARACTERS_MAX = 256;
const COMPACT = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/;
const TIMES = ['iat', 'exp', 'nbf'];
/**
 * Keys come from configuration, never from a token; critical, unencoded, compressed and encrypted content isn't
 * supported.
 */
const REFUSED_HEADERS = ['jku', 'jwk', 'x5u', 'x5c', 'crit', 'b64', 'zip', 'enc'];
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const decodePartBytes = (part: string): Buffer => {
  const bytes = Buffer.from(part, 'base64url');
  if (bytes.toString('base64url') !== part) throw new TypeError('not canonical base64url');
  return bytes;
};

const decodePart = (part: string): Record<string, unknown> => {
  const bytes = decodePartBytes(part);
  const json = decoder.decode(bytes);
  const value: unknown = JSON.parse(json);
  if (!isJsonObject(value)) throw new TypeError('not a JSON object');
  const repeated = findRepeatedName(json);
  if (repeated !== undefined) throw new TypeError(`repeats ${JSON.stringify(repeated)}`);
  return value;
};

const toType = (typ: unknown): string => {
  if (typ === undefined) return '';
  if (typeof typ !== 'string') throw new TypeError('typ is not a string');
  return typ.toLowerCase().replace(/^application\//, '');
};

const assertHeader = (header: Record<string, unknown>): void => {
  const refused = REFUSED_HEADERS.find((name) => Object.hasOwn(header, name));
  if (refused !== undefined) throw new TypeError(`has the header ${refused}`);
};

// JSON numbers can be infinite once they are parsed, and a token must expire.
const assertTimes = (claims: Record<string, unknown>): void => {
  const odd = TIMES.find((name) => claims[name] !== undefined && !Number.isFinite(claims[name]));
  if (odd !== undefined) throw new TypeError(`${odd} is not a finite number`);
};

/** Decodes a token. @throws TypeError or SyntaxError when it isn't a JWT in the form of every accepted issuer. */
export const decodeUnverifiedToken = (token: string): UnverifiedToken => {
  if (token.length > TOKEN_CHARACTERS_MAX) throw new TypeError('too long');
  const parts = COMPACT.exec(token);
  if (parts === null) throw new TypeError('not a compact JWS');
  const header = decodePart(parts[1]!);
  const claims = decodePart(parts[2]!);
  decodePartBytes(parts[3]!);
  assertHeader(header);
  assertTimes(claims);
  const { kid } = header;
  const { iss, iat } = claims;
  const isKeyId = typeof kid === 'string' && kid !== '' && kid.length <= KEY_ID_CHARACTERS_MAX;
  if (!isKeyId || typeof iss !== 'string' || typeof iat !== 'number') throw new TypeError('lacks kid, iss or iat');
  return { issuer: iss, keyId: kid, type: toType(header.typ), issuedAtSeconds: iat };
};
