// Mocha hooks that start a test server and close it. The server that they return has its members from its start on.
import { startTestServer, type TestServer } from './testServer.ts';

type Options = Parameters<typeof startTestServer>;

const prepare = (options: Options) => {
  const server = {} as TestServer;
  return {
    server,
    start: async (): Promise<void> => {
      Object.assign(server, await startTestServer(...options));
    },
    close: () => server.close(),
  };
};

/** One server for all tests of a suite, with the options of `startTestServer`. */
export const useServer = (...options: Options): TestServer => {
  const { server, start, close } = prepare(options);
  before(start);
  after(close);
  return server;
};

/** A new server for each test of a suite, with the options of `startTestServer`. */
export const useNewServer = (...options: Options): TestServer => {
  const { server, start, close } = prepare(options);
  beforeEach(start);
  afterEach(close);
  return server;
};
