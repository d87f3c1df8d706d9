// What an orchestrator asks: does the process live (/healthz), and can it do its work (/readyz)? Both answer without a token, and say
// nothing that a client could use.
import express, { type RequestHandler, type Response, type Router } from 'express';

/** Something that keeps the server from its work. */
export interface Trouble {
  /** What it is about: `chain`, `index`, `outbox`, `starting`, `stopping`. */
  readonly name: string;
  readonly reason: string;
}

/** The troubles of now; none when the server can do its work. Doesn't reject. */
export type FindTroubles = () => Promise<readonly Trouble[]>;

const answer = (response: Response, status: number, body: object): void => {
  response.status(status).set('cache-control', 'no-store').json(body);
};

// Requests that come while the troubles are looked for share one look.
const shareWhileLooking = (findTroubles: FindTroubles): FindTroubles => {
  let looking: ReturnType<FindTroubles> | undefined;
  return () => {
    looking ??= findTroubles().finally(() => {
      looking = undefined;
    });
    return looking;
  };
};

/** The routes of /healthz and /readyz. `limit` comes before both; it should count nothing else, or other requests use up an orchestrator's share. */
export const createHealthRouter = (findTroubles: FindTroubles, limit: RequestHandler): Router => {
  const router = express.Router({ caseSensitive: true, strict: true });
  const findShared = shareWhileLooking(findTroubles);
  router.get('/healthz', limit, (_request, response) => {
    response.locals.operationId = 'healthz';
    answer(response, 200, { status: 'alive' });
  });
  router.get('/readyz', limit, async (_request, response) => {
    response.locals.operationId = 'readyz';
    const troubles = await findShared();
    if (troubles.length === 0) answer(response, 200, { status: 'ready', troubles });
    else answer(response, 503, { status: 'not ready', troubles });
  });
  return router;
};
