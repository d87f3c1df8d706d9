// JSON-RPC of the ledger's chain at /rpc, for pages of this server: it has no CORS headers, and accepts only a content
// type for which a browser would ask another server first.
import express, { type Router } from 'express';
import { requireMediaType } from '../http/bodies.ts';
import { readBytes } from '../http/bodyBytes.ts';
import { toClientSite } from '../http/clientNetworks.ts';
import type { LimitAddress } from '../http/rateLimits.ts';

/** Answers the body of a request of a party; undefined when it has no answer. Never rejects. */
export type AnswerRpc = (body: string, client: { readonly party: string }) => Promise<string | undefined>;

/** A call with the largest payload as hexadecimal text has 132,000. */
const BODY_BYTES_MAX = 262_144;

/** The route. `limitAddress` runs before each request. */
export const createRpcRouter = (answer: AnswerRpc, limitAddress: LimitAddress): Router => {
  const router = express.Router({ caseSensitive: true, strict: true });
  router.post('/rpc', async (request, response) => {
    response.locals.operationId = 'rpc';
    await limitAddress(request);
    requireMediaType(request, 'application/json');
    const onRefusedAtOnce = () => response.set('connection', 'close');
    const body = await readBytes(request, { bytesMax: BODY_BYTES_MAX, onRefusedAtOnce });
    const text = await answer(body.toString(), { party: toClientSite(request.ip ?? '') });
    response.set('cache-control', 'no-store');
    if (text === undefined) response.status(204).end();
    else response.type('json').send(text);
  });
  return router;
};
