// Tells the secrets of an application apart without telling anything about them, so that a token is good only as long as the secret that
// it was asked for with.
import { createHash } from 'node:crypto';

const CHARACTERS = 16;

/** The first 16 hexadecimal digits of SHA-256 of the text that the ledger has of a secret: its SHA-256 in lower-case hexadecimal. */
export const toSecretId = (secretSha256: string): string =>
  createHash('sha256').update(secretSha256).digest('hex').slice(0, CHARACTERS);
