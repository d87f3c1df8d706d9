// A client of a stream of events.
import { get, type IncomingMessage } from 'node:http';
import { createInterface } from 'node:readline';
import type { TokenSubject } from '../../../server/auth/tokens/tokenContent.ts';
import type { TestServer } from './testServer.ts';

export interface StreamClient {
  readonly response: IncomingMessage;
  /** The id of the last message that was read. */
  lastId(): string | undefined;
  /** The data of the next message, or undefined at the end of the stream. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read events of any shape
  read(): Promise<any>;
  /** Reads the next message, also one without data. */
  readAny(): Promise<Message | undefined>;
  close(): void;
}

export interface Message {
  readonly id?: string;
  readonly data?: string;
}

export interface StreamOptions {
  readonly as?: TokenSubject;
  readonly lastId?: string | undefined;
}

const toMessage = (lines: readonly string[]): Message =>
  Object.fromEntries(
    lines.filter((line) => /^(id|data): /.test(line)).map((line) => line.split(/: (.*)/s).slice(0, 2)),
  );

async function* readMessages(response: IncomingMessage): AsyncGenerator<Message> {
  let lines: string[] = [];
  for await (const line of createInterface({ input: response })) {
    if (line !== '') lines.push(line);
    else {
      yield toMessage(lines);
      lines = [];
    }
  }
}

/** Opens a stream and resolves when its answer begins. */
export const openStream = async (
  { url, tokens, tenant }: Pick<TestServer, 'url' | 'tokens' | 'tenant'>,
  path: string,
  { as = tenant.reader, lastId: given }: StreamOptions = {},
): Promise<StreamClient> => {
  const { token } = await tokens.issue(as);
  const headers = { authorization: `Bearer ${token}`, ...(given === undefined ? {} : { 'last-event-id': given }) };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(`${url}/svc/v2/assets/${path}`, { headers, agent: false }, resolve).once('error', reject);
  });
  // A connection that the server closes is the end of the stream.
  response.on('error', () => undefined);
  let messages: AsyncGenerator<Message> | undefined;
  let lastId = given;
  const readAny = async (): Promise<Message | undefined> => {
    messages ??= readMessages(response);
    const { done, value } = await messages.next();
    if (done) return undefined;
    lastId = value.id ?? lastId;
    return value;
  };
  return {
    response,
    lastId: () => lastId,
    readAny,
    read: async () => {
      for (let message = await readAny(); message !== undefined; message = await readAny()) {
        if (message.data !== undefined) return JSON.parse(message.data);
      }
      return undefined;
    },
    close: () => response.destroy(),
  };
};
