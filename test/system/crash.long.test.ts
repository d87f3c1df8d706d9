// The server is killed at random moments while several clients write, and while it recovers. After every restart each
// answered event exists exactly once, histories are complete on the contract, and blocks that a reader noted keep their
// hashes. A few kills of the real process on a real disk: test/simulation/ has the many, npm run soak those under load.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { createRandom } from '../../bench/random.ts';
import { createRpcClient, type RpcRequest } from '../../chain/jsonRpc/rpcRequest.ts';
import { type ServerProcess, startServerProcess } from '../../host/lifecycle/serverProcess.ts';
import { findServer, type ServerInfo } from '../../host/operator/controlClient.ts';
import { runOperatorCommand } from '../../host/operator/runOperatorCommand.ts';
import { FIRST_TENANT } from '../../host/tenants.ts';
import type { AssetResource } from '../../ledger/assets/assetResource.ts';
import { type Hex, toHex } from '../../ledger/encoding/hex.ts';
import { toKey } from '../../ledger/identity.ts';
import type { EventResource } from '../../ledger/records/event.ts';
import { CHAIN_KINDS, EXTERNAL, type TestNetwork } from '../support/chainKinds.ts';
import { checkStream } from '../support/contractCheck.ts';
import { createTemporaryDirectory, send } from '../support/testLedger.ts';
import { until } from '../support/until.ts';

const KILLS = 6;
// The server's own part is the same on both chains, and each start takes several seconds.
const KILLS_EXTERNAL = 3;
// Of the kills, every third is followed by two more, each while the server recovers.
const RECOVERY_PERIOD = 3;
const KILLS_IN_RECOVERY = 2;
const CLIENTS = 4;
// A kill follows so many answers, however long they take, and comes up to so many milliseconds later.
const ANSWERS = { min: 2, max: 40 };
const KILL_DELAY_MS_MAX = 20;

// A failing run prints its seed; CRASH_SEED repeats the run.
const SEED = Number(process.env.CRASH_SEED ?? Date.now() % 1_000_000_007);

interface Running {
  readonly server: ServerProcess;
  readonly info: ServerInfo;
  readonly token: string;
  readonly base: string;
  readonly request: RpcRequest;
}

const toSettings = (network: TestNetwork | undefined): Record<string, string> =>
  network === undefined ? {} : { CHAIN_RPC_URL: network.urls.join() };

const START = fileURLToPath(new URL('../../scripts/start.ts', import.meta.url));

// Starts a server and kills it after so many milliseconds, whether it answers by then or not.
const startAndKill = async (dataDir: string, network: TestNetwork | undefined, aliveMs: number): Promise<void> => {
  const free = { PORT: '0', HOST: '127.0.0.1', CHAIN_RPC_PORT: '0' };
  const env = { ...process.env, ...toSettings(network), DATA_DIR: dataDir, ...free };
  const child = spawn(process.execPath, [START], { env, stdio: ['ignore', 'ignore', 'inherit'] });
  const exited = once(child, 'exit');
  await sleep(aliveMs);
  child.kill('SIGKILL');
  const [code, signal] = await exited;
  expect({ code, signal }).to.deep.equal({ code: null, signal: 'SIGKILL' });
};

const startRunning = async (dataDir: string, network: TestNetwork | undefined): Promise<Running> => {
  const server = await startServerProcess(dataDir, [], toSettings(network));
  const info = await findServer(dataDir);
  const { token } = await runOperatorCommand<{ token: string }>(dataDir, 'token', {
    tenant: FIRST_TENANT,
    role: 'root',
  });
  return { server, info, token, base: `${server.url}/archivist/v2`, request: createRpcClient(info.rpcUrl, 10_000) };
};

// The port of the embedded chain refuses requests until then, with this reason.
const isReplayed = ({ request }: Running): Promise<boolean> =>
  request('eth_blockNumber', []).then(
    () => true,
    (error: Error) => {
      if (error.message.includes('being replayed')) return false;
      throw error;
    },
  );

const isConnectionError = (error: unknown): boolean => error instanceof TypeError || error instanceof SyntaxError;

for (const kind of CHAIN_KINDS) {
  const kills = kind === EXTERNAL ? KILLS_EXTERNAL : KILLS;
  describe(`on ${kind.name}, killed with SIGKILL at random moments`, () => {
    const answered = new Map<string, EventResource>();
    const assets: AssetResource[] = [];
    const notedBlocks = new Map<number, Hex>();
    let directory: Awaited<ReturnType<typeof createTemporaryDirectory>>;
    let server: ServerProcess | undefined;
    let network: TestNetwork | undefined;
    let count = 0;
    let startMs = 0;

    before(async () => {
      directory = await createTemporaryDirectory();
      network = await kind.prepare(directory.path);
    });
    after(async () => {
      await server?.stop('SIGKILL');
      await directory.remove();
    });

    const start = async (): Promise<Running> => {
      const beganMs = performance.now();
      const running = await startRunning(directory.path, network);
      await until(() => isReplayed(running));
      startMs = performance.now() - beganMs;
      server = running.server;
      return running;
    };

    // Posts events in sequence until the server is killed, and collects those that were answered.
    const write = async ({ base, token }: Running, client: number): Promise<void> => {
      const asset = assets[client]!;
      try {
        for (;;) {
          count += 1;
          const body = { behaviour: 'RecordEvidence', operation: 'Record', event_attributes: { count: String(count) } };
          const answer = await send<EventResource>(`${base}/${asset.identity}/events`, token, { body });
          expect(answer.status).to.equal(200);
          expect(answer.body.confirmation_status).to.equal('CONFIRMED');
          answered.set(answer.body.identity, answer.body);
        }
      } catch (error) {
        if (!isConnectionError(error)) throw error;
      }
    };

    const noteHead = async ({ request }: Running): Promise<void> => {
      const head = (await request('eth_getBlockByNumber', ['latest', false])) as { number: Hex; hash: Hex };
      notedBlocks.set(Number(head.number), head.hash);
    };

    const listAll = async ({ base, token }: Running, asset: AssetResource): Promise<EventResource[]> => {
      const events: EventResource[] = [];
      let query = 'page_size=1000';
      for (;;) {
        const { body } = await send<{ events: EventResource[]; next_page_token: string }>(
          `${base}/${asset.identity}/events?${query}`,
          token,
        );
        events.push(...body.events);
        if (body.next_page_token === '') return events;
        query = `page_token=${encodeURIComponent(body.next_page_token)}`;
      }
    };

    const checkAsset = async (running: Running, asset: AssetResource): Promise<void> => {
      const events = await listAll(running, asset);
      const identities = events.map(({ identity }) => identity);
      expect(new Set(identities).size).to.equal(identities.length);
      const mine = [...answered.values()].filter((event) => event.asset_identity === asset.identity);
      const listed = new Map(events.map((event) => [event.identity, event]));
      for (const event of mine) {
        const found = listed.get(event.identity);
        expect(found, event.identity).to.deep.equal(event);
      }
      const { contract } = running.info;
      const check = await checkStream(running.request, contract as Hex, asset.tenant_identity, asset.identity);
      expect(check.isComplete).to.equal(true);
      // Records that were accepted but not answered may still be pending; they follow all answered records.
      const confirmed = events.filter(({ confirmation_status }) => confirmation_status === 'CONFIRMED');
      expect(events.filter(({ confirmation_status }) => confirmation_status === 'FAILED')).to.deep.equal([]);
      const keys = confirmed.map(({ identity }) => toHex(toKey(identity))).reverse();
      expect(check.recordKeys.slice(0, keys.length)).to.deep.equal(keys);
    };

    const checkEverything = async (running: Running): Promise<void> => {
      for (const [number, hash] of notedBlocks) {
        const block = await running.request('eth_getBlockByNumber', [`0x${number.toString(16)}`, false]);
        expect((block as { hash: Hex }).hash).to.equal(hash);
      }
      for (const asset of assets) await checkAsset(running, asset);
    };

    // At random moments of the time that the last start needed.
    const killWhileRecovering = async (random: () => number): Promise<void> => {
      for (let kill = 0; kill < KILLS_IN_RECOVERY; kill += 1)
        await startAndKill(directory.path, network, random() * startMs);
    };

    it(`keeps all answered records over ${kills} kills (seed ${SEED})`, async () => {
      const random = createRandom(SEED);
      let contract = '';
      for (let kill = 0; kill <= kills; kill += 1) {
        const running = await start();
        contract ||= running.info.contract;
        expect(running.info.contract).to.equal(contract);
        for (let client = assets.length; client < CLIENTS; client += 1) {
          assets.push((await send<AssetResource>(`${running.base}/assets`, running.token, { body: {} })).body);
        }
        await checkEverything(running);
        await noteHead(running);
        const writers = Array.from({ length: CLIENTS }, (_, client) => write(running, client));
        const answers = answered.size + ANSWERS.min + random() * (ANSWERS.max - ANSWERS.min);
        await until(() => answered.size >= answers);
        await sleep(random() * KILL_DELAY_MS_MAX);
        await running.server.stop('SIGKILL');
        await Promise.all(writers);
        if (kill % RECOVERY_PERIOD === RECOVERY_PERIOD - 1) await killWhileRecovering(random);
      }
      const running = await start();
      await checkEverything(running);
      expect(await running.server.stop('SIGTERM')).to.equal(0);
      expect(answered.size).to.be.greaterThan(kills);
    });
  });
}
