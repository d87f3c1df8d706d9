// Verifies tokens: this server's own and those of the configured issuers, following RFC 8725. The claim `iss` selects
// the issuer from a list. Any other token is UNAUTHENTICATED, with the reason only in the error's cause.
import { LedgerError } from '../../../ledger/errors.ts';
import { fetchKeySet } from './fetchKeySet.ts';
import type { OidcIssuerSettings } from './oidcSettings.ts';
import { createOidcVerify, type VerifyToken } from './oidcTokens.ts';
import { createOwnTokens, type OwnTokens, type OwnTokensDeps } from './ownTokens.ts';
import type { TokenContent } from './tokenContent.ts';
import { refuseIssuer } from './tokenRefusals.ts';
import { decodeUnverifiedToken, type UnverifiedToken } from './unverifiedToken.ts';
import { createVerifiedTokens } from './verifiedTokens.ts';

/** Issues tokens of this server, and verifies tokens of every accepted issuer. */
export interface TokenAuthority extends Omit<OwnTokens, 'verify'> {
  /** Rejects with UNAUTHENTICATED, or with ISSUER_UNAVAILABLE when a foreign issuer's keys aren't available. */
  verify(token: string): Promise<TokenContent>;
  /** The tenant of a token that was verified before and is still valid; undefined: it must be verified. */
  findTenant(token: string): string | undefined;
}

export interface TokenAuthorityDeps extends OwnTokensDeps {
  /** Foreign issuers whose tokens are accepted; none unless given. */
  readonly issuers?: readonly OidcIssuerSettings[];
  /** Called when an issuer's keys can't be fetched. */
  readonly onProblem?: (message: string, cause: unknown) => void;
}

const parse = (token: string): UnverifiedToken => {
  try {
    return decodeUnverifiedToken(token);
  } catch (cause) {
    throw new LedgerError('UNAUTHENTICATED', { message: `the token ${(cause as Error).message}`, cause });
  }
};

const toVerifiers = (own: OwnTokens, { issuers = [], now, onProblem }: TokenAuthorityDeps) => {
  const deps = { fetchKeySet, now, onProblem: onProblem ?? (() => undefined) };
  const verifiers = new Map<string, VerifyToken>([[own.issuer, own.verify]]);
  for (const settings of issuers) {
    if (verifiers.has(settings.issuer)) throw new TypeError(`${settings.issuer} is configured twice`);
    verifiers.set(settings.issuer, createOidcVerify(settings, deps));
  }
  return verifiers;
};

/** @throws TypeError when the key is not a private P-256 key, or the settings of an issuer are invalid. */
export const createTokenAuthority = async (deps: TokenAuthorityDeps): Promise<TokenAuthority> => {
  const own = await createOwnTokens(deps);
  const verifiers = toVerifiers(own, deps);
  const verifiedTokens = createVerifiedTokens(deps.now);
  return {
    ...own,
    findTenant: (token) => verifiedTokens.find(token)?.tenantIdentity,
    verify: async (token) => {
      const known = verifiedTokens.find(token);
      if (known !== undefined) return known;
      const unverified = parse(token);
      const verify = verifiers.get(unverified.issuer);
      if (verify === undefined) throw refuseIssuer(unverified.issuer);
      const verified = await verify(token, unverified);
      verifiedTokens.keep(token, verified);
      return verified.content;
    },
  };
};
