// The load generator, in a separate process: clients in a closed loop, each posting one event after another over its
// own persistent connection. Every answer must be CONFIRMED. Reports the latency of each to its parent.
import { type KeepAliveConnection, openConnection } from './keepAliveConnection.ts';
import type { LoadMessage, LoadOrder } from './runLoad.ts';

const CONFIRMED = '"confirmation_status":"CONFIRMED"';

// Eight attributes, in ASCII: seven of the event and one of the asset.
const toBody = (client: number, count: number): string =>
  JSON.stringify({
    behaviour: 'RecordEvidence',
    operation: 'Record',
    event_attributes: {
      arc_display_type: 'Inspection',
      arc_description: `client ${client} saw that everything was in order, for the ${count}th time`,
      arc_correlation_value: `${client}-${count}`,
      inspector: 'Ida Holm',
      reading: `${count % 1000}.25`,
      severity: 'none',
      site: `depot ${client % 8}`,
    },
    asset_attributes: { last_inspection: String(count) },
  });

const postEvent = async (connection: KeepAliveConnection, asset: string, body: string): Promise<void> => {
  const answer = await connection.post(`/v2/${asset}/events`, body);
  if (answer.status === 200 && answer.body.includes(CONFIRMED)) return;
  throw new Error(`a POST of an event is answered ${answer.status}: ${answer.body}`);
};

const report = (message: LoadMessage): void => {
  process.send!(message);
};

// The warm-up and the measured time each end when both their time and their events are reached. Answers count when they
// arrive in the measured time.
const createMeasurement = ({ warmUpMs, warmUpEvents, measureMs, eventsMin }: LoadOrder) => {
  const latenciesMs: number[] = [];
  let state: 'warm-up' | 'measured' | 'over' = 'warm-up';
  let sinceMs = performance.now();
  let warmUpCount = 0;
  let cpuAtBegin: NodeJS.CpuUsage | undefined;
  const begin = (nowMs: number): void => {
    [state, sinceMs, cpuAtBegin] = ['measured', nowMs, process.cpuUsage()];
    report({ kind: 'began' });
  };
  const end = (nowMs: number): void => {
    state = 'over';
    const { user, system } = process.cpuUsage(cpuAtBegin);
    report({ kind: 'ended' });
    const elapsedMs = nowMs - sinceMs;
    report({ kind: 'result', result: { latenciesMs, elapsedMs, generatorCpuMs: (user + system) / 1000 } });
  };
  const add = (startMs: number, nowMs: number): void => {
    if (state === 'warm-up') {
      warmUpCount += 1;
      if (nowMs - sinceMs >= warmUpMs && warmUpCount >= warmUpEvents) begin(nowMs);
    } else if (state === 'measured') {
      latenciesMs.push(nowMs - startMs);
      if (nowMs - sinceMs >= measureMs && latenciesMs.length >= eventsMin) end(nowMs);
    }
  };
  return { add, isOver: () => state === 'over' };
};

const run = async (order: LoadOrder): Promise<void> => {
  const headers = { authorization: `Bearer ${order.token}`, 'content-type': 'application/json' };
  const measurement = createMeasurement(order);
  const runClient = async (client: number): Promise<void> => {
    const connection = openConnection(new URL(order.url), headers);
    for (let count = 0; !measurement.isOver(); count += 1) {
      const asset = order.assets[(client + count * order.clients) % order.assets.length]!;
      const startMs = performance.now();
      await postEvent(connection, asset, toBody(client, count));
      measurement.add(startMs, performance.now());
    }
    connection.close();
  };
  await Promise.all(Array.from({ length: order.clients }, (_, client) => runClient(client)));
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
