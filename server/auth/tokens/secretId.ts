// Identifies a secret of an application without revealing it, so that a token becomes invalid with the secret that it
// was issued for.
import { createHash } from 'node:crypto';

const CHARACTERS = 16;

/** The first 16 hexadecimal digits of SHA-256 of the secret's SHA-256, as lower-case hexadecimal text. */
export const toSecretId = (secretSha256: string): string =>
  createHash('sha256').update(secretSha256).digest('hex').slice(0, CHARACTERS);
