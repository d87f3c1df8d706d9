// What every HTTP server of an installation has in common, for any kind of client: limits on connections, and one request of a connection
// at a time.
import type { RequestListener, Server } from 'node:http';
import { type ConnectionOptions, type Connections, limitConnections } from './connectionLimits.ts';
import { createRequestQueue, PIPELINED_WAITING_MAX, type RequestQueue } from './requestQueue.ts';

/** The connections of a server, and how to end one of them. */
export type GuardedConnections = Connections & Pick<RequestQueue, 'endAfterAnswers'>;

/** Answers the requests of a server that has no listener yet. */
export const guardServer = (server: Server, answer: RequestListener, limits: ConnectionOptions): GuardedConnections => {
  const connections = limitConnections(server, limits);
  const { add, endAfterAnswers } = createRequestQueue(answer, { ...connections, waitingMax: PIPELINED_WAITING_MAX });
  server.on('request', add);
  return { ...connections, endAfterAnswers };
};
