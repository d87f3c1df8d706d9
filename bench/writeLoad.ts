// The load generator of bench/writes.ts, in a separate process: clients in a closed loop, each posting one event after
// another over its own persistent connection. Reports the latency of every answer to its parent.
import { Agent, request } from 'node:http';
import { text } from 'node:stream/consumers';

/** What the parent asks for. */
export interface LoadOrder {
  readonly url: string;
  readonly token: string;
  /** Identities of the assets that the events go to, in turn. */
  readonly assets: readonly string[];
  readonly clients: number;
  readonly warmUpMs: number;
  readonly measureMs: number;
}

/** What the load generator found. */
export interface LoadResult {
  /** Latency of each answer in the measured time, in milliseconds. */
  readonly latenciesMs: readonly number[];
  readonly elapsedMs: number;
}

const createPost = (order: LoadOrder, agent: Agent) => {
  const base = new URL(order.url);
  const headers = { authorization: `Bearer ${order.token}`, 'content-type': 'application/json' };
  return (path: string, body: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const sent = request(
        { agent, host: base.hostname, port: base.port, path: `${base.pathname}${path}`, method: 'POST', headers },
        (response) => {
          text(response).then((answer) => {
            const isCommitted = response.statusCode === 200 && answer.includes('"confirmation_status":"CONFIRMED"');
            if (isCommitted) resolve();
            else reject(new Error(`${path} answers ${response.statusCode}: ${answer}`));
          }, reject);
        },
      );
      sent.once('error', reject).end(body);
    });
};

const toBody = (client: number, count: number): string =>
  JSON.stringify({
    behaviour: 'RecordEvidence',
    operation: 'Record',
    event_attributes: {
      arc_display_type: 'Inspection',
      arc_description: `client ${client} saw that everything was in order, for the ${count}th time`,
      arc_correlation_value: `${client}-${count}`,
      inspector: 'Ida Holm',
    },
    asset_attributes: { last_inspection: String(count) },
  });

const run = async (order: LoadOrder): Promise<LoadResult> => {
  const agent = new Agent({ keepAlive: true, maxSockets: order.clients });
  const post = createPost(order, agent);
  const beginMs = performance.now() + order.warmUpMs;
  const endMs = beginMs + order.measureMs;
  const latenciesMs: number[] = [];
  const runClient = async (client: number): Promise<void> => {
    for (let count = 0; performance.now() < endMs; count += 1) {
      const asset = order.assets[(client + count * order.clients) % order.assets.length]!;
      const startMs = performance.now();
      await post(`/v2/${asset}/events`, toBody(client, count));
      const nowMs = performance.now();
      if (startMs >= beginMs && nowMs <= endMs) latenciesMs.push(nowMs - startMs);
    }
  };
  await Promise.all(Array.from({ length: order.clients }, (_, client) => runClient(client)));
  agent.destroy();
  return { latenciesMs, elapsedMs: order.measureMs };
};

process.once('message', (order: LoadOrder) => {
  run(order).then(
    (result) => process.send?.(result, () => process.disconnect()),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
