// The state in which runs begin: a ledger with two tenants, each with an asset and a location, made by the real code
// without faults. It is made once in each process of the operating system, and every run gets a copy.
import { readKnownLedger } from '../../../host/knownLedger.ts';
import type { LedgerOptions } from '../../../host/ledgerOptions.ts';
import { createTenant } from '../../../host/tenants.ts';
import type { Hex } from '../../../ledger/encoding/hex.ts';
import { toUuid } from '../../../ledger/identity.ts';
import type { LocationRecord } from '../../../ledger/records/location.ts';
import type { FirstStreams } from '../clients/history.ts';
import { callAs } from '../clients/request.ts';
import { Disk } from '../disk/disk.ts';
import { mountDisk } from '../disk/mounts.ts';
import { clockOffsets } from '../edges/globals.ts';
import { setKills, startProcess } from '../world/processes.ts';
import { runToEnd } from '../world/runToEnd.ts';
import { createWorld } from '../world/world.ts';
import { type OpenServer, type StartResult, startServer } from './serverProcess.ts';
import { DATA_DIR, SERVER, toLedgerOptions } from './settings.ts';

/** A ledger that exists before a run. */
export interface LedgerTemplate {
  readonly disk: Disk;
  readonly tenants: readonly string[];
  /** The asset and the location of each tenant. */
  readonly streams: readonly FirstStreams[];
  /** The first version of each tenant's location. */
  readonly locations: readonly LocationRecord[];
  readonly contract: Hex;
  readonly deploymentBlock: number;
  /** The newest block that has a record of the template. */
  readonly lastBlock: number;
}

const SEED = 0;
const TENANTS = ['alpha', 'beta'];
const SETTINGS = {
  commitWaitMs: 60_000,
  outboxEntriesMax: 100,
  batchRecordsMax: 10,
  batchBytesMax: 50_000,
  minedBatchesMax: 64,
};
/** The template is made an hour before every run. */
const AGE_MS = 3_600_000;
const TIME_MAX_MS = 600_000;

type AddedTenants = Pick<LedgerTemplate, 'tenants' | 'streams' | 'locations' | 'lastBlock'>;

const addTenants = async (server: OpenServer): Promise<AddedTenants> => {
  const tenants: string[] = [];
  const streams: FirstStreams[] = [];
  const locations: LocationRecord[] = [];
  const { createAsset, createLocation } = server.handlers;
  for (const name of TENANTS) {
    const { identity } = await createTenant(server.ledger, { name }, Date.now());
    tenants.push(identity);
    const attributes = { label: `template ${name}` };
    const asset = await callAs(identity, createAsset, { body: { attributes } });
    const body = { display_name: name, latitude: 1, longitude: 2, attributes };
    const location = await callAs(identity, createLocation, { body });
    locations.push((await server.ledger.view.readNewestLocation(identity, toUuid(location.identity)))!);
    streams.push({ tenantIdentity: identity, identities: [asset.identity, location.identity] });
  }
  const { number } = await server.ledger.chain.fetchFinalHead();
  return { tenants, streams, locations, lastBlock: number };
};

const openServer = (network: LedgerOptions['network']): Promise<OpenServer> =>
  new Promise((resolve, reject) => {
    const onStarted = (started: StartResult): void =>
      'server' in started ? resolve(started.server) : reject(started.error);
    const ledger = toLedgerOptions(SETTINGS, network);
    startServer({ name: 'template server', machine: SERVER, ledger, onStarted, onKilled: () => undefined });
  });

/**
 * Makes a template. `prepare` runs before the server's first start: it creates the network, if any, and deploys the
 * ledger on it. `finish` runs after the server's end.
 */
export const createTemplate = async (
  prepare: () => Promise<LedgerOptions['network']>,
  finish: () => Promise<void> = async () => undefined,
): Promise<LedgerTemplate> => {
  const world = createWorld(SEED);
  setKills(() => undefined);
  clockOffsets.set(SERVER, -AGE_MS);
  const disk = new Disk();
  mountDisk(SERVER, disk);
  const process = startProcess({ name: 'template', machine: SERVER, onKilled: () => undefined });
  const make = async () => {
    const network = await prepare();
    const server = await openServer(network);
    const added = await addTenants(server);
    await server.ledger.close();
    await finish();
    return { ...added, known: (await readKnownLedger(DATA_DIR, network === undefined ? 'embedded' : 'network'))! };
  };
  const ended = await runToEnd(world, process, make, TIME_MAX_MS);
  if (ended === undefined) throw new Error('the template of the simulation was not made');
  if ('error' in ended) throw ended.error;
  const { known, ...added } = ended.value;
  clockOffsets.delete(SERVER);
  return { ...added, disk, contract: known.contract, deploymentBlock: known.deploymentBlock };
};
