// Why a token is refused: said to the operator always, and to the client only where signature and issuer were right
// (RFC 6750 section 3). A reason contains nothing of the token.
import { errors } from 'jose';
import { LedgerError } from '../../../ledger/errors.ts';

/** A fault in the content of a token whose signature was verified. Its message contains nothing of the token. */
export class TokenContentError extends TypeError {}

const ISSUER_CHARACTERS_MAX = 200;

const toReason = (cause: unknown): string => {
  if (cause instanceof errors.JWTExpired) return cause.claim === 'iat' ? 'is older than accepted' : 'has expired';
  if (cause instanceof errors.JWTClaimValidationFailed) return `has no valid claim ${cause.claim}`;
  if (cause instanceof errors.JWSSignatureVerificationFailed) return 'has a wrong signature';
  if (cause instanceof LedgerError) return 'is signed with a key that the issuer does not publish';
  return (cause as Error).message;
};

const isProven = (cause: unknown): boolean =>
  cause instanceof TokenContentError ||
  cause instanceof errors.JWTExpired ||
  cause instanceof errors.JWTClaimValidationFailed;

/** The refusal of a token of a known issuer, because of `cause`. */
export const refuseToken = (issuer: string, cause: unknown): LedgerError => {
  const reason = toReason(cause);
  const message = `the token of ${issuer} ${reason}`;
  const violations = isProven(cause) ? [{ field: 'authorization', description: reason }] : [];
  return new LedgerError('UNAUTHENTICATED', { message, violations, cause });
};

/** The refusal of a token whose issuer isn't configured. */
export const refuseIssuer = (issuer: string): LedgerError =>
  new LedgerError('UNAUTHENTICATED', {
    message: `${JSON.stringify(issuer.slice(0, ISSUER_CHARACTERS_MAX))} is no issuer of OIDC_ISSUERS_FILE`,
  });
