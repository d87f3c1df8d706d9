// Authenticates and authorizes callers. A token states the caller's roles when it was issued; the ledger states whether
// they still hold.
import type { LedgerView } from '../../indexer/ledgerView.ts';
import { LedgerError, refuseField } from '../../ledger/errors.ts';
import type { Claims } from '../../ledger/sharing/userClaim.ts';
import { isRootPrincipal } from '../../ledger/tenancy/rootPrincipals.ts';
import type { AuthorizedCaller, Caller } from '../openapi/handlers.ts';
import { type CatchUp, isRefusedAs, repeatMissing } from '../records/missing.ts';
import { type CallerRole, isGranted, type Right } from './rights.ts';
import { toSecretId } from './tokens/secretId.ts';
import type { TokenAuthority } from './tokens/tokenAuthority.ts';
import type { TokenContent } from './tokens/tokenContent.ts';

interface AuthenticationDeps {
  readonly view: Pick<LedgerView, 'readTenant' | 'readApplication'>;
  readonly tokens: Pick<TokenAuthority, 'verify'>;
  /** Undefined: no other server writes to the chain. */
  readonly catchUp?: CatchUp | undefined;
}

const REFUSALS = [isRefusedAs('UNAUTHENTICATED'), isRefusedAs('FORBIDDEN')];
const isRefused = (error: unknown): boolean => REFUSALS.some((isOne) => isOne(error));
const BEARER = /^bearer +([A-Za-z0-9._~+/-]+=*)$/i;

const parseBearerToken = (authorization: string | undefined): string => {
  const token = BEARER.exec(authorization ?? '')?.[1];
  if (token === undefined) throw new LedgerError('UNAUTHENTICATED');
  return token;
};

const toMissing = (right: Right): LedgerError =>
  refuseField('FORBIDDEN', 'authorization', `lacks the right "${right}"`);

const readRootPrincipals = async ({ view }: AuthenticationDeps, { tenantIdentity }: TokenContent) =>
  (await view.readTenant(tenantIdentity))?.root_principals ?? [];

/** What the ledger has of a caller. */
interface KnownCaller {
  readonly roles: readonly CallerRole[];
  /** Claims besides those of its principal. */
  readonly claims: Claims;
}

/**
 * An application: the roles that both the token and the newest version of its record contain. If they don't carry the
 * right, also `root` when the application is a root principal. Its claims are those of the record.
 */
const readApplication = async (deps: AuthenticationDeps, content: TokenContent, right: Right): Promise<KnownCaller> => {
  const found = await deps.view.readApplication(content.clientId!);
  if (found?.tenantIdentity !== content.tenantIdentity) throw new LedgerError('UNAUTHENTICATED');
  const { secret_sha256: secretSha256, roles, custom_claims: claims } = found.application;
  if (content.secretId !== toSecretId(secretSha256)) throw new LedgerError('UNAUTHENTICATED');
  const common = roles.filter((role) => content.roles.includes(role));
  if (common.length > 0 && isGranted(common, right)) return { roles: common, claims };
  if (isRootPrincipal(await readRootPrincipals(deps, content), content)) return { roles: [...common, 'root'], claims };
  // A new token would contain other roles, so 401 makes the client request one. That doesn't help an application
  // without roles.
  if (common.length === 0 && roles.length > 0) throw new LedgerError('UNAUTHENTICATED');
  return { roles: common, claims };
};

/**
 * A person: the roles that a foreign issuer's token contains, and `root` for a current root principal of the tenant.
 * One that is no longer on the list is known and has no right.
 */
const readPerson = async ({ view }: AuthenticationDeps, content: TokenContent, right: Right): Promise<KnownCaller> => {
  const { claims } = content;
  const tenant = await view.readTenant(content.tenantIdentity);
  if (tenant === undefined) throw new LedgerError('UNAUTHENTICATED');
  const isListed = isRootPrincipal(tenant.root_principals, content);
  if (content.isForeign) return { roles: isListed ? [...content.roles, 'root'] : content.roles, claims };
  if (!isListed) throw toMissing(right);
  if (content.roles.length === 0) throw new LedgerError('UNAUTHENTICATED');
  return { roles: content.roles, claims };
};

const toCaller = (
  { tenantIdentity, issuer, subject, name, email }: TokenContent,
  { roles, claims }: KnownCaller,
): AuthorizedCaller => {
  const principal = { issuer, subject, display_name: name, email };
  // A principal's own fields can't be replaced by claims of the same names.
  return { tenantIdentity, principal, claims: { ...claims, ...principal }, isRestricted: !isGranted(roles, 'reader') };
};

/** Authenticates the caller of an `Authorization` header and checks its right. */
export type Authenticate = (authorization: string | undefined, right: Right) => Promise<Caller>;

/**
 * Returns the function that resolves to the caller of an `Authorization` header if it has the right.
 * Rejects with UNAUTHENTICATED, FORBIDDEN, which names the right, or ISSUER_UNAVAILABLE.
 */
export const createAuthenticate =
  (deps: AuthenticationDeps): Authenticate =>
  async (authorization, right) => {
    const token = parseBearerToken(authorization);
    const authorize = async (): Promise<AuthorizedCaller> => {
      const content = await deps.tokens.verify(token);
      const readCaller = content.clientId === undefined ? readPerson : readApplication;
      // Another server of the tenant may have issued the token for what it has just recorded.
      const known = await repeatMissing(() => readCaller(deps, content, right), deps.catchUp, isRefused);
      if (!isGranted(known.roles, right)) throw toMissing(right);
      return toCaller(content, known);
    };
    return { ...(await authorize()), reauthorize: authorize };
  };
