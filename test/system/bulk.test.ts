// The server is killed while it answers a body of lines. Every answered line is there once, and the same lines sent
// again add only what is missing.
import { request } from 'node:http';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import { createAssets } from '../../bench/load/createAssets.ts';
import { type ServerProcess, startServerProcess } from '../../host/lifecycle/serverProcess.ts';
import { runOperatorCommand } from '../../host/operator/runOperatorCommand.ts';
import { FIRST_TENANT } from '../../host/tenants.ts';
import type { EventResource } from '../../ledger/records/event.ts';
import { createTemporaryDirectory } from '../support/testLedger.ts';
import { until } from '../support/until.ts';

const LINES = 1_500;
const KILL_AFTER_ANSWERS = [1, 300];

interface Result {
  readonly line: number;
  readonly status: number;
  readonly event?: EventResource;
}

describe('a body of lines on a server that is killed', () => {
  let directory: Awaited<ReturnType<typeof createTemporaryDirectory>>;
  let server: ServerProcess;
  let token: string;
  let asset: string;

  const start = async (): Promise<void> => {
    const { path: dataDir } = directory;
    server = await startServerProcess(dataDir, [], { LOG_LEVEL: 'warn' });
    ({ token } = await runOperatorCommand<{ token: string }>(dataDir, 'token', { tenant: FIRST_TENANT, role: 'root' }));
  };
  const toLine = (n: number): string =>
    `${JSON.stringify({
      asset_identity: asset,
      idempotency_key: `line-${n}`,
      behaviour: 'RecordEvidence',
      operation: 'Record',
      event_attributes: { n: String(n) },
    })}\n`;
  // The answers until the last one or the end of the connection.
  const send = (onAnswer: (count: number) => void): Promise<Result[]> =>
    new Promise((resolve) => {
      const results: Result[] = [];
      const end = (): void => resolve(results);
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/x-ndjson' };
      const sent = request(`${server.url}/svc/v2/events:bulk`, { method: 'POST', headers }, (response) => {
        response.on('error', end);
        createInterface({ input: response })
          .on('line', (line) => {
            results.push(JSON.parse(line));
            onAnswer(results.length);
          })
          .on('close', end)
          .on('error', end);
      });
      sent.on('error', end).end(Array.from({ length: LINES }, (_, n) => toLine(n)).join(''));
    });
  // The committed ones.
  const readAll = async (): Promise<EventResource[]> => {
    const response = await fetch(`${server.url}/svc/v2/events:export?asset_identity=${asset}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    return (await response.text())
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as EventResource);
  };

  before(async () => {
    directory = await createTemporaryDirectory();
    await start();
    [asset] = (await createAssets(`${server.url}/svc`, token, 1)) as [string];
  });
  after(async () => {
    await server.stop('SIGTERM');
    await directory.remove();
  });

  it('has every answered line once, and the rest when the same lines are sent again', async () => {
    const answered = new Map<string, EventResource>();
    const take = (results: readonly Result[]): void => {
      for (const { status, event } of results) {
        expect(status).to.equal(200);
        const { n } = event!.event_attributes as { n: string };
        const { identity } = answered.get(n) ?? event!;
        expect(event!.identity).to.equal(identity);
        answered.set(n, event!);
      }
    };
    for (const count of KILL_AFTER_ANSWERS) {
      take(await send((answers) => void (answers === count && server.process.kill('SIGKILL'))));
      await server.stop('SIGKILL');
      await start();
    }
    const results = await send(() => undefined);
    expect(results).to.have.length(LINES);
    take(results);
    const readEvents = async () => (await readAll()).filter(({ operation }) => operation === 'Record');
    await until(async () => (await readEvents()).length >= LINES);
    const events = await readEvents();
    expect(events.map(({ event_attributes }) => Number(event_attributes.n))).to.eql([...Array(LINES).keys()]);
    expect(events.map(({ identity }) => identity)).to.eql(
      [...Array(LINES).keys()].map((n) => answered.get(String(n))!.identity),
    );
  });
});
