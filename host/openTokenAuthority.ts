// The token authority of a ledger: issues this server's own tokens, and verifies these and the tokens of other issuers.
import { randomUUID } from 'node:crypto';
import type { OidcIssuerSettings } from '../server/auth/tokens/oidcSettings.ts';
import { createTokenAuthority, type TokenAuthority } from '../server/auth/tokens/tokenAuthority.ts';
import type { Ledger } from './openLedger.ts';
import { reportProblem } from './watching/reports.ts';

/** Opens the token authority of a ledger, which also accepts the tokens of `issuers`. */
export const openTokenAuthority = async (
  ledger: Ledger,
  issuers: readonly OidcIssuerSettings[] = [],
): Promise<TokenAuthority> => {
  const [privateKeyJwk, ...otherKeyJwks] = await ledger.keyring.openSigningKeys('token-signing');
  return createTokenAuthority({
    privateKeyJwk,
    otherKeyJwks,
    issuer: ledger.issuer,
    audience: ledger.issuer,
    now: Date.now,
    newUuid: randomUUID,
    issuers,
    onProblem: reportProblem,
  });
};
