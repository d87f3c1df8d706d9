// Claims that an application adds to its tokens. It can't set claims with a standard meaning: subject, issuer,
// audience, expiry and rights are set by this server alone.
import { toPointerToken } from '../encoding/pointerToken.ts';
import { type FieldViolation, LedgerError } from '../errors.ts';

/** Most UTF-8 bytes of the JSON of an application's claims: a token has to fit into a header. */
export const CLAIMS_BYTES_MAX = 2048;

const NAME = /^[A-Za-z][A-Za-z0-9_.:/-]{0,127}$/;

// Claims in IANA's JWT registry (RFC 7519, 8693, 9068, OpenID Connect), claims of common issuers, and our own; in lower
// case.
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
 * Whether an application may have a claim of this name: 1 to 128 ASCII letters, digits and `_ . : / -`, beginning with
 * a letter, and not a reserved name in any case of its letters.
 */
export const isCustomClaimName = (name: string): boolean => NAME.test(name) && !RESERVED.has(name.toLowerCase());

const toField = (name: string): string => `custom_claims/${toPointerToken(name)}`;

const findWrongNames = (claims: Readonly<Record<string, string>>): FieldViolation[] =>
  Object.keys(claims)
    .filter((name) => !isCustomClaimName(name))
    .map((name) => ({ field: toField(name), description: 'has a name that a claim of its own may not have' }));

const findTooLarge = (claims: Readonly<Record<string, string>>): FieldViolation[] => {
  const bytes = new TextEncoder().encode(JSON.stringify(claims)).length;
  if (bytes <= CLAIMS_BYTES_MAX) return [];
  return [{ field: 'custom_claims', description: `are ${bytes} bytes of JSON; ${CLAIMS_BYTES_MAX} at most` }];
};

/**
 * Asserts that an application may have these claims.
 * @throws LedgerError APPLICATION_INVALID that names each claim with a name that isn't allowed, or the field when the
 * claims are too large.
 */
export const assertCustomClaims = (claims: Readonly<Record<string, string>>): void => {
  const violations = [...findWrongNames(claims), ...findTooLarge(claims)];
  const [first] = violations;
  if (first === undefined) return;
  throw new LedgerError('APPLICATION_INVALID', { message: `${first.field}: ${first.description}`, violations });
};
