// Verifies the access tokens of one configured issuer, and reads the tenant and roles of their caller. A token is valid
// only within the issuer's settings: never beyond its tenants, and never for the role `root`.
import { errors, type JWTPayload, jwtVerify } from 'jose';
import { LedgerError } from '../../../ledger/errors.ts';
import { parseTenantIdentity } from '../../../ledger/identity.ts';
import { ROLES, type Role } from '../../../ledger/records/application.ts';
import { isJsonObject } from '../../../ledger/records/attributes.ts';
import type { Claims } from '../../../ledger/sharing/userClaim.ts';
import { createIssuerKeys, type IssuerKeysDeps } from './issuerKeys.ts';
import { ALLOWABLE_CLAIMS, ASYMMETRIC_ALGORITHMS, type OidcIssuerSettings } from './oidcSettings.ts';
import type { TokenContent, VerifiedToken } from './tokenContent.ts';
import { refuseToken, TokenContentError } from './tokenRefusals.ts';
import type { UnverifiedToken } from './unverifiedToken.ts';

/** Verifies a token; rejects with UNAUTHENTICATED or ISSUER_UNAVAILABLE. */
export type VerifyToken = (token: string, unverified: UnverifiedToken) => Promise<VerifiedToken>;

/** Longest text of a principal, as for declared principals. */
const CLAIM_CHARACTERS_MAX = 1024;
/** Claims of ID tokens, of logout and other security event tokens. */
const OTHER_KINDS = [...ALLOWABLE_CLAIMS, 'events'] as const;
const ACCESS_USES: readonly unknown[] = [undefined, 'access'];
/** The claim `typ` of Keycloak's access tokens; its ID, refresh and logout tokens have others. */
const ACCESS_TYPES: readonly unknown[] = [undefined, 'Bearer'];

// A type that leaves the purpose open is accepted only if no claim indicates another purpose (RFC 8725 section 3.12).
const assertAccessToken = (type: string, claims: JWTPayload, settings: OidcIssuerSettings): void => {
  const { tokenTypes, allowedClaims = [] } = settings;
  const kind = tokenTypes.find((known) => known === (type === '' ? 'jwt' : type));
  const isOther =
    OTHER_KINDS.some((name) => Object.hasOwn(claims, name) && !allowedClaims.some((allowed) => allowed === name)) ||
    !ACCESS_USES.includes(claims.token_use) ||
    !ACCESS_TYPES.includes(claims.typ);
  if (kind === undefined || (kind === 'jwt' && isOther)) throw new TokenContentError('is not an access token');
  // It is bound to a key whose possession must be proved (RFC 7800, RFC 9449), which a bearer token doesn't do.
  if (Object.hasOwn(claims, 'cnf')) throw new TokenContentError('is not a bearer token');
};

const readClaim = (claims: JWTPayload, path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (value, name) => (isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined),
    claims,
  );

// The access tokens of Amazon Cognito, which alone have `token_use`, state their client instead of an audience.
const toUsualClaims = (claims: JWTPayload): readonly string[] =>
  claims.token_use === 'access' ? ['aud', 'client_id'] : ['aud'];

const assertAudience = (claims: JWTPayload, { audiences, audienceClaims }: OidcIssuerSettings): void => {
  const names = audienceClaims ?? toUsualClaims(claims);
  const name = names.find((one) => Object.hasOwn(claims, one));
  const claim = name === undefined ? undefined : claims[name];
  const given: readonly unknown[] = Array.isArray(claim) ? claim : [claim];
  if (!audiences.some((audience) => given.includes(audience))) throw new TokenContentError('has another audience');
};

// A claim that is there must name a tenant, so that the default never replaces what the issuer says.
const readTenant = (claims: JWTPayload, { tenant, tenantClaim, tenants }: OidcIssuerSettings): string => {
  const named = readClaim(claims, tenantClaim);
  const claim = named === undefined ? tenant : named;
  const identity = typeof claim === 'string' ? parseTenantIdentity(claim) : undefined;
  if (identity === undefined) throw new TokenContentError('has no tenant');
  if (tenants !== 'every' && !tenants.includes(identity))
    throw new TokenContentError('names another tenant than its issuer may');
  return identity;
};

// Some issuers send a list of one item as the item, which may contain blanks; others send words in one text.
const toNames = (claim: unknown, isKnown: (name: string) => boolean): readonly unknown[] => {
  if (typeof claim === 'string') return isKnown(claim) ? [claim] : claim.split(' ');
  return Array.isArray(claim) ? claim : [];
};

const readRoles = (claims: JWTPayload, { rolesClaim, roleMap }: OidcIssuerSettings): Role[] => {
  const names = toNames(readClaim(claims, rolesClaim), (name) => roleMap?.has(name) ?? false);
  const given: readonly unknown[] =
    roleMap === undefined ? names : names.flatMap((name) => roleMap.get(name as string) ?? []);
  return ROLES.filter((role) => given.includes(role));
};

const toText = (claim: unknown): string =>
  typeof claim === 'string' ? [...claim.toWellFormed()].slice(0, CLAIM_CHARACTERS_MAX).join('') : '';

// Never truncated, because two subjects could become equal.
const readSubject = ({ sub }: JWTPayload): string => {
  const isSubject = typeof sub === 'string' && sub !== '' && sub.isWellFormed() && sub.length <= CLAIM_CHARACTERS_MAX;
  if (!isSubject) throw new TokenContentError('names no subject');
  return sub;
};

const CLAIM_TYPES = ['string', 'number', 'boolean'];
const isSimple = (value: unknown): boolean => CLAIM_TYPES.includes(typeof value);

// A text is one claim, with its blanks: its words may be parts of a name.
const toClaim = (value: unknown): string | string[] | undefined => {
  if (Array.isArray(value)) return [...new Set(value.filter(isSimple).map(String))];
  return isSimple(value) ? String(value) : undefined;
};

const readClaims = (claims: JWTPayload): Claims =>
  Object.fromEntries(
    Object.entries(claims).flatMap(([name, value]) => {
      const claim = toClaim(value);
      return claim === undefined ? [] : [[name, claim]];
    }),
  );

const toContent = (claims: JWTPayload, settings: OidcIssuerSettings): TokenContent => ({
  tenantIdentity: readTenant(claims, settings),
  issuer: settings.issuer,
  subject: readSubject(claims),
  name: toText(claims.name),
  email: claims.email_verified === false ? '' : toText(claims.email),
  roles: readRoles(claims, settings),
  clientId: undefined,
  secretId: undefined,
  claims: readClaims(claims),
  isForeign: true,
});

const assertAlgorithms = ({ issuer, algorithms }: OidcIssuerSettings): void => {
  const isSafe = algorithms.length > 0 && algorithms.every((name) => ASYMMETRIC_ALGORITHMS.includes(name));
  if (!isSafe) throw new TypeError(`the algorithms of ${issuer} are not asymmetric ones`);
};

type VerifierDeps = Pick<IssuerKeysDeps, 'fetchKeySet' | 'now' | 'onProblem'>;

/**
 * Creates the function that verifies this issuer's tokens. It rejects with UNAUTHENTICATED, or ISSUER_UNAVAILABLE when
 * the keys aren't available.
 * @throws TypeError when the settings allow an algorithm that isn't asymmetric.
 */
export const createOidcVerify = (settings: OidcIssuerSettings, deps: VerifierDeps): VerifyToken => {
  assertAlgorithms(settings);
  const keys = createIssuerKeys({ ...settings, ...deps });
  const options = {
    algorithms: [...settings.algorithms],
    issuer: settings.issuer,
    requiredClaims: ['sub', 'exp'],
    maxTokenAge: settings.lifetimeSecondsMax,
    clockTolerance: settings.clockToleranceSeconds,
  };
  const verifyOnce = (token: string, { issuedAtSeconds }: UnverifiedToken) =>
    jwtVerify(token, (header) => keys.find(header, issuedAtSeconds), { ...options, currentDate: new Date(deps.now()) });
  // The issuer may have replaced the key under its name, or the only one that has none.
  const verifyByNewestKeys = async (token: string, unverified: UnverifiedToken) => {
    try {
      return await verifyOnce(token, unverified);
    } catch (error) {
      if (!(error instanceof errors.JWSSignatureVerificationFailed && (await keys.renew(unverified.issuedAtSeconds))))
        throw error;
      return verifyOnce(token, unverified);
    }
  };
  return async (token, unverified) => {
    try {
      const { payload } = await verifyByNewestKeys(token, unverified);
      assertAudience(payload, settings);
      assertAccessToken(unverified.type, payload, settings);
      const oldestMs = (payload.iat! + settings.lifetimeSecondsMax + settings.clockToleranceSeconds) * 1000;
      const validUntilMs = Math.min(payload.exp! * 1000, oldestMs, keys.freshUntilMs());
      return { content: toContent(payload, settings), validUntilMs };
    } catch (cause) {
      const isUnavailable = cause instanceof LedgerError && cause.code !== 'UNAUTHENTICATED';
      throw isUnavailable ? cause : refuseToken(settings.issuer, cause);
    }
  };
};
