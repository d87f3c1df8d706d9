// A client of `events:bulk` that sends and reads line by line.
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { createInterface } from 'node:readline';
import { LINES_TYPE } from './lines.ts';
import type { TestServer } from './testServer.ts';

export interface LineClient {
  readonly sent: ClientRequest;
  readonly response: IncomingMessage;
  /** Sends texts without waiting. */
  write(text: string): void;
  // biome-ignore lint/suspicious/noExplicitAny: tests read results of any shape
  read(): Promise<any>;
}

/** Opens a request and resolves when its response begins. */
export const openLineClient = async (
  server: Pick<TestServer, 'url' | 'tokens' | 'tenant'>,
  { query = '', as = server.tenant.writer } = {},
): Promise<LineClient> => {
  const { token } = await server.tokens.issue(as);
  const headers = { ...LINES_TYPE, authorization: `Bearer ${token}` };
  const sent = request(`${server.url}/svc/v2/events:bulk${query}`, { method: 'POST', headers });
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    sent.once('response', resolve).once('error', reject).flushHeaders();
  });
  sent.on('error', () => undefined);
  let results: AsyncIterator<string> | undefined;
  return {
    sent,
    response,
    write: (text) => void sent.write(text),
    read: async () => {
      results ??= createInterface({ input: response })[Symbol.asyncIterator]();
      const { done, value } = await results.next();
      return done ? undefined : JSON.parse(value);
    },
  };
};
