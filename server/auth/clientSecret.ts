// Secrets of applications: 256 bits that nobody can guess, so a plain hash hides them. A new secret is shown once; only
// its hash is stored.
import { createHash, createHmac, randomBytes } from 'node:crypto';

const SECRET_BYTES = 32;

/** Creates a secret, 43 characters of base64url. */
export const newClientSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url');

/** SHA-256 of a secret, lower-case hexadecimal, as the ledger stores it. */
export const toSecretHash = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/** Derives the secret that a named record creates; the same name has the same secret. */
export type DeriveClientSecret = (name: string) => string;

/**
 * Secrets of requests with an `Idempotency-Key`, so that a repeated one has the same. Servers that share `secret`, of
 * at least 32 bytes, derive the same ones.
 */
export const createDeriveClientSecret = (secret: Uint8Array): DeriveClientSecret => {
  if (secret.length < SECRET_BYTES) throw new TypeError('the secret of derived secrets must have at least 32 bytes');
  return (name) =>
    createHmac('sha256', secret)
      .update(JSON.stringify(['client secret', name]))
      .digest('base64url');
};
