// The clients of bench:lists, in a process of their own: each requests one list after another over its own persistent
// connection, and reads each answer completely. Reports the latencies to the parent.
import { Agent, request } from 'node:http';

/** What the parent requests. */
export interface ListOrder {
  readonly url: string;
  readonly token: string;
  /** Paths with their queries, requested in turn. */
  readonly paths: readonly string[];
  readonly clients: number;
  readonly warmUpMs: number;
  readonly measureMs: number;
}

/** What the clients measured. */
export interface ListResult {
  /** Latency of each answer in the measured time, in milliseconds. */
  readonly latenciesMs: readonly number[];
  /** All requests, those before the measured time included. */
  readonly requests: number;
  /** Bytes of the last answer. */
  readonly bytes: number;
}

const createGet = ({ url, token }: ListOrder, agent: Agent) => {
  const base = new URL(url);
  const headers = { authorization: `Bearer ${token}` };
  return (path: string): Promise<number> =>
    new Promise((resolve, reject) => {
      const target = { agent, host: base.hostname, port: base.port, path: `${base.pathname}${path}`, headers };
      const sent = request(target, (response) => {
        const { statusCode } = response;
        if (statusCode !== 200 && statusCode !== 206) reject(new Error(`GET ${path} is answered ${statusCode}`));
        let bytes = 0;
        response.on('data', (part: Buffer) => {
          bytes += part.length;
        });
        response.once('end', () => resolve(bytes)).once('error', reject);
      });
      sent.once('error', reject).end();
    });
};

const run = async (order: ListOrder): Promise<ListResult> => {
  const agent = new Agent({ keepAlive: true, maxSockets: order.clients });
  const get = createGet(order, agent);
  const beginMs = performance.now() + order.warmUpMs;
  const endMs = beginMs + order.measureMs;
  const latenciesMs: number[] = [];
  let sent = 0;
  let bytes = 0;
  const runClient = async (): Promise<void> => {
    while (performance.now() < endMs) {
      const path = order.paths[sent % order.paths.length]!;
      sent += 1;
      const startMs = performance.now();
      bytes = await get(path);
      if (startMs >= beginMs) latenciesMs.push(performance.now() - startMs);
    }
  };
  await Promise.all(Array.from({ length: order.clients }, runClient));
  agent.destroy();
  return { latenciesMs, requests: sent, bytes };
};

process.on('message', (order: ListOrder) => {
  run(order).then(
    (result) => process.send!(result),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
