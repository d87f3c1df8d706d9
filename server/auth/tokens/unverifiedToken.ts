// Decodes a compact JWS before its verification, only as far as needed to select the issuer that verifies it. Strict
// where decoders could differ: one encoding of the same bytes, no repeated names, no header that would change how the
// rest is decoded.
import { findRepeatedName } from '../../../ledger/encoding/repeatedNames.ts';
import { isJsonObject } from '../../../ledger/records/attributes.ts';

/** The parts of an unverified token that select its verification. */
export interface UnverifiedToken {
  readonly issuer: string;
  /** Undefined: the only key of the issuer that fits. */
  readonly keyId: string | undefined;
  /** Header `typ` in lower case without `application/`; empty when there is none. */
  readonly type: string;
  /** Seconds since the epoch. */
  readonly issuedAtSeconds: number;
}

/** Longest bearer token: three times one with the 200 groups that large issuers send. */
const TOKEN_CHARACTERS_MAX = 32_768;
const KEY_ID_CHARACTERS_MAX = 256;
const COMPACT = /^([\w-]+)\.([\w-]+)\.([\w-]+)$/;
const TIMES = ['iat', 'exp', 'nbf'];
/**
 * Critical, unencoded, compressed and encrypted content isn't supported. Keys and addresses (`jku`, `jwk`, `x5u`,
 * `x5c`) are not among them, because nothing reads them: keys come from configuration, never from a token.
 */
const REFUSED_HEADERS = ['crit', 'b64', 'zip', 'enc'];
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const decodePartBytes = (part: string): Buffer => {
  const bytes = Buffer.from(part, 'base64url');
  if (bytes.toString('base64url') !== part) throw new TypeError('has a part that is not canonical base64url');
  return bytes;
};

// The messages of parsers quote what they parse.
const parsePart = (bytes: Buffer): { json: string; value: unknown } => {
  try {
    const json = decoder.decode(bytes);
    return { json, value: JSON.parse(json) };
  } catch {
    throw new TypeError('has a part that is no JSON in UTF-8');
  }
};

const decodePart = (part: string): Record<string, unknown> => {
  const bytes = decodePartBytes(part);
  const { json, value } = parsePart(bytes);
  if (!isJsonObject(value)) throw new TypeError('has a part that is not a JSON object');
  const repeated = findRepeatedName(json);
  if (repeated !== undefined) throw new TypeError('repeats a name');
  return value;
};

const toType = (typ: unknown): string => {
  if (typ === undefined) return '';
  if (typeof typ !== 'string') throw new TypeError('has a typ that is not a string');
  return typ.toLowerCase().replace(/^application\//, '');
};

const assertHeader = (header: Record<string, unknown>): void => {
  const refused = REFUSED_HEADERS.find((name) => Object.hasOwn(header, name));
  if (refused !== undefined) throw new TypeError(`has the header ${refused}`);
};

// JSON numbers can be infinite once they are parsed, and a token must expire.
const assertTimes = (claims: Record<string, unknown>): void => {
  const odd = TIMES.find((name) => claims[name] !== undefined && !Number.isFinite(claims[name]));
  if (odd !== undefined) throw new TypeError(`has an ${odd} that is not a finite number`);
};

const isKeyId = (kid: unknown): kid is string | undefined =>
  kid === undefined || (typeof kid === 'string' && kid !== '' && kid.length <= KEY_ID_CHARACTERS_MAX);

/** Decodes a token. @throws TypeError, without text of the token, when no accepted issuer sends such a JWT. */
export const decodeUnverifiedToken = (token: string): UnverifiedToken => {
  if (token.length > TOKEN_CHARACTERS_MAX) throw new TypeError(`is longer than ${TOKEN_CHARACTERS_MAX} characters`);
  const parts = COMPACT.exec(token);
  if (parts === null) throw new TypeError('is not a compact JWS');
  const header = decodePart(parts[1]!);
  const claims = decodePart(parts[2]!);
  decodePartBytes(parts[3]!);
  assertHeader(header);
  assertTimes(claims);
  const { kid } = header;
  const { iss, iat } = claims;
  if (!isKeyId(kid)) throw new TypeError('has an invalid kid');
  if (typeof iss !== 'string' || typeof iat !== 'number') throw new TypeError('lacks iss or iat');
  return { issuer: iss, keyId: kid, type: toType(header.typ), issuedAtSeconds: iat };
};
