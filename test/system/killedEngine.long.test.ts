// The real server, whose engine is killed while clients write: the server stays, answers every record, has each of them
// once, and ends with 0 when it is asked to, and with 1 when its engine ends too often.
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { type ServerProcess, startServerProcess } from '../../host/lifecycle/serverProcess.ts';
import { runOperatorCommand } from '../../host/operator/runOperatorCommand.ts';
import { FIRST_TENANT } from '../../host/tenants.ts';
import type { AssetResource } from '../../ledger/assets/assetResource.ts';
import type { EventResource } from '../../ledger/records/event.ts';
import { useDirectories } from '../support/directories.ts';
import { isAlive } from '../support/isAlive.ts';
import { skipWithoutLinux } from '../support/missing.ts';
import { send } from '../support/testLedger.ts';
import { until } from '../support/until.ts';

const CLIENTS = 3;
const KILLS = 4;
/** Answers between two kills. */
const ANSWERS = 15;
const EVENT = { behaviour: 'RecordEvidence', operation: 'Record', event_attributes: { note: 'written' } };

const readEngine = async ({ process: { pid } }: ServerProcess): Promise<number | undefined> => {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
  return children.split(' ').filter(Boolean).map(Number)[0];
};

const kill = (pid: number): void => {
  if (isAlive(pid)) process.kill(pid, 'SIGKILL');
};

describe('a server process whose engine is killed', function () {
  // Up to six engines are started, the last of them after pauses of 81 s together.
  this.timeout(300_000);
  const makeDirectory = useDirectories();
  let server: ServerProcess;
  let base: string;
  let token: string;

  before(function () {
    skipWithoutLinux(this);
  });
  beforeEach(async () => {
    const dataDir = await makeDirectory();
    server = await startServerProcess(dataDir, [], { LOG_LEVEL: 'error', CHAIN_ENGINE: 'process' });
    base = `${server.url}/archivist/v2`;
    const input = { tenant: FIRST_TENANT, role: 'root' };
    ({ token } = await runOperatorCommand<{ token: string }>(dataDir, 'token', input));
  });
  afterEach(() => server.stop('SIGKILL'));

  const createAsset = async (): Promise<AssetResource> =>
    (await send<AssetResource>(`${base}/assets`, token, { body: {} })).body;
  const listEvents = async ({ identity }: AssetResource): Promise<EventResource[]> =>
    (await send<{ events: EventResource[] }>(`${base}/${identity}/events?page_size=1000`, token)).body.events;

  it('answers every record, and has each of them once', async () => {
    const assets = await Promise.all(Array.from({ length: CLIENTS }, createAsset));
    const answered: string[] = [];
    let isOver = false;
    const write = async ({ identity }: AssetResource): Promise<void> => {
      while (!isOver) {
        const { status, body } = await send<EventResource>(`${base}/${identity}/events`, token, { body: EVENT });
        expect(status).to.equal(200);
        answered.push(body.identity);
      }
    };
    const writers = assets.map(write);
    for (let killed = 0; killed < KILLS; killed += 1) {
      await until(() => answered.length >= (killed + 1) * ANSWERS);
      await until(async () => (await readEngine(server)) !== undefined);
      kill((await readEngine(server))!);
      expect((await listEvents(assets[0]!)).length).to.be.greaterThan(0);
    }
    await until(() => answered.length >= (KILLS + 1) * ANSWERS);
    isOver = true;
    await Promise.all(writers);
    const listed = async () => (await Promise.all(assets.map(listEvents))).flat();
    await until(async () => (await listed()).every(({ confirmation_status: status }) => status === 'CONFIRMED'));
    const identities = (await listed()).map(({ identity }) => identity);
    expect(new Set(identities).size).to.equal(identities.length);
    expect(identities).to.have.length(answered.length + CLIENTS);
    expect(identities).to.include.members(answered);
    const engine = (await readEngine(server))!;
    expect(await server.stop('SIGTERM')).to.equal(0);
    await until(() => !isAlive(engine));
  });

  it('leaves no engine behind when the server itself is killed', async () => {
    const engine = (await readEngine(server))!;
    expect(await server.stop('SIGKILL')).to.equal(null);
    await until(() => !isAlive(engine));
  });

  it('ends with exit code 1 when engines end one after the other', async () => {
    const exited = once(server.process, 'exit');
    let isEnded = false;
    void exited.then(() => {
      isEnded = true;
    });
    await until(
      async () => {
        const engine = isEnded ? undefined : await readEngine(server).catch(() => undefined);
        if (engine !== undefined) kill(engine);
        return isEnded;
      },
      () => 'the server still runs',
      250_000,
    );
    expect((await exited)[0]).to.equal(1);
  });
});
