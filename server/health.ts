// What an orchestrator asks: does the process live (/healthz), and can it do its work (/readyz)? Both answer without a token, and say
// nothing that a client could use.
import express, { type Response, type Router } from 'express';

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

/** The routes of /healthz and /readyz. */
export const createHealthRouter = (findTroubles: FindTroubles): Router => {
  const router = express.Router({ caseSensitive: true, strict: true });
  router.get('/healthz', (_request, response) => {
    response.locals.operationId = 'healthz';
    answer(response, 200, { status: 'alive' });
  });
  router.get('/readyz', async (_request, response) => {
    response.locals.operationId = 'readyz';
    const troubles = await findTroubles();
    if (troubles.length === 0) answer(response, 200, { status: 'ready', troubles });
    else answer(response, 503, { status: 'not ready', troubles });
  });
  return router;
};
