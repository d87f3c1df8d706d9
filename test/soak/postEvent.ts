// One POST of an event over HTTP, with persistent connections.
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { delay } from '../support/until.ts';
import type { RunningServer } from './soakedServer.ts';

/** The answer to a POST. */
export interface PostAnswer {
  readonly status: number;
  readonly body: string;
}

/** The parts of a POST. */
export interface EventPost {
  /** Identity of the asset. */
  readonly asset: string;
  readonly body: string;
  /** The idempotency key; undefined for none. */
  readonly key: string | undefined;
  /** The client disconnects after so many milliseconds; undefined: it waits for the answer. */
  readonly vanishAfterMs: number | undefined;
}

/** Sends one POST. Rejects when the connection ends before the answer is complete. */
export type PostEvent = (server: RunningServer, post: EventPost) => Promise<PostAnswer>;

// Longer than the server takes before it answers PENDING.
const TIMEOUT_MS = 60_000;

const toHeaders = (token: string, key: string | undefined) => ({
  authorization: `Bearer ${token}`,
  'content-type': 'application/json',
  ...(key === undefined ? {} : { 'idempotency-key': key }),
});

/** Connections for so many clients, and the function that closes them. */
export const createPostEvent = (clients: number): { postEvent: PostEvent; close: () => void } => {
  const agent = new Agent({ keepAlive: true, maxSockets: clients });
  const postEvent: PostEvent = ({ base, token }, { asset, body, key, vanishAfterMs }) =>
    new Promise((resolve, reject) => {
      const headers = toHeaders(token(), key);
      const sent = request(`${base}/${asset}/events`, { agent, method: 'POST', headers }, (response) => {
        text(response).then((answer) => resolve({ status: response.statusCode!, body: answer }), reject);
      });
      sent.once('error', reject);
      sent.setTimeout(TIMEOUT_MS, () => sent.destroy(new Error(`no answer within ${TIMEOUT_MS} ms`)));
      if (vanishAfterMs !== undefined) void delay(vanishAfterMs).then(() => sent.destroy());
      sent.end(body);
    });
  return { postEvent, close: () => agent.destroy() };
};
