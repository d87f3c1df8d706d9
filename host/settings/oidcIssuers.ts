// Reads the file of the other issuers whose tokens are accepted (OIDC_ISSUERS_FILE): a JSON array with an object for
// each issuer. Anything that the schema doesn't allow ends the start with the name of the field: a mistyped restriction
// must not become no restriction.
import { readFile } from 'node:fs/promises';
import { Ajv, type ErrorObject } from 'ajv';
import { findRepeatedName } from '../../ledger/encoding/repeatedNames.ts';
import { parseTenantIdentity } from '../../ledger/identity.ts';
import { ROLES, type Role } from '../../ledger/records/application.ts';
import {
  ALLOWABLE_CLAIMS,
  ASYMMETRIC_ALGORITHMS,
  isTrustedUrl,
  type OidcIssuerSettings,
  TOKEN_TYPES,
} from '../../server/auth/tokens/oidcSettings.ts';
import { trimText } from '../files/privateFile.ts';

const CLOCK_TOLERANCE_SECONDS_MAX = 300;
const DAY_SECONDS = 86_400;
const LIFETIME_SECONDS_MAX = 7 * DAY_SECONDS;

const TEXT = { type: 'string', minLength: 1 };
const ROLE_LIST = { type: 'array', items: { enum: ROLES }, minItems: 1 };

// Characters of a client id (RFC 6749 appendix A.1), and of a scope (appendix A.4).
const CLIENT_ID = '^[\\x20-\\x7e]{1,256}$';
const SCOPE = '^[\\x21\\x23-\\x5b\\x5d-\\x7e]+( [\\x21\\x23-\\x5b\\x5d-\\x7e]+)*$';

const listOf = (items: object, description: string) => ({ type: 'array', items, minItems: 1, description });

const TEXTS = {
  anyOf: [TEXT, { type: 'array', items: TEXT, minItems: 1 }],
  description: 'must be a text, or a list of texts that is not empty',
};

// Null, like absence, stands for the default.
const OPTIONAL_TEXTS = { ...TEXTS, anyOf: [...TEXTS.anyOf, { type: 'null' }] };
const TENANT_CLAIM = 'tenant';

const secondsFrom = (minimum: number, maximum: number, fallback: number) => ({
  type: ['integer', 'null'],
  minimum,
  maximum,
  default: fallback,
  description: `must be whole seconds from ${minimum} to ${maximum}`,
});

const someOf = (known: readonly string[]) => listOf({ enum: known }, `must be a list of some of ${known.join(', ')}`);

// The description of a member is the end of its error message.
const MEMBERS = {
  issuer: {
    type: 'string',
    format: 'issuer',
    description: 'must be an https URL without query and fragment (http only on this machine)',
  },
  audience: TEXTS,
  audience_claims: listOf(TEXT, 'must be a list of names of claims that is not empty'),
  jwks_uri: {
    type: 'string',
    format: 'keys',
    description: 'must be an https URL (http only on this machine)',
  },
  tenant: {
    type: 'string',
    format: 'tenant',
    description: 'must be the identity of a tenant (tenant/<uuid>) that the issuer may name',
  },
  tenants: {
    anyOf: [{ const: '*' }, { type: 'array', items: { type: 'string', format: 'tenant' }, minItems: 1 }],
    description: 'must be a list of tenant identities (tenant/<uuid>), or "*" for every tenant of this ledger',
  },
  algorithms: { ...someOf(ASYMMETRIC_ALGORITHMS), default: ['ES256', 'RS256'] },
  token_types: { ...someOf(TOKEN_TYPES), default: ['at+jwt'] },
  allowed_claims: someOf(ALLOWABLE_CLAIMS),
  clock_tolerance_seconds: secondsFrom(0, CLOCK_TOLERANCE_SECONDS_MAX, 30),
  lifetime_seconds_max: secondsFrom(1, LIFETIME_SECONDS_MAX, DAY_SECONDS),
  tenant_claim: OPTIONAL_TEXTS,
  roles_claim: { ...OPTIONAL_TEXTS, default: 'roles' },
  role_map: {
    type: 'object',
    additionalProperties: { anyOf: [{ enum: ROLES }, ROLE_LIST] },
    description: `must be an object from the issuer's roles to one or more of ${ROLES.join(', ')}`,
  },
  browser_client_id: {
    type: 'string',
    pattern: CLIENT_ID,
    description: 'must be the id of a public client: up to 256 characters of ASCII',
  },
  browser_scope: {
    type: 'string',
    pattern: SCOPE,
    default: 'openid',
    description: 'must be words of ASCII with one space between them',
  },
} as const;

type Member = keyof typeof MEMBERS;

/** JSON Schema of the file (draft-07, with the formats `issuer`, `keys` and `tenant`). */
const SCHEMA = {
  type: 'array',
  description: 'must be an array of issuers',
  items: {
    type: 'object',
    description: 'must be an object',
    required: ['issuer', 'audience'] satisfies Member[],
    properties: MEMBERS,
    additionalProperties: false,
  },
};

/** An issuer as the file has it, with its defaults. */
interface IssuerInFile {
  readonly issuer: string;
  readonly audience: string | string[];
  readonly audience_claims?: string[];
  readonly jwks_uri?: string;
  readonly tenant?: string;
  readonly tenants?: '*' | string[];
  readonly allowed_claims?: OidcIssuerSettings['allowedClaims'];
  readonly algorithms: OidcIssuerSettings['algorithms'];
  readonly token_types: OidcIssuerSettings['tokenTypes'];
  readonly clock_tolerance_seconds: number | null;
  readonly lifetime_seconds_max: number | null;
  readonly tenant_claim?: string | string[] | null;
  readonly roles_claim: string | string[] | null;
  readonly role_map?: Readonly<Record<string, Role | Role[]>>;
  readonly browser_client_id?: string;
  readonly browser_scope: string;
}

const isIssuer = (text: string): boolean => {
  const url = URL.parse(text);
  return url !== null && isTrustedUrl(url) && !/[?#\s]/.test(text);
};

const isKeysUrl = (text: string): boolean => {
  const url = URL.parse(text);
  return url !== null && isTrustedUrl(url);
};

const compileSchema = () => {
  const formats = {
    issuer: isIssuer,
    keys: isKeysUrl,
    tenant: (text: string) => parseTenantIdentity(text) !== undefined,
  };
  return new Ajv({ allErrors: true, useDefaults: true, allowUnionTypes: true, formats }).compile<IssuerInFile[]>(
    SCHEMA,
  );
};

// Ajv names a place by a JSON pointer (RFC 6901); the member is its second part, or a parameter where it is missing or
// unknown.
const isUnknownMember = ({ instancePath, keyword }: ErrorObject): boolean =>
  keyword === 'additionalProperties' && instancePath.split('/').length === 2;

// A mistyped name is reported before the member that is missing for it.
const findWorst = (errors: readonly ErrorObject[]): ErrorObject => errors.find(isUnknownMember) ?? errors.at(-1)!;

const toMessage = ({ instancePath, keyword, params }: ErrorObject): string => {
  const [, index, member] = instancePath.split('/');
  if (index === undefined) return SCHEMA.description;
  if (keyword === 'additionalProperties' && member === undefined)
    return `[${index}].${params.additionalProperty} is no setting of an issuer`;
  const name = member ?? (keyword === 'required' ? params.missingProperty : undefined);
  if (name === undefined) return `[${index}] ${SCHEMA.items.description}`;
  return `[${index}].${name} ${MEMBERS[name as Member].description}`;
};

const toList = <T>(value: T | T[]): T[] => (Array.isArray(value) ? value : [value]);

const toRoleMap = (map: IssuerInFile['role_map']): OidcIssuerSettings['roleMap'] =>
  map && new Map(Object.entries(map).map(([name, roles]) => [name, toList(roles)]));

const toBrowser = ({
  browser_client_id: clientId,
  browser_scope: scope,
}: IssuerInFile): OidcIssuerSettings['browser'] => (clientId === undefined ? undefined : { clientId, scope });

const toIdentity = (text: string): string => parseTenantIdentity(text)!;

const toTenants = ({ tenant, tenants }: IssuerInFile): OidcIssuerSettings['tenants'] => {
  if (tenants === '*') return 'every';
  return (tenants ?? (tenant === undefined ? [] : [tenant])).map(toIdentity);
};

// Who names the claim wants each token to have it.
const toTenant = ({ tenant, tenants, tenant_claim: claim }: IssuerInFile): string | undefined => {
  if (tenant !== undefined) return toIdentity(tenant);
  const isOnly = Array.isArray(tenants) && tenants.length === 1 && (claim === undefined || claim === null);
  return isOnly ? toIdentity(tenants[0]!) : undefined;
};

const toSettings = (given: IssuerInFile): OidcIssuerSettings => ({
  issuer: given.issuer,
  audiences: toList(given.audience),
  audienceClaims: given.audience_claims,
  jwksUri: given.jwks_uri,
  tenant: toTenant(given),
  tenants: toTenants(given),
  allowedClaims: given.allowed_claims,
  algorithms: given.algorithms,
  tokenTypes: given.token_types,
  clockToleranceSeconds: given.clock_tolerance_seconds ?? MEMBERS.clock_tolerance_seconds.default,
  lifetimeSecondsMax: given.lifetime_seconds_max ?? MEMBERS.lifetime_seconds_max.default,
  tenantClaim: toList(given.tenant_claim ?? TENANT_CLAIM),
  rolesClaim: toList(given.roles_claim ?? MEMBERS.roles_claim.default),
  roleMap: toRoleMap(given.role_map),
  browser: toBrowser(given),
});

// Rules between members, which the schema doesn't express so that its messages name one member.
const assertTenants = ({ tenant, tenants }: OidcIssuerSettings, index: number): void => {
  if (tenants.length === 0) throw new Error(`[${index}].tenants ${MEMBERS.tenants.description}`);
  const isListed = tenant === undefined || tenants === 'every' || tenants.includes(tenant);
  if (!isListed) throw new Error(`[${index}].tenant ${MEMBERS.tenant.description}`);
};

/** The issuers in the text of such a file. @throws Error that names the field. */
export const parseOidcIssuers = (json: string): OidcIssuerSettings[] => {
  const value: unknown = JSON.parse(json);
  const repeatedName = findRepeatedName(json);
  if (repeatedName !== undefined) throw new Error(`${repeatedName} occurs twice`);
  const isValid = compileSchema();
  if (!isValid(value)) throw new Error(toMessage(findWorst(isValid.errors!)));
  const issuers = value.map(toSettings);
  issuers.forEach(assertTenants);
  const repeated = issuers.findIndex(({ issuer }, index) => issuers.findIndex((one) => one.issuer === issuer) < index);
  if (repeated >= 0) throw new Error(`[${repeated}].issuer occurs twice`);
  return issuers;
};

/** The issuers of a file; none without a file. @throws Error that names file and field. */
export const readOidcIssuers = async (path: string | undefined): Promise<OidcIssuerSettings[]> => {
  if (path === undefined) return [];
  try {
    return parseOidcIssuers(trimText(await readFile(path, 'utf8')));
  } catch (cause) {
    throw new Error(`OIDC_ISSUERS_FILE ${path}: ${(cause as Error).message}`, { cause });
  }
};
