// A test server that listens again with other timeouts and limits.
import { createApp } from '../../../server/app.ts';
import type { ServerDeps } from '../../../server/deps.ts';
import { CLIENT_TIMEOUTS, type ClientTimeouts, type ServerLimits } from '../../../server/limits.ts';
import { listen } from '../../../server/listen.ts';
import { startTestServer, type TestServer } from './testServer.ts';

export interface Listeners {
  /** The server with the default timeouts and limits. */
  server(): TestServer;
  /** Listens on another port with these timeouts, limits and other parts. */
  listenWith(options: {
    timeouts?: Partial<ClientTimeouts>;
    limits?: Partial<ServerLimits>;
    parts?: Partial<ServerDeps>;
  }): Promise<TestServer>;
}

/** Registers mocha hooks that start a server before the tests and close all of its listeners after them. */
export const useListeners = (): Listeners => {
  let server: TestServer;
  const closings: (() => Promise<void>)[] = [];
  before(async () => {
    server = await startTestServer();
  });
  after(async () => {
    for (const close of closings) await close();
    await server.close();
  });
  return {
    server: () => server,
    listenWith: async (options) => {
      const app = createApp({
        ...server.deps,
        ...options.parts,
        limits: { ...server.deps.limits, ...options.limits },
      });
      const timeouts = { ...CLIENT_TIMEOUTS, ...options.timeouts };
      const { url, close } = await listen(app, { host: '127.0.0.1', port: 0, graceMs: 0, timeouts });
      closings.push(close);
      return { ...server, url };
    },
  };
};
