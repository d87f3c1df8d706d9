// What every HTTP server of an installation has in common, whoever its clients are: limits on connections, and one request of a connection
// at a time.
import type { RequestListener, Server } from 'node:http';
import { type ConnectionLimits, type Connections, limitConnections } from './connectionLimits.ts';
import { PIPELINED_WAITING_MAX, runInTurn } from './requestQueue.ts';

/** Answers the requests of a server that has no listener yet. */
export const guardServer = (server: Server, answer: RequestListener, limits: ConnectionLimits): Connections => {
  const connections = limitConnections(server, limits);
  server.on('request', runInTurn(answer, { ...connections, waitingMax: PIPELINED_WAITING_MAX }));
  return connections;
};
