// Secrets of applications whose requests are repeated with their `Idempotency-Key`. The ledger has only their hashes,
// so the secret of a request with a key is derived from the name of its record.
import { LedgerError } from '../../ledger/errors.ts';
import { toUuid } from '../../ledger/identity.ts';
import { type ApplicationRecord, toApplication } from '../../ledger/records/application.ts';
import { newClientSecret, toSecretHash } from '../auth/clientSecret.ts';
import type { ServerDeps } from '../deps.ts';

/** Time for which a repeated request gets the secret: a client repeats soon, and nobody should find it later. */
const SHOWN_AGAIN_MS = 3_600_000;

/** The secret that a record of this identity creates: a new one, or with a key always the same. */
export const toSecret = (
  { deriveClientSecret }: Pick<ServerDeps, 'deriveClientSecret'>,
  versionIdentity: string,
  key: string | undefined,
): string => (key === undefined ? newClientSecret() : deriveClientSecret(versionIdentity));

/**
 * Asserts that the secret that an earlier request created may be shown again: this server derives the same one, it is
 * still the application's, and it isn't older than an hour. Rejects with IDEMPOTENCY_SECRET_GONE.
 */
export const assertShownAgain = async (
  { view, now }: Pick<ServerDeps, 'view' | 'now'>,
  first: ApplicationRecord,
  secret: string,
): Promise<void> => {
  const current = await view.readApplication(toUuid(toApplication(first)!.identity));
  const isValid = current?.application.secret_sha256 === first.secret_sha256;
  const isKnown = toSecretHash(secret) === first.secret_sha256;
  const isRecent = now() - Date.parse(first.timestamp_accepted) < SHOWN_AGAIN_MS;
  if (!isValid || !isKnown || !isRecent) throw new LedgerError('IDEMPOTENCY_SECRET_GONE');
};
