// Reads the file of other issuers whose tokens are taken (OIDC_ISSUERS_FILE): a JSON array with an object for each. Whatever isn't
// understood ends the start with the name of the field: a mistyped restriction must not become none.
import { readFile } from 'node:fs/promises';
import { findRepeatedName } from '../../ledger/encoding/repeatedNames.ts';
import { parseTenantIdentity } from '../../ledger/identity.ts';
import { ROLES, type Role } from '../../ledger/records/application.ts';
import { isJsonObject } from '../../ledger/records/attributes.ts';
import {
  ASYMMETRIC_ALGORITHMS,
  isTrustedUrl,
  type OidcIssuerSettings,
  TOKEN_TYPES,
} from '../../server/auth/tokens/oidcSettings.ts';

const CLOCK_TOLERANCE_SECONDS_MAX = 300;
const DAY_SECONDS = 86_400;
const LIFETIME_SECONDS_MAX = 7 * DAY_SECONDS;

/** What makes a setting of a member; undefined: it is not there. @throws Error that says what it must be. */
type Read<T> = (value: unknown) => T;

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

const readIssuer: Read<string> = (value) => {
  const url = isText(value) ? URL.parse(value) : null;
  if (url !== null && isTrustedUrl(url) && !/[?#\s]/.test(value as string)) return value as string;
  throw new Error('must be an https URL without query and fragment (http only on this machine)');
};

const readTexts: Read<string[]> = (value) => {
  const texts = Array.isArray(value) ? value : [value];
  if (texts.length > 0 && texts.every(isText)) return texts;
  throw new Error('must be a text, or a list of texts that is not empty');
};

const readPath =
  (fallback: string): Read<string[]> =>
  (value) =>
    readTexts(value ?? fallback);

const readChoices =
  <T extends string>(known: readonly T[], fallback: readonly T[]): Read<readonly T[]> =>
  (value) => {
    if (value === undefined) return fallback;
    const isChosen = Array.isArray(value) && value.length > 0 && value.every((name) => known.includes(name));
    if (isChosen) return value;
    throw new Error(`must be a list of some of ${known.join(', ')}`);
  };

const readSeconds =
  (fallback: number, min: number, max: number): Read<number> =>
  (value) => {
    const seconds = value ?? fallback;
    if (Number.isInteger(seconds) && Number(seconds) >= min && Number(seconds) <= max) return Number(seconds);
    throw new Error(`must be whole seconds from ${min} to ${max}`);
  };

const readTenants: Read<OidcIssuerSettings['tenants']> = (value) => {
  if (value === '*') return 'every';
  const given: unknown[] = Array.isArray(value) ? value : [];
  const identities = given.flatMap((text) => (isText(text) ? (parseTenantIdentity(text) ?? []) : []));
  if (identities.length > 0 && identities.length === given.length) return identities;
  throw new Error('must be a list of tenant identities (tenant/<uuid>), or "*" for every tenant of this ledger');
};

const readRoleMap: Read<OidcIssuerSettings['roleMap']> = (value) => {
  if (value === undefined) return undefined;
  if (!isJsonObject(value)) throw new Error("must be an object from the issuer's roles to ours");
  const readRoles = readChoices<Role>(ROLES, []);
  return new Map(
    Object.entries(value).map(([name, roles]) => [name, readRoles(typeof roles === 'string' ? [roles] : roles)]),
  );
};

/** Every member of an issuer, and what it becomes. */
const MEMBERS = {
  issuer: { setting: 'issuer', read: readIssuer },
  audience: { setting: 'audiences', read: readTexts },
  tenants: { setting: 'tenants', read: readTenants },
  algorithms: { setting: 'algorithms', read: readChoices(ASYMMETRIC_ALGORITHMS, ['ES256', 'RS256']) },
  token_types: { setting: 'tokenTypes', read: readChoices(TOKEN_TYPES, ['at+jwt']) },
  clock_tolerance_seconds: { setting: 'clockToleranceSeconds', read: readSeconds(30, 0, CLOCK_TOLERANCE_SECONDS_MAX) },
  lifetime_seconds_max: { setting: 'lifetimeSecondsMax', read: readSeconds(DAY_SECONDS, 1, LIFETIME_SECONDS_MAX) },
  tenant_claim: { setting: 'tenantClaim', read: readPath('tenant') },
  roles_claim: { setting: 'rolesClaim', read: readPath('roles') },
  role_map: { setting: 'roleMap', read: readRoleMap },
} as const satisfies Record<string, { setting: keyof OidcIssuerSettings; read: Read<unknown> }>;

const at = (path: string, what: () => unknown): unknown => {
  try {
    return what();
  } catch (cause) {
    throw new Error(`${path} ${(cause as Error).message}`, { cause });
  }
};

const readMembers = (value: unknown, path: string): OidcIssuerSettings => {
  if (!isJsonObject(value)) throw new Error(`${path} must be an object`);
  const unknown = Object.keys(value).find((name) => !Object.hasOwn(MEMBERS, name));
  if (unknown !== undefined) throw new Error(`${path}.${unknown} is no setting of an issuer`);
  const settings = Object.entries(MEMBERS).map(([name, { setting, read }]) => [
    setting,
    at(`${path}.${name}`, () => read(Object.hasOwn(value, name) ? value[name] : undefined)),
  ]);
  return Object.fromEntries(settings) as OidcIssuerSettings;
};

/** The issuers that the text of such a file says. @throws Error that names the field. */
export const parseOidcIssuers = (json: string): OidcIssuerSettings[] => {
  const value: unknown = JSON.parse(json);
  const repeatedName = findRepeatedName(json);
  if (repeatedName !== undefined) throw new Error(`${repeatedName} is there twice`);
  if (!Array.isArray(value)) throw new Error('must be an array of issuers');
  const issuers = value.map((member, index) => readMembers(member, `[${index}]`));
  const repeated = issuers.findIndex(({ issuer }, index) => issuers.findIndex((one) => one.issuer === issuer) < index);
  if (repeated >= 0) throw new Error(`[${repeated}].issuer is there twice`);
  return issuers;
};

/** The issuers of a file, none without one. @throws Error that names file and field. */
export const readOidcIssuers = async (path: string | undefined): Promise<OidcIssuerSettings[]> => {
  if (path === undefined) return [];
  try {
    return parseOidcIssuers(await readFile(path, 'utf8'));
  } catch (cause) {
    throw new Error(`OIDC_ISSUERS_FILE ${path}: ${(cause as Error).message}`, { cause });
  }
};
