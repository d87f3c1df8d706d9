// Serves the metrics on a port of their own, so that they can stay private while the API is public. Answers only GET
// /metrics.
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { Registry } from 'prom-client';
import type { ConnectionOptions } from '../../server/http/connectionLimits.ts';
import { guardServer } from '../../server/http/guardServer.ts';
import { reportUnexpected } from './reports.ts';

const TIMES = { headersTimeout: 10_000, requestTimeout: 30_000, connectionsCheckingInterval: 5_000 };

const answer = (response: ServerResponse, status: number, type: string, body: string): void => {
  response.writeHead(status, { 'content-type': type, 'x-content-type-options': 'nosniff' }).end(body);
};

const sendMetrics = async (registry: Registry, response: ServerResponse): Promise<void> => {
  try {
    answer(response, 200, registry.contentType, await registry.metrics());
  } catch (error) {
    reportUnexpected(error);
    answer(response, 500, 'text/plain', 'the metrics could not be read\n');
  }
};

/** Opens the port; 0 is any free one. Returns the port and a function that closes it. */
export const listenForMetrics = async (
  registry: Registry,
  { host, port, connections }: { host: string; port: number; connections: ConnectionOptions },
): Promise<{ port: number; close: () => Promise<void> }> => {
  const server = createServer(TIMES);
  guardServer(
    server,
    (request, response) => {
      if (request.method === 'GET' && request.url === '/metrics') sendMetrics(registry, response);
      else answer(response, 404, 'text/plain', 'only GET /metrics\n');
    },
    connections,
  );
  server.listen(port, host);
  await once(server, 'listening');
  const address = server.address() as { port: number };
  return {
    port: address.port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
