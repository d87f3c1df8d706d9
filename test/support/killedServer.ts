// A server process to which clients write, and which is killed at one of its steps. After every restart each answered
// event exists exactly once, histories are complete on the contract, and blocks that a reader noted keep their hashes.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { createRpcClient, type RpcRequest } from '../../chain/jsonRpc/rpcRequest.ts';
import { type ServerProcess, startServerProcess } from '../../host/lifecycle/serverProcess.ts';
import { findServer, type ServerInfo } from '../../host/operator/controlClient.ts';
import { runOperatorCommand } from '../../host/operator/runOperatorCommand.ts';
import { FIRST_TENANT } from '../../host/tenants.ts';
import type { AssetResource } from '../../ledger/assets/assetResource.ts';
import { type Hex, toHex } from '../../ledger/encoding/hex.ts';
import { toKey } from '../../ledger/identity.ts';
import type { EventResource } from '../../ledger/records/event.ts';
import type { TestChain, TestNetwork } from './chainKinds.ts';
import { checkStream } from './contractCheck.ts';
import { createTemporaryDirectory, send } from './testLedger.ts';
import { until } from './until.ts';

interface Running {
  readonly server: ServerProcess;
  readonly info: ServerInfo;
  readonly token: string;
  readonly base: string;
  readonly request: RpcRequest;
}

/** What clients wrote and readers saw. */
interface Seen {
  readonly assets: AssetResource[];
  /** The events that were answered, by identity. */
  readonly answered: Map<string, EventResource>;
  /** Hashes of blocks, by number. */
  readonly blocks: Map<number, Hex>;
}

export interface KilledServer {
  /** Number of the events that were answered. */
  answered(): number;
  /** Starts the server, and checks everything that was seen before. `killAt` is for `writeUntilKilled`. */
  start(killAt: number): Promise<void>;
  /** Lets all clients write until the server ends itself, at step `killAt` after so many answers. */
  writeUntilKilled(answers: number): Promise<void>;
  /** Starts a server that ends itself at step `killAt`, or is killed when it listens. */
  killWhileStarting(killAt: number): Promise<void>;
  /** Asks the server to end; resolves with its exit code. */
  stop(): Promise<number | null>;
}

const KILLING = fileURLToPath(new URL('killAtEntry.ts', import.meta.url));
const START = fileURLToPath(new URL('../../scripts/start.ts', import.meta.url));
const TIMEOUT_MS = 10_000;

const startRunning = async (dataDir: string, settings: Readonly<Record<string, string>>): Promise<Running> => {
  const server = await startServerProcess(dataDir, ['--import', KILLING], settings);
  const info = await findServer(dataDir);
  const input = { tenant: FIRST_TENANT, role: 'root' };
  const { token } = await runOperatorCommand<{ token: string }>(dataDir, 'token', input);
  const request = createRpcClient(info.rpcUrl, TIMEOUT_MS);
  return { server, info, token, base: `${server.url}/archivist/v2`, request };
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

const checkAsset = async (running: Running, asset: AssetResource, { answered }: Seen): Promise<void> => {
  const events = await listAll(running, asset);
  const identities = events.map(({ identity }) => identity);
  expect(new Set(identities).size).to.equal(identities.length);
  const listed = new Map(events.map((event) => [event.identity, event]));
  for (const event of answered.values())
    if (event.asset_identity === asset.identity)
      expect(listed.get(event.identity), event.identity).to.deep.equal(event);
  const { contract } = running.info;
  const check = await checkStream(running.request, contract as Hex, asset.tenant_identity, asset.identity);
  expect(check.isComplete).to.equal(true);
  // Records that were accepted but not answered may still be pending; they follow all answered records.
  const confirmed = events.filter(({ confirmation_status }) => confirmation_status === 'CONFIRMED');
  expect(events.filter(({ confirmation_status }) => confirmation_status === 'FAILED')).to.deep.equal([]);
  const keys = confirmed.map(({ identity }) => toHex(toKey(identity))).reverse();
  expect(check.recordKeys.slice(0, keys.length)).to.deep.equal(keys);
};

const expectKilled = async (exited: Promise<unknown[]>): Promise<void> => {
  const [code, signal] = await exited;
  expect({ code, signal }).to.deep.equal({ code: null, signal: 'SIGKILL' });
};

const killWhileStarting = async (dataDir: string, settings: Readonly<Record<string, string>>): Promise<void> => {
  const env = { ...process.env, ...settings, DATA_DIR: dataDir, PORT: '0', HOST: '127.0.0.1', CHAIN_RPC_PORT: '0' };
  const child = spawn(process.execPath, ['--import', KILLING, START], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  createInterface({ input: child.stdout }).on('line', (line) => {
    if (line.startsWith('listening on ')) child.kill('SIGKILL');
  });
  await expectKilled(exited);
};

const checkSeen = async (running: Running, seen: Seen): Promise<void> => {
  for (const [number, hash] of seen.blocks) {
    const block = await running.request('eth_getBlockByNumber', [`0x${number.toString(16)}`, false]);
    expect((block as { hash: Hex }).hash).to.equal(hash);
  }
  for (const asset of seen.assets) await checkAsset(running, asset, seen);
};

const noteHead = async ({ request }: Running, { blocks }: Seen): Promise<void> => {
  const head = (await request('eth_getBlockByNumber', ['latest', false])) as { number: Hex; hash: Hex };
  blocks.set(Number(head.number), head.hash);
};

// Posts events in sequence until the server is killed, and collects those that were answered.
const write = async ({ base, token }: Running, asset: AssetResource, { answered }: Seen): Promise<void> => {
  const body = { behaviour: 'RecordEvidence', operation: 'Record', event_attributes: { note: 'written' } };
  try {
    for (;;) {
      const answer = await send<EventResource>(`${base}/${asset.identity}/events`, token, { body });
      expect(answer.status).to.equal(200);
      expect(answer.body.confirmation_status).to.equal('CONFIRMED');
      answered.set(answer.body.identity, answer.body);
    }
  } catch (error) {
    if (!isConnectionError(error)) throw error;
  }
};

/** Registers mocha hooks of a server on a chain of this kind, to which so many clients write, each to its own asset. */
export const useKilledServer = (kind: TestChain, clients: number): KilledServer => {
  const seen: Seen = { assets: [], answered: new Map(), blocks: new Map() };
  let directory: Awaited<ReturnType<typeof createTemporaryDirectory>>;
  let network: TestNetwork | undefined;
  let running: Running | undefined;
  before(async () => {
    directory = await createTemporaryDirectory();
    network = await kind.prepare(directory.path);
  });
  after(async () => {
    await running?.server.stop('SIGKILL');
    await directory.remove();
  });

  const markOf = (): string => join(directory.path, 'kill-from');
  const settingsOf = (killAt: number): Record<string, string> => ({
    ...(network && { CHAIN_RPC_URL: network.urls.join() }),
    KILL_AT: String(killAt),
  });
  const start = async (killAt: number): Promise<void> => {
    await rm(markOf(), { force: true });
    const contract = running?.info.contract;
    running = await startRunning(directory.path, { ...settingsOf(killAt), KILL_FROM: markOf() });
    expect(running.info.contract).to.equal(contract ?? running.info.contract);
    await until(() => isReplayed(running!));
    await checkSeen(running, seen);
    await noteHead(running, seen);
    const { base, token } = running;
    while (seen.assets.length < clients)
      seen.assets.push((await send<AssetResource>(`${base}/assets`, token, { body: {} })).body);
  };
  const writeUntilKilled = async (answers: number): Promise<void> => {
    const current = running!;
    const exited = once(current.server.process, 'exit');
    const enough = seen.answered.size + answers;
    const writers = seen.assets.map((asset) => write(current, asset, seen));
    await until(() => seen.answered.size >= enough);
    await writeFile(markOf(), '');
    await Promise.all(writers);
    await expectKilled(exited);
  };
  return {
    answered: () => seen.answered.size,
    start,
    writeUntilKilled,
    killWhileStarting: (killAt) => killWhileStarting(directory.path, settingsOf(killAt)),
    stop: () => running!.server.stop('SIGTERM'),
  };
};
