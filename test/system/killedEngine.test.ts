// The engine of the embedded chain ends while the server runs: reads go on, records are accepted and wait, /readyz says
// so, and everything is committed once when another engine has executed the journal.
import { expect } from 'chai';
import type { ChainEngine, StartEngine } from '../../chain/embedded/engine/engine.ts';
import { startEngineProcess } from '../../chain/embedded/engine/engineProcess.ts';
import type { Ledger } from '../../host/openLedger.ts';
import type { AssetResource } from '../../ledger/assets/assetResource.ts';
import type { EventResource } from '../../ledger/records/event.ts';
import { useDirectories } from '../support/directories.ts';
import { createFixtureTenant, type FixtureTenant } from '../support/fixtureTenant.ts';
import { type ListeningServer, openTestLedger, serveTestLedger } from '../support/testLedger.ts';
import { until } from '../support/until.ts';

const EVENTS = 5;
const WAIT_MS = 100;

interface Readiness {
  readonly status: string;
  readonly troubles: { readonly name: string }[];
}

describe('a server whose engine ends', () => {
  const makeDirectory = useDirectories();
  const engines: ChainEngine[] = [];
  let started = Promise.resolve();
  let ledger: Ledger;
  let server: ListeningServer;
  let tenant: FixtureTenant;
  let asset: AssetResource;

  // The next engine starts when the returned function is called.
  const holdNext = (): (() => void) => {
    const { promise, resolve } = Promise.withResolvers<void>();
    started = promise;
    return resolve;
  };
  const startEngine: StartEngine = async (config) => {
    await started;
    const engine = await startEngineProcess(config);
    engines.push(engine);
    return engine;
  };
  const listEvents = async (): Promise<EventResource[]> =>
    (await tenant.get<{ events: EventResource[] }>(`${asset.identity}/events?page_size=100`)).body.events;
  const readReadiness = async (): Promise<Readiness & { readonly code: number }> => {
    const response = await fetch(`${server.url}/readyz`);
    return { code: response.status, ...((await response.json()) as Readiness) };
  };

  before(async () => {
    const limits = { commitWaitMs: WAIT_MS };
    ledger = await openTestLedger(await makeDirectory(), { limits, startEngine, problems: [] });
    server = await serveTestLedger(ledger);
    tenant = await createFixtureTenant(ledger, server, 'alpha');
    asset = await tenant.createAsset();
    for (let event = 0; event < EVENTS; event += 1) await tenant.record(asset, `event ${event}`);
    await until(async () => (await listEvents()).every(({ confirmation_status: status }) => status === 'CONFIRMED'));
  });
  after(async () => {
    await server.close();
    await ledger.close();
  });

  it('answers reads, accepts records, tells /readyz, and commits everything once', async () => {
    expect((await readReadiness()).troubles).to.deep.equal([]);
    const before = await listEvents();
    const start = holdNext();
    process.kill(engines[0]!.pid, 'SIGKILL');
    await until(() => ledger.chain.readEngine!().endedCount === 1);
    expect(await listEvents()).to.deep.equal(before);
    const { code, status, troubles } = await readReadiness();
    expect([code, status, troubles.map(({ name }) => name)]).to.deep.equal([200, 'ready', ['ENGINE_RESTARTING']]);
    const posted = await tenant.record(asset, 'without an engine');
    expect([posted.status, posted.body.confirmation_status]).to.deep.equal([200, 'PENDING']);
    expect((await listEvents())[0]).to.deep.equal(posted.body);
    start();
    await until(async () => (await listEvents())[0]!.confirmation_status === 'CONFIRMED');
    const after = await listEvents();
    expect(after.slice(1)).to.deep.equal(before);
    expect(after.map(({ identity }) => identity)).to.deep.equal(
      [posted.body, ...before].map(({ identity }) => identity),
    );
    expect((await readReadiness()).troubles).to.deep.equal([]);
    expect(engines).to.have.length(2);
  });

  it('answers every record of clients that write while engines end', async () => {
    const before = (await listEvents()).length;
    const writes = Array.from({ length: 40 }, async (_, at) => {
      if (at % 10 === 5) process.kill(engines.at(-1)!.pid, 'SIGKILL');
      return tenant.record(asset, `beside an end ${at}`);
    });
    const answers = await Promise.all(writes);
    expect(answers.map(({ status }) => status)).to.deep.equal(Array(answers.length).fill(200));
    await until(async () => (await listEvents()).every(({ confirmation_status: status }) => status === 'CONFIRMED'));
    const identities = (await listEvents()).map(({ identity }) => identity);
    expect(identities).to.have.length(before + answers.length);
    expect(identities).to.include.members(answers.map(({ body }) => body.identity));
  });
});
