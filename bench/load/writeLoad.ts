// The load generator, in a separate process. In a closed loop each client posts one event after another over its own
// persistent connection. In an open loop events arrive at a fixed rate, whatever the answers, over as many connections
// as they need. Reports the latency of each answer to its parent.
import { setTimeout as sleep } from 'node:timers/promises';
import { createArrivals } from './arrivals.ts';
import { type KeepAliveConnection, openConnection } from './keepAliveConnection.ts';
import { toLoadEvent } from './loadEvent.ts';
import { createMeasurement, type Measurement, type Outcome } from './measurement.ts';
import type { LoadMessage, LoadOrder } from './runLoad.ts';

const CONFIRMED = '"confirmation_status":"CONFIRMED"';
const PENDING = '"confirmation_status":"PENDING"';
/** Answers of a server that is full: too many records wait, or too many requests arrive. */
const REFUSALS: readonly number[] = [429, 503];
/** How often an open loop checks which events are due. */
const TICK_MS = 2;
/** Connections of an open loop; an event that finds none free waits, and its latency counts from its planned time. */
const CONNECTIONS_MAX = 4_000;
/** Pause of a client after a refusal. */
const REFUSED_MS = 100;

const postEvent = async (
  { isStrict }: { isStrict: boolean },
  connection: KeepAliveConnection,
  path: string,
  body: object,
): Promise<Outcome> => {
  const answer = await connection.post(path, JSON.stringify(body));
  if (answer.status === 200 && answer.body.includes(CONFIRMED)) return 'confirmed';
  if (!isStrict && answer.status === 200 && answer.body.includes(PENDING)) return 'pending';
  if (!isStrict && REFUSALS.includes(answer.status)) return 'refused';
  throw new Error(`a POST of an event is answered ${answer.status}: ${answer.body}`);
};

const report = (message: LoadMessage): void => {
  process.send!(message);
};

const createPost = (order: LoadOrder, measurement: Measurement) => {
  const headers = { authorization: `Bearer ${order.token}`, 'content-type': 'application/json' };
  const isStrict = order.acceptsPending !== true;
  return {
    open: (): KeepAliveConnection => openConnection(new URL(order.url), headers),
    /** Posts one event and adds its latency since `startMs`. */
    post: async (connection: KeepAliveConnection, client: number, count: number, startMs: number): Promise<Outcome> => {
      const asset = order.assets[(client + count * order.clients) % order.assets.length]!;
      const path = `/v2/${asset}/events`;
      const outcome = await postEvent({ isStrict }, connection, path, toLoadEvent(client, count));
      measurement.add(startMs, performance.now(), outcome);
      return outcome;
    },
  };
};

const runClosedLoop = async (order: LoadOrder, measurement: Measurement): Promise<void> => {
  const { open, post } = createPost(order, measurement);
  const runClient = async (client: number): Promise<void> => {
    const connection = open();
    for (let count = 0; !measurement.isOver(); count += 1) {
      const outcome = await post(connection, client, count, performance.now());
      if (outcome === 'refused') await sleep(REFUSED_MS);
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: order.clients }, (_, client) => runClient(client)));
};

// Events that are due take a free connection, or open another one.
const runOpenLoop = async (order: LoadOrder & { perSecond: number }, measurement: Measurement): Promise<void> => {
  const { open, post } = createPost(order, measurement);
  const arrivals = createArrivals(order.perSecond, performance.now());
  const free: KeepAliveConnection[] = [];
  const running = new Set<Promise<void>>();
  let opened = 0;
  let failure: unknown;
  const take = (): KeepAliveConnection | undefined => {
    const known = free.pop();
    if (known !== undefined || opened === CONNECTIONS_MAX) return known;
    opened += 1;
    return open();
  };
  const start = (connection: KeepAliveConnection, count: number, plannedMs: number): void => {
    const posting = post(connection, count, 0, plannedMs)
      .then(() => void free.push(connection))
      .catch((error: unknown) => {
        failure ??= error;
      })
      .finally(() => running.delete(posting));
    running.add(posting);
  };
  for (let count = 0; !measurement.isOver() && failure === undefined; await sleep(TICK_MS)) {
    const due = arrivals.count(performance.now());
    for (; count < due; count += 1) {
      const connection = take();
      if (connection === undefined) break;
      start(connection, count, arrivals.toMs(count));
    }
  }
  await Promise.all(running);
  for (const connection of free) connection.close();
  if (failure !== undefined) throw failure;
};

const run = async (order: LoadOrder): Promise<void> => {
  const measurement = createMeasurement(order, report);
  const { perSecond } = order;
  if (perSecond === undefined) await runClosedLoop(order, measurement);
  else await runOpenLoop({ ...order, perSecond }, measurement);
};

process.once('message', (order: LoadOrder) => {
  run(order).then(
    () => process.disconnect(),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
