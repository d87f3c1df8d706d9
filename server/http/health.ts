// Answers an orchestrator's probes: whether the process is alive (/healthz), and whether it is ready to serve
// (/readyz). Neither requires a token, and their answers contain nothing that a client could use.
import express, { type RequestHandler, type Response, type Router } from 'express';

/** A condition that keeps the server from serving requests, or one that its operator should know of. */
export interface HealthIssue {
  /** The part that has it: `chain`, `index`, `outbox`, `starting`, `stopping`; or the code of a notice. */
  readonly name: string;
  readonly reason: string;
  /** Whether the server is ready nevertheless. Default: false. */
  readonly isNotice?: boolean;
  /** Further fields of its entry in the answer. */
  readonly details?: Readonly<Record<string, unknown>>;
}

/** The newest block of a network's chain, as the answer shows it. */
export interface HeadJson {
  readonly block_height: string;
  readonly timestamp_committed: string;
  readonly age_seconds: number;
}

/** The notice that the chain has stalled. The status is `stalled` then: requests are served, and not committed. */
export const CHAIN_STALLED = 'CHAIN_STALLED';

/** Returns the current health issues; none, or only notices, when the server is ready. Doesn't reject. */
export type FindHealthIssues = () => Promise<readonly HealthIssue[]>;

const answer = (response: Response, status: number, body: object): void => {
  response.status(status).set('cache-control', 'no-store').json(body);
};

// Requests that arrive while a search is in progress share its result.
const shareWhileFinding = (findHealthIssues: FindHealthIssues): FindHealthIssues => {
  let finding: ReturnType<FindHealthIssues> | undefined;
  return () => {
    finding ??= findHealthIssues().finally(() => {
      finding = undefined;
    });
    return finding;
  };
};

/**
 * The routes of /healthz and /readyz. `limit` runs before both. It should count no other requests, because they would
 * use up an orchestrator's share. `finality` is what makes a block of a network final, in words; `readHead` returns its
 * newest block.
 */
export const createHealthRouter = (
  findHealthIssues: FindHealthIssues,
  limit: RequestHandler,
  { finality, readHead }: { finality?: string | undefined; readHead?: (() => HeadJson | undefined) | undefined } = {},
): Router => {
  const router = express.Router({ caseSensitive: true, strict: true });
  const findShared = shareWhileFinding(findHealthIssues);
  router.get('/healthz', limit, (_request, response) => {
    response.locals.operationId = 'healthz';
    answer(response, 200, { status: 'alive' });
  });
  router.get('/readyz', limit, async (_request, response) => {
    response.locals.operationId = 'readyz';
    const issues = await findShared();
    const troubles = issues.map(({ name, reason, details }) => ({ name, reason, ...details }));
    const body = { troubles, final_blocks: finality, chain_head: readHead?.() };
    const isStalled = issues.some(({ name }) => name === CHAIN_STALLED);
    if (issues.every(({ isNotice }) => isNotice === true))
      answer(response, 200, { status: isStalled ? 'stalled' : 'ready', ...body });
    else answer(response, 503, { status: 'not ready', ...body });
  });
  return router;
};
