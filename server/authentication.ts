// Who is calling, and may they? A token says who its bearer was when it was issued; the ledger says whether that still holds.
import type { LedgerView } from '../indexer/ledgerView.ts';
import { LedgerError, refuseField } from '../ledger/errors.ts';
import type { Caller } from './handlers.ts';
import { type CallerRole, isGranted, type Right } from './rights.ts';
import type { TokenAuthority, TokenContent } from './tokens/tokenAuthority.ts';

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

type Standing = readonly CallerRole[];
const NONE: Standing = [];

/**
 * Roles that the bearer has both by the token and, as of now, by the ledger: a root principal may have any. None for a bearer that the
 * ledger doesn't know (any more).
 */
const readRoles = async ({ view }: AuthenticationDeps, content: TokenContent): Promise<Standing> => {
  if (content.clientId !== undefined) {
    const found = await view.readApplication(content.clientId);
    if (found?.tenantIdentity !== content.tenantIdentity) return NONE;
    return found.application.roles.filter((role) => content.roles.includes(role));
  }
  const tenant = await view.readTenant(content.tenantIdentity);
  const isRoot = tenant?.root_principals.some(
    ({ issuer, subject }) => issuer === content.issuer && subject === content.subject,
  );
  return isRoot === true ? content.roles : NONE;
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
    if (roles.length === 0) throw new LedgerError('UNAUTHENTICATED');
    if (!isGranted(roles, right)) throw refuseField('FORBIDDEN', 'authorization', `lacks the right "${right}"`);
    return toCaller(content);
  };
