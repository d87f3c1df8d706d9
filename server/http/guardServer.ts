// The protection that all HTTP servers of an installation share: a listener for every error, limits on connections, and
// one request of a connection at a time.
import type { RequestListener, Server } from 'node:http';
import type { RequestParties } from '../fairness/requestParties.ts';
import { type ConnectionOptions, type Connections, limitConnections } from './connectionLimits.ts';
import { holdSockets } from './heldSockets.ts';
import { createRequestQueue, PIPELINED_WAITING_MAX, type RequestQueue } from './requestQueue.ts';

/** The connections of a server, and the function that ends one of them. */
export type GuardedConnections = Connections & Pick<RequestQueue, 'endAfterAnswers'>;

/** The limits on connections, and how requests take turns. */
export interface GuardOptions extends ConnectionOptions {
  /** The shares of requests; those of their connections' networks unless given. */
  readonly readShare?: RequestParties['readShare'] | undefined;
}

const warn = (error: Error): void => process.emitWarning(error);

/** Protects a server that has no listener for requests yet, and answers its requests with `answer`. */
export const guardServer = (server: Server, answer: RequestListener, limits: GuardOptions): GuardedConnections => {
  holdSockets(server, limits.onAcceptError ?? warn);
  const connections = limitConnections(server, limits);
  const { add, endAfterAnswers } = createRequestQueue(answer, {
    ...connections,
    waitingMax: PIPELINED_WAITING_MAX,
    readShare: limits.readShare,
  });
  server.on('request', add);
  return { ...connections, endAfterAnswers };
};
