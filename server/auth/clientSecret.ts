// Secrets of applications: 256 random bits, so a plain hash hides them. A new secret is shown once; only its hash is
// stored.
import { createHash, randomBytes } from 'node:crypto';

const SECRET_BYTES = 32;

/** Creates a secret, 43 characters of base64url. */
export const newClientSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url');

/** SHA-256 of a secret, lower-case hexadecimal, as the ledger stores it. */
export const toSecretHash = (secret: string): string => createHash('sha256').update(secret).digest('hex');
