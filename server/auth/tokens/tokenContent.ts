// The content of a verified token, in the same form for every issuer.
import type { Claims } from '../../../ledger/sharing/userClaim.ts';
import type { CallerRole } from '../rights.ts';

/** The caller that a token names, and its roles. */
export interface TokenContent {
  readonly tenantIdentity: string;
  readonly issuer: string;
  readonly subject: string;
  readonly name: string;
  /** Empty when the token contains none. */
  readonly email: string;
  /** Roles in the token. The caller of an own token has at most these, that of a foreign token at least these. */
  readonly roles: readonly CallerRole[];
  /** Set for an application; undefined for a root principal and for a foreign issuer's subject. */
  readonly clientId: string | undefined;
  /** Id of the application's secret (secretId.ts); undefined without `clientId`. */
  readonly secretId: string | undefined;
  /** Claims of a foreign token that are texts, numbers, truth values or lists of these, as texts. Own tokens: none. */
  readonly claims: Claims;
  /** Whether a foreign issuer, not this server, issued the token. */
  readonly isForeign: boolean;
}

/** The application or principal that an own token is issued for. */
export interface TokenSubject extends Omit<TokenContent, 'issuer' | 'email' | 'claims' | 'isForeign'> {
  /** Custom claims of the application, for others than this server, which reads the application's record. */
  readonly customClaims: Readonly<Record<string, string>>;
}

/** A token whose signature and claims were verified. */
export interface VerifiedToken {
  readonly content: TokenContent;
  /** End of the time in which it need not be verified again, exclusive, in milliseconds since the epoch. */
  readonly validUntilMs: number;
}
