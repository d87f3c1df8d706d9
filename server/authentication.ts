// Who is calling, and may they? A token says who its bearer was when it was issued; the ledger says whether that still holds.
import type { LedgerView } from '../indexer/ledgerView.ts';
import { LedgerError, refuseField } from '../ledger/errors.ts';
import type { Caller } from './handlers.ts';
import { type CallerRole, isGranted, type Right } from './rights.ts';
import type { TokenAuthority, TokenContent } from './tokenAuthority.ts';

interface AuthenticationDeps {
  readonly view: Pick<LedgerView, 'readTenant' | 'readApplication'>;
  readonly tokens: Pick<TokenAuthority, 'verify'>;
}

const TOKEN_CHARACTERS_MAX = 8192;
const BEARER = /^bearer +([A-Za-z0-9._~+/-]+=*)$/i;

const parseToken = (authorization: string | undefined): string => {
  const token = BEARER.exec(authorization ?? '')?.[1];
  if (token === undefined || token.length > TOKEN_CHARACTERS_MAX) throw new LedgerError('UNAUTHENTICATED');
  return token;
};

type Standing = readonly CallerRole[] | undefined;

/**
 * Roles that the bearer has both by the token and, as of now, by the ledger: a root principal may have any, an application none. Undefined
 * for a bearer that the ledger doesn't know (any more), or not by these roles.
 */
const readRoles = async ({ view }: AuthenticationDeps, content: TokenContent): Promise<Standing> => {
  if (content.clientId !== undefined) {
    const found = await view.readApplication(content.clientId);
    if (found?.tenantIdentity !== content.tenantIdentity) return undefined;
    const { roles } = found.application;
    const common = roles.filter((role) => content.roles.includes(role));
    return common.length === 0 && roles.length > 0 ? undefined : common;
  }
  const tenant = await view.readTenant(content.tenantIdentity);
  const isRoot = tenant?.root_principals.some(
    ({ issuer, subject }) => issuer === content.issuer && subject === content.subject,
  );
  return isRoot === true && content.roles.length > 0 ? content.roles : undefined;
};

const toCaller = ({ tenantIdentity, issuer, subject, name }: TokenContent): Caller => ({
  tenantIdentity,
  principal: { issuer, subject, display_name: name, email: '' },
});

export type Authenticate = (authorization: string | undefined, right: Right) => Promise<Caller>;

/**
 * The caller that an `Authorization` header names, once it is known to have the right.
 * Rejects with UNAUTHENTICATED, or with FORBIDDEN that names the right.
 */
export const createAuthenticate =
  (deps: AuthenticationDeps): Authenticate =>
  async (authorization, right) => {
    const content = await deps.tokens.verify(parseToken(authorization));
    const roles = await readRoles(deps, content);
    if (roles === undefined) throw new LedgerError('UNAUTHENTICATED');
    if (!isGranted(roles, right)) throw refuseField('FORBIDDEN', 'authorization', `lacks the right "${right}"`);
    return toCaller(content);
  };
