// A ledger on an engine, its server in a process of its own, and clients that write all the time.
import { join } from 'node:path';
import { computeAddress } from 'ethers';
import { dataPaths } from '../../host/files/dataPaths.ts';
import { openKeyring } from '../../host/keyring.ts';
import type { AssetResource } from '../../ledger/assets/assetResource.ts';
import type { EventResource } from '../../ledger/records/event.ts';
import type { components } from '../../server/openapi/api.gen.ts';
import { awaitEmptyOutbox, checkListedEvents, type ListedLedger } from '../soak/checkLedger.ts';
import { createLoadCounts, createSoakClient, type Load, runLoadUntil } from '../soak/load.ts';
import { createPostEvent } from '../soak/postEvent.ts';
import { type RunningServer, type SoakedServer, startSoakedServer } from '../soak/soakedServer.ts';
import type { TestNetwork } from '../support/chainKinds.ts';
import { runScript } from '../support/runScript.ts';
import { send } from '../support/testLedger.ts';
import { until } from '../support/until.ts';
import type { Engine } from './engine.ts';

/** A ledger on the nodes of an engine. */
export interface EngineLedger {
  readonly dataDir: string;
  readonly network: TestNetwork;
  readonly settings: Readonly<Record<string, string>>;
  readonly contract: string;
}

/** The answer to GET v1/node. */
export type NodeReport = components['schemas']['NodeReport'];

const CLIENTS = 8;

/** One node must answer: the facts suspend all others. */
const AGREEING = 1;

/** Deploys a ledger in a directory of its own, with the command. */
export const deployOnEngine = async (engine: Engine, directory: string): Promise<EngineLedger> => {
  const dataDir = join(directory, 'data');
  const keyring = await openKeyring(dataPaths(dataDir).keys);
  await engine.fund((await keyring.openWallet('relayer')).address);
  const urls = engine.nodes.map(({ url }) => url);
  const settings = {
    CHAIN_RPC_URL: urls.join(','),
    CHAIN_CONFIRMATIONS: String(engine.confirmations),
    CHAIN_AGREEING: String(AGREEING),
    LOG_LEVEL: 'silent',
    LOG_ORIGIN: 'engines.example/log',
    CHECKPOINT_SECONDS: '10',
  };
  const { code, stdout, stderr } = await runScript('deploy.ts', dataDir, [], settings);
  const contract = /^contract (0x[0-9a-f]{40}) /im.exec(stdout)?.[1];
  if (code !== 0 || contract === undefined) throw new Error(`no ledger was deployed: ${stdout}${stderr}`);
  const network = { urls, confirmations: engine.confirmations, agreeing: AGREEING, pollMs: 50 };
  return { dataDir, network, settings, contract };
};

const createAsset = async ({ base, token }: RunningServer, number: number): Promise<string> => {
  const body = { attributes: { arc_display_name: `Door ${number}` } };
  const answer = await send<AssetResource>(`${base}/assets`, token(), { body });
  if (answer.status !== 200) throw new Error(`no asset: ${JSON.stringify(answer.body)}`);
  return answer.body.identity;
};

const fetchNewestBlock = async (server: RunningServer): Promise<number> => {
  await awaitEmptyOutbox(server);
  const { body } = await send<{ events: EventResource[] }>(
    `${server.base}/assets/-/events?page_size=1`,
    server.token(),
  );
  return body.events[0]!.block_number;
};

/** The server of a ledger, under the load of clients. */
export interface LoadedServer {
  readonly server: SoakedServer;
  readonly counts: Load['counts'];
  /** The newest block with a record when the clients began. */
  readonly setUpBlock: number;
  /** Runs `act` while all clients write; resolves when each has its last answer. */
  whileWriting(act: () => Promise<void>): Promise<void>;
  /** Resolves when clients have got so many further answers. */
  awaitAnswers(more: number): Promise<void>;
  /** Waits until no record is pending, and compares the ledger with what clients requested. */
  checkEvents(): Promise<ListedLedger>;
  /** Requests a path below the API's version 2. */
  get<T>(path: string): Promise<T>;
  /** Identity of an event that a client was answered with first. */
  firstAnswered(): string;
  close(): Promise<void>;
}

const runWhile = async (load: Load, act: () => Promise<void>): Promise<void> => {
  let isOver = false;
  const written = runLoadUntil(load, Number.POSITIVE_INFINITY, () => isOver);
  const acted = act().finally(() => {
    isOver = true;
  });
  // What ends first with an error is what the test reports.
  await Promise.all([acted, written]);
};

/** Starts the server of a ledger, with an asset for each client. */
export const startLoadedServer = async ({ dataDir, settings }: EngineLedger): Promise<LoadedServer> => {
  const server = await startSoakedServer(dataDir, settings);
  const { postEvent, close } = createPostEvent(CLIENTS);
  const running = await server.ready();
  const creations = Array.from({ length: CLIENTS }, (_unused, number) => createAsset(running, number));
  const clients = (await Promise.all(creations)).map(createSoakClient);
  const setUpBlock = await fetchNewestBlock(running);
  const counts = createLoadCounts();
  const load: Load = { server, clients, postEvent, counts };
  return {
    server,
    counts,
    setUpBlock,
    whileWriting: (act) => runWhile(load, act),
    awaitAnswers: (more) => {
      const enough = counts.answered + more;
      return until(() => counts.answered >= enough);
    },
    checkEvents: async () => {
      await awaitEmptyOutbox(await server.ready());
      return checkListedEvents(await server.ready(), clients, () => undefined);
    },
    get: async <T>(path: string) => {
      const { base, token } = await server.ready();
      const { status, body } = await send<T>(`${base}/${path}`, token());
      if (status !== 200) throw new Error(`${path} answers ${status}: ${JSON.stringify(body)}`);
      return body;
    },
    firstAnswered: () => {
      const answers = clients.flatMap(({ requests }) => requests.flatMap((request) => request.answers));
      return answers[0]!.identity;
    },
    close: async () => {
      close();
      await server.destroy();
    },
  };
};

/** Lower-case addresses of the validators whose keys the node report has, by its nodes; undefined for no key. */
export const fetchReportedValidators = async ({ get }: LoadedServer): Promise<(string | undefined)[]> => {
  const { blockchain_nodes } = await get<NodeReport>('../v1/node');
  return blockchain_nodes.map(({ validator_pubkey: { x, y } }) => {
    if (x === '') return undefined;
    const key = Buffer.concat([Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')]);
    return computeAddress(`0x04${key.toString('hex')}`).toLowerCase();
  });
};
