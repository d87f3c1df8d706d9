// A WebSocket server in place of a node's: it answers as the test decides.
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';

export interface HeadServer {
  /** URL of WebSocket, with a user name and a password. */
  readonly url: string;
  /** What it does with a subscription; by default it accepts it. */
  onSubscribe: (socket: WebSocket) => void;
  /** Whether it refuses to become a WebSocket. */
  isRefusing: boolean;
  /** Requests for a connection until now. */
  readonly requests: readonly IncomingMessage[];
  /** Connections that stand. */
  readonly sockets: ReadonlySet<WebSocket>;
  /** Sends an announcement to each connection. */
  announce(): void;
  close(): Promise<void>;
}

/** The password in a server's URL. */
export const HEAD_SERVER_PASSWORD = 'a:word';

/** An announcement of a block, as geth sends it, apart from the block. */
export const ANNOUNCEMENT = JSON.stringify({
  jsonrpc: '2.0',
  method: 'eth_subscription',
  params: { subscription: '0x1', result: 'not read' },
});

/** Accepts a subscription. */
export const acceptSubscription = (socket: WebSocket): void =>
  socket.send(JSON.stringify({ jsonrpc: '2.0', id: 1, result: '0x1' }));

/** A server on a free port of 127.0.0.1. `autoPong`: whether it answers pings. */
export const startHeadServer = async ({ autoPong = true } = {}): Promise<HeadServer> => {
  const requests: IncomingMessage[] = [];
  const verifyClient = ({ req }: { req: IncomingMessage }): boolean => {
    requests.push(req);
    return !head.isRefusing;
  };
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0, verifyClient, autoPong });
  await once(server, 'listening');
  server.on('connection', (socket) => {
    socket.on('error', () => undefined);
    socket.once('message', () => head.onSubscribe(socket));
  });
  const head: HeadServer = {
    url: `ws://me:${encodeURIComponent(HEAD_SERVER_PASSWORD)}@127.0.0.1:${(server.address() as AddressInfo).port}/key`,
    onSubscribe: acceptSubscription,
    isRefusing: false,
    requests,
    sockets: server.clients,
    announce: () => {
      for (const socket of server.clients) socket.send(ANNOUNCEMENT);
    },
    close: async () => {
      for (const socket of server.clients) socket.terminate();
      server.close();
      await once(server, 'close');
    },
  };
  return head;
};
