// npm start: the server of one data directory. Prints `listening on URL` when it answers; SIGINT and SIGTERM end it cleanly.
import { Command } from 'commander';
import { v4 as newUuid } from 'uuid';
import { createRpcServer } from '../chain/embedded/rpcServer.ts';
import { createApp } from '../server/app.ts';
import { listen } from '../server/listen.ts';
import { createPageTokens } from '../server/pageTokens.ts';
import { type Config, dataPaths, readConfig } from './config.ts';
import { listenForControl } from './controlServer.ts';
import { SERVER_LIMITS } from './limits.ts';
import type { Ledger } from './openLedger.ts';
import {
  createOperatorCommands,
  FIRST_TENANT,
  openBlobs,
  openLedgerForOperator,
  openTokenAuthority,
} from './operator.ts';
import { printTenant } from './printTenant.ts';
import { createTenant } from './tenants.ts';

const CHAIN_RPC_HOST = '127.0.0.1';
/** How long requests that are under way may take to end when the server stops. */
const GRACE_MS = 15_000;

const reportUnexpected = (error: unknown): void => console.error('unexpected error:', error);

const openApp = async (ledger: Ledger, { blobBytesMax, policiesMax, publicUrl }: Config) =>
  createApp({
    view: ledger.view,
    writer: ledger.writer,
    blobs: await openBlobs(ledger, blobBytesMax),
    tokens: await openTokenAuthority(ledger),
    pageTokens: createPageTokens(await ledger.keyring.openSecret('page-token')),
    chainId: ledger.chain.chainId,
    publicUrl,
    limits: { ...SERVER_LIMITS, blobBytesMax, policiesMax },
    now: Date.now,
    newUuid,
    onUnexpectedError: reportUnexpected,
  });

const createFirstTenant = async (ledger: Ledger): Promise<void> => {
  if ((await ledger.view.readTenantIdentity(FIRST_TENANT)) !== undefined) return;
  await createTenant(ledger, FIRST_TENANT, Date.now(), printTenant);
};

const openPort = async <T>(setting: string, port: number, open: (port: number) => Promise<T>): Promise<T> => {
  try {
    return await open(port);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw cause;
    throw new Error(`port ${port} is taken; choose another with ${setting}`, { cause });
  }
};

// What third parties ask: the embedded chain through this process, a network through its own nodes.
const openRpc = async ({ chain }: Ledger, { chainRpcPort, network }: Config) => {
  const { answer } = chain;
  if (answer === undefined) return { url: new URL(network!.urls[0]!).origin, close: async () => undefined };
  return openPort('CHAIN_RPC_PORT', chainRpcPort, (port) =>
    createRpcServer({ answer, host: CHAIN_RPC_HOST, port, onError: reportUnexpected }),
  );
};

// Opens everything in order; what was opened is closed in reverse order, also when one of the steps fails.
const open = async (config: Config): Promise<{ url: string; close: () => Promise<void> }> => {
  await using opened = new AsyncDisposableStack();
  const ledger = await openLedgerForOperator(config.dataDir);
  opened.defer(ledger.close);
  const rpc = await openRpc(ledger, config);
  opened.defer(rpc.close);
  const application = await openApp(ledger, config);
  const app = await openPort('PORT', config.port, (port) =>
    listen(application, { host: config.host, port, graceMs: GRACE_MS }),
  );
  opened.defer(app.close);
  await createFirstTenant(ledger);
  const info = { url: app.url, rpcUrl: rpc.url, contract: ledger.contract, chainId: ledger.chain.chainId };
  const commands = { ...createOperatorCommands(ledger), info: async () => info };
  opened.defer(await listenForControl(dataPaths(config.dataDir).controlSocket, commands));
  const { number } = await ledger.chain.fetchFinalHead();
  console.log(`contract ${info.contract} on chain ${info.chainId}, ${number} blocks; JSON-RPC at ${rpc.url}`);
  const all = opened.move();
  return { url: app.url, close: () => all.disposeAsync() };
};

const closeOn = async (signal: string, close: () => Promise<void>): Promise<void> => {
  console.log(`${signal}: requests under way are finished; what waits for the chain stays in the outbox`);
  try {
    await close();
  } catch (error) {
    console.error('did not stop cleanly:', error);
    process.exitCode = 1;
  }
};

const run = async (): Promise<void> => {
  try {
    const { url, close } = await open(readConfig());
    const stop = (signal: string): Promise<void> => closeOn(signal, close);
    process.once('SIGINT', stop).once('SIGTERM', stop);
    console.log(`listening on ${url}`);
  } catch (error) {
    console.error(`the server does not start: ${(error as Error).message}`);
    process.exitCode = 1;
  }
};

await new Command('start')
  .description('Runs the provenance server on a data directory')
  .addHelpText(
    'after',
    `
Environment:
  PORT            port of the REST API, default 8080; 0 takes any free one
  HOST            address that it listens on, default 127.0.0.1
  DATA_DIR        directory of chain, index, outbox, blobs and keys, default ./data
  CHAIN_RPC_PORT  port of the chain's public JSON-RPC on 127.0.0.1, default 8545; 0 takes any free one
  BLOB_BYTES_MAX  largest file that may be uploaded, in bytes, default 67108864 (64 MiB)
  POLICIES_MAX    compliance policies that a tenant may have, default 100
  CHAIN_RPC_URL   nodes of the network that carries the ledger, separated by commas; default: the embedded chain
  CHAIN_CONFIRMATIONS  blocks that make a block of the network final, itself included, default 1; or finalized
  PUBLIC_URL      scheme and host of public URLs, such as https://ledger.example; default: those of each request`,
  )
  .action(run)
  .parseAsync();
