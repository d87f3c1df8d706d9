// `fetch` for the nodes of a simulated network: a request leaves the process, reaches its node after a while, and is
// answered, or isn't. A request that has left takes effect, also when its process ends or stops waiting.
import { cancelTimeout } from '../edges/timeouts.ts';
import { currentProcess, perform } from '../world/processes.ts';
import { theWorld } from '../world/world.ts';
import type { Exchange } from './exchange.ts';
import type { HttpAnswer } from './messageFaults.ts';

/** The receiving side of a node. */
export interface Receiver {
  readonly name: string;
  receive(exchange: Exchange): void;
}

/** What the project's JSON-RPC client uses of `fetch`. */
export type SimulatedFetch = (
  url: string,
  init: { readonly body: string; readonly signal?: AbortSignal },
) => Promise<{ readonly status: number; readonly body: Iterable<Uint8Array> | AsyncIterable<Uint8Array> }>;

/** Shortest and longest time of a message between a client and a node, in virtual milliseconds. */
export const LATENCY_MS = [1, 4] as const;

const SUFFIX = '.simulated';
const METHOD = /"method":"(\w+)"/;

const toFailure = (code: string): TypeError =>
  new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) });

const breakAfter = async function* (chunk: Uint8Array): AsyncGenerator<Uint8Array> {
  yield chunk;
  throw new TypeError('terminated');
};

const toResponse = ({ status, text, isCut }: HttpAnswer) => {
  const chunk = Buffer.from(text, 'utf8');
  return { status, body: isCut ? breakAfter(chunk) : [chunk] };
};

const drawLatencyMs = (): number =>
  theWorld()
    .stream('network latency')
    .integer(...LATENCY_MS);

// Only a transaction changes anything outside the process. It leaves at one moment, at which a kill can hit, and
// travels on without the process.
const dispatch = ({ name, receive }: Receiver, exchange: Exchange): void => {
  const what = (): string => `send ${exchange.method} to ${name}`;
  const operation =
    exchange.method === 'eth_sendRawTransaction'
      ? {
          delayMs: [0, 0] as const,
          changes: true,
          effect: () => theWorld().schedule(drawLatencyMs(), () => receive(exchange)),
        }
      : { delayMs: LATENCY_MS, changes: false, effect: () => receive(exchange) };
  void perform<unknown>({ what, ...operation });
};

/** A `fetch` that reaches these nodes at `http://<name>.simulated/`. Every other URL is refused. */
export const createSimulatedFetch = (nodes: ReadonlyMap<string, Receiver>): SimulatedFetch => {
  const byUrl = new Map([...nodes].map(([name, node]) => [`http://${name}${SUFFIX}/`, node]));
  return (url, { body, signal }) =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const node = byUrl.get(url);
      if (node === undefined) return reject(toFailure('ENOTFOUND'));
      const process = currentProcess();
      const whileAlive = (answer: () => void): void => {
        if (process === undefined || process.isAlive()) answer();
      };
      // Most requests are answered: their timers would be a fifth of the tasks of a run.
      const finish = (answer: () => void): void => {
        cancelTimeout(signal);
        whileAlive(answer);
      };
      signal?.addEventListener('abort', () => whileAlive(() => reject(signal.reason)), { once: true });
      dispatch(node, {
        body,
        method: METHOD.exec(body)?.[1] ?? '',
        respond: (answer) => finish(() => resolve(toResponse(answer))),
        reset: (code) => finish(() => reject(toFailure(code))),
      });
    });
};
