// Who is calling, and may they? A token says who its bearer was when it was issued; the ledger says whether that still holds.
import type { LedgerView } from '../../indexer/ledgerView.ts';
import { LedgerError, refuseField } from '../../ledger/errors.ts';
import { isRootPrincipal } from '../../ledger/tenancy/rootPrincipals.ts';
import type { Caller, CallerIdentity } from '../openapi/handlers.ts';
import { type CallerRole, isGranted, type Right } from './rights.ts';
import { toSecretId } from './tokens/secretId.ts';
import type { TokenAuthority } from './tokens/tokenAuthority.ts';
import type { TokenContent } from './tokens/tokenContent.ts';

interface AuthenticationDeps {
  readonly view: Pick<LedgerView, 'readTenant' | 'readApplication'>;
  readonly tokens: Pick<TokenAuthority, 'verify'>;
}

const BEARER = /^bearer +([A-Za-z0-9._~+/-]+=*)$/i;

const parseBearerToken = (authorization: string | undefined): string => {
  const token = BEARER.exec(authorization ?? '')?.[1];
  if (token === undefined) throw new LedgerError('UNAUTHENTICATED');
  return token;
};

type Standing = readonly CallerRole[];

const readRootPrincipals = async ({ view }: AuthenticationDeps, { tenantIdentity }: TokenContent) =>
  (await view.readTenant(tenantIdentity))?.root_principals ?? [];

/**
 * Roles of an application: what both the token and the newest version of its record say; and that of a root principal, which is asked for
 * only where the others don't carry the right.
 */
const readApplicationRoles = async (
  deps: AuthenticationDeps,
  content: TokenContent,
  right: Right,
): Promise<Standing> => {
  const found = await deps.view.readApplication(content.clientId!);
  if (found?.tenantIdentity !== content.tenantIdentity) throw new LedgerError('UNAUTHENTICATED');
  const { secret_sha256: secretSha256, roles } = found.application;
  if (content.secretId !== toSecretId(secretSha256)) throw new LedgerError('UNAUTHENTICATED');
  const common = roles.filter((role) => content.roles.includes(role));
  if (isGranted(common, right)) return common;
  if (isRootPrincipal(await readRootPrincipals(deps, content), content)) return [...common, 'root'];
  // A new token would say other roles, so the client is to ask for one. Without any role of its own, it isn't.
  if (common.length === 0 && roles.length > 0) throw new LedgerError('UNAUTHENTICATED');
  return common;
};

/** Roles of a person: another issuer gives its own, and being a root principal of the tenant counts as of now. */
const readPersonRoles = async ({ view }: AuthenticationDeps, content: TokenContent): Promise<Standing> => {
  const tenant = await view.readTenant(content.tenantIdentity);
  if (tenant === undefined) throw new LedgerError('UNAUTHENTICATED');
  const isListed = isRootPrincipal(tenant.root_principals, content);
  if (content.isForeign) return isListed ? [...content.roles, 'root'] : content.roles;
  if (!isListed || content.roles.length === 0) throw new LedgerError('UNAUTHENTICATED');
  return content.roles;
};

const toCallerIdentity = ({ tenantIdentity, issuer, subject, name, email }: TokenContent): CallerIdentity => ({
  tenantIdentity,
  principal: { issuer, subject, display_name: name, email },
});

export type Authenticate = (authorization: string | undefined, right: Right) => Promise<Caller>;

/**
 * The caller that an `Authorization` header names, once it is known to have the right.
 * Rejects with UNAUTHENTICATED, with FORBIDDEN that names the right, or with ISSUER_UNAVAILABLE.
 */
export const createAuthenticate =
  (deps: AuthenticationDeps): Authenticate =>
  async (authorization, right) => {
    const content = await deps.tokens.verify(parseBearerToken(authorization));
    const reauthorize = async (): Promise<void> => {
      const readRoles = content.clientId === undefined ? readPersonRoles : readApplicationRoles;
      const roles = await readRoles(deps, content, right);
      if (!isGranted(roles, right)) throw refuseField('FORBIDDEN', 'authorization', `lacks the right "${right}"`);
    };
    await reauthorize();
    return { ...toCallerIdentity(content), reauthorize };
  };
