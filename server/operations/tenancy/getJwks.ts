// Returns the public keys that verify this server's tokens.
import type { ServerDeps } from '../../deps.ts';
import type { Handler } from '../../openapi/handlers.ts';

export const getJwks =
  ({ tokens }: ServerDeps): Handler<'getJwks'> =>
  async () => ({ status: 200, headers: { 'cache-control': 'public, max-age=300' }, body: tokens.jwks() });
