// Exchanges the code of the operator's link for a token. Only a page of this server, in a browser on its own machine,
// which reaches it without a proxy, can do so.
import express, { type Request, type Router } from 'express';
import ipaddr from 'ipaddr.js';
import { refuseField } from '../../ledger/errors.ts';
import { isJsonObject } from '../../ledger/records/attributes.ts';
import { issueApplicationToken } from '../auth/tokens/applicationToken.ts';
import type { ServerDeps } from '../deps.ts';
import { requireMediaType } from '../http/bodies.ts';
import { readBytes } from '../http/bodyBytes.ts';
import type { LimitAddress } from '../http/rateLimits.ts';
import type { SignInLink } from './signInLink.ts';

const BODY_BYTES_MAX = 1_024;
const FORWARDING = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'];

const refuse = (field: string, description: string) => refuseField('SIGN_IN_LINK_REFUSED', field, description);

const isLoopbackAddress = (address: string | undefined): boolean =>
  address !== undefined && ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';

const assertLocal = ({ socket, headers }: Request): void => {
  if (!isLoopbackAddress(socket.localAddress) || !isLoopbackAddress(socket.remoteAddress))
    throw refuse('address', 'is not of the machine of the server, where alone the link works');
  const forwarding = FORWARDING.find((name) => headers[name] !== undefined);
  if (forwarding !== undefined) throw refuse(forwarding, 'comes from a proxy, behind which the link does not work');
};

// The host is ours against pages whose name was made to lead here (DNS rebinding), the origin against other pages.
const assertOwn = ({ headers }: Request, origin: string | undefined): void => {
  if (origin === undefined) return;
  if (headers.host !== new URL(origin).host) throw refuse('host', 'is not the one of the link');
  if (headers.origin !== origin) throw refuse('origin', 'is not a page of this server');
};

const readCode = async (request: Request, onRefusedAtOnce: () => void): Promise<string> => {
  requireMediaType(request, 'application/json');
  const bytes = await readBytes(request, { bytesMax: BODY_BYTES_MAX, onRefusedAtOnce });
  try {
    const body: unknown = JSON.parse(bytes.toString());
    if (isJsonObject(body) && typeof body.code === 'string') return body.code;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw refuseField('REQUEST_INVALID', 'code', 'is missing, or not a text');
};

// As RFC 6749 section 5.1 has it.
const issue = async (clientId: string, { view, tokens }: Pick<ServerDeps, 'view' | 'tokens'>) => {
  const owned = await view.readApplication(clientId);
  if (owned === undefined) throw refuse('code', 'is of an application that was deleted');
  const { token, expiresInSeconds } = await issueApplicationToken(tokens, clientId, owned);
  return { access_token: token, token_type: 'Bearer', expires_in: expiresInSeconds };
};

/**
 * The route. Refusals are SIGN_IN_LINK_REFUSED, with the header that is wrong, `address` or `code` as the field.
 * `limitAddress` runs before each request.
 */
export const createSignInLinkRouter = (
  link: SignInLink,
  deps: Pick<ServerDeps, 'view' | 'tokens'>,
  limitAddress: LimitAddress,
): Router => {
  const router = express.Router({ caseSensitive: true, strict: true });
  router.post('/ui/first-sign-in', async (request, response) => {
    response.locals.operationId = 'firstSignIn';
    await limitAddress(request);
    assertLocal(request);
    assertOwn(request, link.readOrigin());
    const code = await readCode(request, () => response.set('connection', 'close'));
    const clientId = link.take(code);
    if (clientId === undefined)
      throw refuse('code', 'was used before, is older than five minutes, or is not of this server');
    response.set('cache-control', 'no-store').json(await issue(clientId, deps));
  });
  return router;
};
