// What a token says of its bearer, whoever issued it, once it was verified.
import type { CallerRole } from '../rights.ts';

export interface TokenContent {
  readonly tenantIdentity: string;
  readonly issuer: string;
  readonly subject: string;
  readonly name: string;
  /** Empty when the issuer doesn't give one. */
  readonly email: string;
  /** Roles as the token says: of own tokens at most these, of another issuer's at least these. */
  readonly roles: readonly CallerRole[];
  /** Set for an application, not for a root principal or for another issuer's subject. */
  readonly clientId: string | undefined;
  /** Which secret of the application (secretId.ts); undefined without `clientId`. */
  readonly secretId: string | undefined;
  /** Whether another issuer than this server issued the token. */
  readonly isForeign: boolean;
}

/** Whom an own token is issued for. */
export interface TokenSubject extends Omit<TokenContent, 'issuer' | 'email' | 'isForeign'> {
  /** Claims of the application's own, which say nothing to this server. */
  readonly customClaims: Readonly<Record<string, string>>;
}

/** A token that was found good. */
export interface VerifiedToken {
  readonly content: TokenContent;
  /** Until when it may be taken for good without being verified again, in milliseconds since the epoch; this instant excluded. */
  readonly validUntilMs: number;
}
