// npm start: the server of one data directory. Prints `listening on URL` when it answers; SIGINT and SIGTERM end it cleanly.
import { Command } from 'commander';
import { createRpcServer, type RpcServerOptions } from '../chain/embedded/rpc/rpcServer.ts';
import { createDataDirectory } from '../host/files/dataDirectory.ts';
import { dataPaths } from '../host/files/dataPaths.ts';
import { openPort } from '../host/lifecycle/openPort.ts';
import { renewOnHangup } from '../host/lifecycle/renewal.ts';
import { onStopSignal } from '../host/lifecycle/stopSignals.ts';
import { openApp, toApiLimits, toOnAnswered, toRates } from '../host/openApp.ts';
import type { Ledger } from '../host/openLedger.ts';
import { listenForControl } from '../host/operator/controlServer.ts';
import { openLedgerForOperator } from '../host/operator/ledgerForOperator.ts';
import { createOperatorCommands } from '../host/operator/operatorCommands.ts';
import { printTenant } from '../host/operator/printTenant.ts';
import { type Config, readConfig } from '../host/settings/config.ts';
import { type Port, readDescriptorsMax, toConnectionLimits } from '../host/settings/descriptors.ts';
import { RPC_PACE } from '../host/settings/limits.ts';
import { readOidcIssuers } from '../host/settings/oidcIssuers.ts';
import { toSettingsHelp } from '../host/settings/settingsText.ts';
import { readTlsIdentity } from '../host/settings/tlsFiles.ts';
import { createTenant, FIRST_TENANT } from '../host/tenants.ts';
import { createFindHealthIssues, readLedgerState } from '../host/watching/ledgerState.ts';
import { createMetrics, type Metrics } from '../host/watching/metrics.ts';
import { listenForMetrics } from '../host/watching/metricsServer.ts';
import { reportUnexpected } from '../host/watching/reports.ts';
import { openRequestLog } from '../host/watching/requestLog.ts';
import { createStartingApp } from '../server/app.ts';
import type { ConnectionClosing, ConnectionOptions } from '../server/http/connectionLimits.ts';
import { guardServer } from '../server/http/guardServer.ts';
import { createIsProxy } from '../server/http/proxies.ts';
import { createStartupListener } from '../server/http/startupListener.ts';
import { listen } from '../server/listen.ts';

const CHAIN_RPC_HOST = '127.0.0.1';
/** How long requests that are under way may take to end when the server stops. */
const GRACE_MS = 15_000;

const createFirstTenant = async (ledger: Ledger): Promise<void> => {
  if ((await ledger.view.readTenantIdentity(FIRST_TENANT)) !== undefined) return;
  await createTenant(ledger, { name: FIRST_TENANT }, ledger.now(), printTenant);
};

type Limits = Readonly<Record<Port, ConnectionOptions>>;

const limitConnections = (config: Config, metrics: Metrics | undefined): Limits => {
  const descriptorsMax = readDescriptorsMax();
  const limits = toConnectionLimits(config, descriptorsMax);
  if (limits.api.max < config.connectionsMax)
    console.log(
      `the limit of open files is ${descriptorsMax} (ulimit -n): ` +
        `${limits.api.max} connections to the API at most, not ${config.connectionsMax} (CONNECTIONS_MAX)`,
    );
  const watch = (port: Port) => ({
    ...limits[port],
    onClosing: (closing: ConnectionClosing) => metrics?.onConnectionClosing(port, closing),
  });
  return {
    api: { ...watch('api'), isProxy: createIsProxy(config.trustProxy) },
    rpc: { ...watch('rpc'), pace: RPC_PACE },
    metrics: watch('metrics'),
  };
};

// What third parties ask: the embedded chain through this process, a network through its own nodes.
const openRpc = async ({ chain }: Ledger, config: Config, limits: ConnectionOptions) => {
  const { answer } = chain;
  if (answer === undefined) return { url: new URL(config.chainRpcUrls![0]!).origin, close: async () => undefined };
  const serve: RpcServerOptions['serve'] = (server, listener) => guardServer(server, listener, limits);
  return openPort('CHAIN_RPC_PORT', config.chainRpcPort, (port) =>
    createRpcServer({ answer, host: CHAIN_RPC_HOST, port, onError: reportUnexpected, serve }),
  );
};

// The ports of everybody but the clients of the API.
const openSideDoors = async (
  ledger: Ledger,
  { config, url, metrics, limits }: { config: Config; url: string; metrics: Metrics | undefined; limits: Limits },
): Promise<AsyncDisposableStack> => {
  await using opened = new AsyncDisposableStack();
  const rpc = await openRpc(ledger, config, limits.rpc);
  opened.defer(rpc.close);
  if (metrics !== undefined) {
    const host = config.metricsHost;
    const served = await openPort(
      'METRICS_PORT',
      config.metricsPort!,
      (port) => listenForMetrics(metrics.registry, { host, port, connections: limits.metrics }),
      { setting: 'METRICS_HOST', host },
    );
    opened.defer(served.close);
    console.log(`metrics at http://${host.includes(':') ? `[${host}]` : host}:${served.port}/metrics`);
  }
  // After the ports: a start that fails with one of them must not have shown a secret.
  await createFirstTenant(ledger);
  const info = { url, rpcUrl: rpc.url, contract: ledger.contract, chainId: ledger.chain.chainId };
  const commands = { ...createOperatorCommands(ledger), info: async () => info };
  opened.defer(await listenForControl(dataPaths(config.dataDir).controlSocket, commands));
  const { number } = await ledger.chain.fetchFinalHead();
  console.log(`contract ${info.contract} on chain ${info.chainId}, ${number} blocks; JSON-RPC at ${rpc.url}`);
  return opened.move();
};

// Answers from the first moment on, so that an orchestrator sees a process that lives and isn't ready while a long chain is replayed. What
// was opened is closed in reverse order, also when one of the steps fails; the API first, so that what it accepted is finished.
const open = async (config: Config): Promise<{ url: string; close: () => Promise<void> }> => {
  await using opened = new AsyncDisposableStack();
  const renewFor = renewOnHangup(config);
  const log = openRequestLog(config.logLevel);
  opened.defer(log.close);
  const metrics = config.metricsPort === undefined ? undefined : createMetrics();
  const limits = limitConnections(config, metrics);
  const starting = createStartingApp({
    limits: toApiLimits(config),
    rates: toRates(config),
    trustProxy: config.trustProxy,
    onAnswered: toOnAnswered(log, metrics),
    onUnexpectedError: reportUnexpected,
  });
  const startup = createStartupListener(starting);
  const tls = await readTlsIdentity(config);
  const issuers = await readOidcIssuers(config.oidcIssuersFile);
  const { host } = config;
  const listener = await openPort(
    'PORT',
    config.port,
    (port) => listen(startup.handle, { host, port, graceMs: GRACE_MS, tls, connections: limits.api }),
    { setting: 'HOST', host },
  );
  opened.defer(listener.close);
  renewFor(listener);
  await createDataDirectory(config.dataDir);
  const ledger = await openLedgerForOperator(config.dataDir, metrics?.onBatch);
  opened.defer(ledger.close);
  const readState = () => readLedgerState(ledger);
  metrics?.watchLedger(readState);
  let isStopping = false;
  const findHealthIssues = createFindHealthIssues(readState, () => isStopping);
  const app = await openApp(ledger, { config, issuers, log, metrics, findHealthIssues });
  const sideDoors = await openSideDoors(ledger, { config, url: listener.url, metrics, limits });
  opened.use(sideDoors);
  startup.switchTo(app);
  opened.defer(() => {
    isStopping = true;
    return listener.close();
  });
  const all = opened.move();
  return { url: listener.url, close: () => all.disposeAsync() };
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
    onStopSignal((signal) => closeOn(signal, close));
    console.log(`listening on ${url}`);
  } catch (error) {
    console.error(`the server does not start: ${(error as Error).message}`);
    process.exitCode = 1;
  }
};

await new Command('start')
  .description('Runs the provenance server on a data directory')
  .addHelpText('after', toSettingsHelp())
  .action(run)
  .parseAsync();
