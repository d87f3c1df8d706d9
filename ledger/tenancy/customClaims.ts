// Claims that an application brings into its tokens. Never one that a token has a meaning for by itself: who it is about, who issued it, for
// whom, until when and what it may do is said by this server alone.
import { type FieldViolation, LedgerError } from '../errors.ts';

/** Bytes of UTF-8 of the JSON of all claims of an application: a token has to fit into a header. */
export const CLAIMS_BYTES_MAX = 2048;

const NAME = /^[A-Za-z][A-Za-z0-9_.:/-]{0,127}$/;

// Of the JWT registry of IANA (RFC 7519, 8693, 9068, OpenID Connect) and of common issuers, and ours; in lower case.
const RESERVED: ReadonlySet<string> = new Set(
  [
    'iss sub aud exp nbf iat jti typ cty alg kid crit issuer subject audience',
    'tenant tenants tenant_id tenantid tid org_id oid appid application principal root is_root',
    'roles role rights right groups entitlements permissions authorities scope scopes scp realm_access resource_access',
    'client_id clientid client_secret secret secret_id azp act may_act authorization_details token_use',
    'cnf sid sub_id sub_jwk nonce auth_time acr amr at_hash c_hash s_hash events txn',
    'name given_name family_name middle_name nickname preferred_username username display_name',
    'email email_verified phone_number phone_number_verified constructor prototype',
  ].flatMap((names) => names.split(' ')),
);

/**
 * Whether an application may give a claim of this name: 1 to 128 ASCII letters, digits and `_ . : / -`, a letter first, and in no case of its
 * letters one that tokens have a meaning for.
 */
export const isCustomClaimName = (name: string): boolean => NAME.test(name) && !RESERVED.has(name.toLowerCase());

// The name as a JSON Pointer has it.
const toField = (name: string): string => `custom_claims/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;

const findWrongNames = (claims: Readonly<Record<string, string>>): FieldViolation[] =>
  Object.keys(claims)
    .filter((name) => !isCustomClaimName(name))
    .map((name) => ({ field: toField(name), description: 'has a name that a claim of its own may not have' }));

const findTooMany = (claims: Readonly<Record<string, string>>): FieldViolation[] => {
  const bytes = new TextEncoder().encode(JSON.stringify(claims)).length;
  if (bytes <= CLAIMS_BYTES_MAX) return [];
  return [{ field: 'custom_claims', description: `are ${bytes} bytes of JSON; ${CLAIMS_BYTES_MAX} at most` }];
};

/** @throws LedgerError APPLICATION_INVALID that names every claim that an application may not have, or says that they are too much. */
export const assertCustomClaims = (claims: Readonly<Record<string, string>>): void => {
  const violations = [...findWrongNames(claims), ...findTooMany(claims)];
  const [first] = violations;
  if (first === undefined) return;
  throw new LedgerError('APPLICATION_INVALID', { message: `${first.field}: ${first.description}`, violations });
};
