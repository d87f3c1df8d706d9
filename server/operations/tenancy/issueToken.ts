// Issues a token to an application that sends its secret (RFC 6749 section 4.4).
import { timingSafeEqual } from 'node:crypto';
import type { LedgerView, OwnedApplication } from '../../../indexer/ledgerView.ts';
import { LedgerError } from '../../../ledger/errors.ts';
import { toSecretHash } from '../../auth/clientSecret.ts';
import { issueApplicationToken } from '../../auth/tokens/applicationToken.ts';
import type { ServerDeps } from '../../deps.ts';
import type { Handler } from '../../openapi/handlers.ts';
import { isRefusedAs, repeatMissing } from '../../records/missing.ts';

const NO_DIGEST = '0'.repeat(64);

const isSecret = (secret: string, sha256Hex: string): boolean =>
  timingSafeEqual(Buffer.from(toSecretHash(secret), 'hex'), Buffer.from(sha256Hex, 'hex'));

const isClientRefused = isRefusedAs('CLIENT_REFUSED');

const readClient = async (view: LedgerView, clientId: string, secret: string): Promise<OwnedApplication> => {
  const found = await view.readApplication(clientId);
  // Compared even when the application doesn't exist, so that the response time doesn't reveal whether it does.
  const isRight = isSecret(secret, found?.application.secret_sha256 ?? NO_DIGEST);
  if (found === undefined || !isRight) throw new LedgerError('CLIENT_REFUSED');
  return found;
};

export const issueToken =
  ({ view, tokens, catchUp }: ServerDeps): Handler<'issueToken'> =>
  async ({ body }) => {
    const clientId = body.client_id.toLowerCase();
    const read = () => readClient(view, clientId, body.client_secret);
    const owned = await repeatMissing(read, catchUp, isClientRefused);
    const { token, expiresInSeconds } = await issueApplicationToken(tokens, clientId, owned);
    return {
      status: 200,
      headers: { 'cache-control': 'no-store' },
      body: { access_token: token, expires_in: expiresInSeconds, token_type: 'Bearer' },
    };
  };
