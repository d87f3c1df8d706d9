// Composes the server of one data directory: the API, the chain's public JSON-RPC, the metrics and the operator's
// control socket.
import { createRpcServer, type RpcServerOptions } from '../chain/embedded/rpc/rpcServer.ts';
import type { LedgerError } from '../ledger/errors.ts';
import { createStartingApp } from '../server/app.ts';
import { createRequestParties, type RequestParties } from '../server/fairness/requestParties.ts';
import type { ConnectionOptions } from '../server/http/connectionLimits.ts';
import { nameWork } from '../server/http/currentWork.ts';
import { guardServer } from '../server/http/guardServer.ts';
import { createToAddress } from '../server/http/proxies.ts';
import { createStartupListener, type StartupListener } from '../server/http/startupListener.ts';
import { type Listener, listen } from '../server/listen.ts';
import { console } from './commandProcess.ts';
import { type Checkpoints, openCheckpoints } from './evidence/openCheckpoints.ts';
import { openEvidence } from './evidence/openEvidence.ts';
import { createDataDirectory } from './files/dataDirectory.ts';
import { dataPaths } from './files/dataPaths.ts';
import { assertNoSecretFile } from './files/secretFile.ts';
import { toStartReadPool } from './indexing/readThreads.ts';
import { hasLedger } from './knownLedger.ts';
import { openPort } from './lifecycle/openPort.ts';
import { renewOnHangup } from './lifecycle/renewal.ts';
import { openApp, toApiLimits, toOnAnswered, toRates } from './openApp.ts';
import type { Ledger } from './openLedger.ts';
import { openPages, type Pages } from './openPages.ts';
import { listenForControl, removeSocket } from './operator/controlServer.ts';
import { openConfiguredLedger } from './operator/ledgerForOperator.ts';
import { createOperatorCommands } from './operator/operatorCommands.ts';
import { createTenantForOperator, type DeliveredTenant } from './operator/tenantCreation.ts';
import { openApiSocket } from './ownServer/openApiSocket.ts';
import { createRpcTurns, PORT_WAITING_MAX } from './rpcTurns.ts';
import type { Config } from './settings/config.ts';
import { LEDGER_LIMITS } from './settings/installationLimits.ts';
import { readOidcIssuers } from './settings/oidcIssuers.ts';
import { createPortLimits, type PortLimits } from './settings/portLimits.ts';
import { readTlsIdentity } from './settings/tlsFiles.ts';
import { toStartEngine } from './startEngine.ts';
import { watchTenants } from './tenancy/tenantWatch.ts';
import { FIRST_TENANT } from './tenants.ts';
import { createFindHealthIssues, readLedgerState } from './watching/ledgerState.ts';
import { createMetrics, type Metrics } from './watching/metrics.ts';
import { listenForMetrics } from './watching/metricsServer.ts';
import { reportLine, reportProblem, reportUnexpected } from './watching/reports.ts';
import { openRequestLog, type RequestLog } from './watching/requestLog.ts';

const CHAIN_RPC_HOST = '127.0.0.1';
/** How long requests in progress may take to finish when the server stops. */
const GRACE_MS = 15_000;
const WAITING = 'not all requested tenants are served yet; what they wait for shows: npm run tenant -- list';
const NO_TENANT = 'this server has no tenant of the ledger yet; request one with: npm run tenant -- request NAME';

export interface ServerOptions {
  readonly config: Config;
  /** Absolute path of a new file for the secret of the first tenant; undefined: `onFirstTenant` gets the secret. */
  readonly secretFile?: string | undefined;
  /** Called with the tenant that the first start creates, once, before its records are accepted. */
  readonly onFirstTenant: (tenant: DeliveredTenant) => void;
  /** Called when the engine of the embedded chain has ended too often: every request is refused from then on. */
  readonly onEngineGivenUp?: (cause: LedgerError) => void;
  /** Whether a person at a terminal sees what the server prints; no unless given. */
  readonly isAtTerminal?: boolean;
  /** Ends the start, which then rejects: no wait for the chain goes on. Not to be aborted once the server is open. */
  readonly ending?: AbortSignal;
  /** Receives what has to be undone when the process ends at once. */
  readonly onEnd: DisposableStack;
}

/** A server that answers. */
export interface Server {
  /** Base URL of the API, without a slash at the end. */
  readonly url: string;
  /** Whether it has pages for browsers. */
  readonly hasPages: boolean;
  /**
   * Returns a link that signs in once, in the next five minutes, with the rights of an application; undefined: only a
   * server at a terminal whose clients are all on this machine has one.
   */
  readonly openSignInLink: ((clientId: string) => string) | undefined;
  /** Finishes the requests in progress and closes everything. */
  close(): Promise<void>;
}

// The parts that every step of a start uses.
interface ServerParts extends ServerOptions {
  readonly log: RequestLog;
  /** Undefined without METRICS_PORT. */
  readonly metrics: Metrics | undefined;
  readonly limits: PortLimits;
  readonly parties: RequestParties;
}

interface LoggingParts extends ServerParts {
  /** Undefined without a block log. */
  readonly checkpoints: Checkpoints | undefined;
  /** Called when a tenant was requested. */
  readonly onRequested: () => void;
}

const openParts = (options: ServerOptions, opened: AsyncDisposableStack): ServerParts => {
  const { config } = options;
  const log = openRequestLog(config);
  opened.defer(log.close);
  const metrics = config.metricsPort === undefined ? undefined : createMetrics();
  const parties = createRequestParties(createToAddress(config.trustProxy));
  return { ...options, log, metrics, parties, limits: createPortLimits(config, metrics) };
};

const createStarting = ({ config, log, metrics }: ServerParts): StartupListener =>
  createStartupListener(
    createStartingApp({
      limits: toApiLimits(config),
      rates: toRates(config),
      trustProxy: config.trustProxy,
      onAnswered: toOnAnswered(log, metrics),
      onUnexpectedError: reportUnexpected,
    }),
  );

const openApi = async ({ config, limits, parties }: ServerParts, starting: StartupListener): Promise<Listener> => {
  const { host, port } = config;
  const tls = await readTlsIdentity(config);
  return openPort(
    'PORT',
    port,
    (port) =>
      listen(starting.handle, {
        host,
        port,
        graceMs: GRACE_MS,
        tls,
        connections: limits.api,
        readShare: parties.readShare,
      }),
    { setting: 'HOST', host },
  );
};

// Third parties reach the embedded chain through this process, and a network through its own nodes.
const openRpc = async ({ chain }: Ledger, { config, limits: { rpc: limits }, parties }: LoggingParts) => {
  const { answer } = chain;
  if (answer === undefined) return { url: new URL(config.chainRpcUrls![0]!).origin, close: async () => undefined };
  const serve: RpcServerOptions['serve'] = (server, listener) =>
    guardServer(server, nameWork('a JSON-RPC request', listener), limits);
  const corsOrigins = config.chainRpcCorsOrigins ?? [];
  return openPort('CHAIN_RPC_PORT', config.chainRpcPort, (port) =>
    createRpcServer({
      answer,
      host: CHAIN_RPC_HOST,
      port,
      onError: reportUnexpected,
      serve,
      corsOrigins,
      turns: createRpcTurns(PORT_WAITING_MAX),
      toParty: (req) => parties.readShare(req).party,
    }),
  );
};

const openMetrics = async (metrics: Metrics, config: Config, connections: ConnectionOptions) => {
  const host = config.metricsHost;
  const served = await openPort(
    'METRICS_PORT',
    config.metricsPort!,
    (port) => listenForMetrics(metrics.registry, { host, port, connections }),
    { setting: 'METRICS_HOST', host },
  );
  console.log(`metrics at http://${host.includes(':') ? `[${host}]` : host}:${served.port}/metrics`);
  return served;
};

const createFirstTenant = async (ledger: Ledger, { secretFile, onFirstTenant, onEnd }: ServerParts): Promise<void> => {
  if (!ledger.serving.isOpen) return;
  if (ledger.isJoined) {
    const pending = await ledger.keyring.pendingTenants.list();
    if (pending.length > 0) reportLine(WAITING);
    else if (ledger.serving.read()?.size === 0) reportLine(NO_TENANT);
    return;
  }
  if ((await ledger.view.readTenantIdentity(FIRST_TENANT)) !== undefined) return;
  await createTenantForOperator(
    ledger,
    { name: FIRST_TENANT },
    { secretFile, onTenant: onFirstTenant, onSecretFile: (file) => onEnd.defer(file.discard) },
  );
};

const openControl = async (
  ledger: Ledger,
  { config, onEnd, checkpoints, onRequested }: LoggingParts,
  urls: { url: string; rpcUrl: string },
) => {
  const info = { ...urls, contract: ledger.contract, chainId: ledger.chain.chainId, hasApiSocket: true };
  const path = dataPaths(config.dataDir).controlSocket;
  onEnd.defer(() => removeSocket(path));
  // Before the socket is there: the request may fail.
  const { number } = await ledger.chain.fetchFinalHead();
  const close = await listenForControl(path, {
    ...createOperatorCommands(ledger, { blockLog: checkpoints?.log, onRequested }),
    info: async () => info,
  });
  console.log(`contract ${info.contract} on chain ${info.chainId}, ${number} blocks; JSON-RPC at ${info.rpcUrl}`);
  if (ledger.chain.finality !== undefined) console.log(`a block is final by ${ledger.chain.finality}`);
  if (checkpoints !== undefined) console.log(`block log ${checkpoints.origin}, verifier key ${checkpoints.logKey}`);
  return close;
};

// The ports for everyone but the clients of the API.
const openOtherPorts = async (ledger: Ledger, parts: LoggingParts, url: string): Promise<AsyncDisposableStack> => {
  await using opened = new AsyncDisposableStack();
  const { config, metrics, limits } = parts;
  const rpc = await openRpc(ledger, parts);
  opened.defer(rpc.close);
  if (metrics !== undefined) opened.defer((await openMetrics(metrics, config, limits.metrics)).close);
  // After the ports: a start that fails because of one of them must not have shown a secret.
  await createFirstTenant(ledger, parts);
  opened.defer(await openControl(ledger, parts, { url, rpcUrl: rpc.url }));
  return opened.move();
};

// The first start refuses an existing secret file before it creates the chain.
const assertNewSecretFile = ({ config, secretFile }: ServerOptions): void => {
  if (secretFile !== undefined && !hasLedger(config.dataDir)) assertNoSecretFile(secretFile);
};

const toPageAccess = ({ explorer, signInLink }: Pages, origin: string) => ({
  hasPages: explorer !== undefined,
  openSignInLink: signInLink && ((clientId: string) => signInLink.open({ origin, clientId })),
});

/**
 * Opens the server. It answers from the beginning, so that an orchestrator sees a process that lives and isn't ready
 * while a long chain is replayed. What was opened is closed in reverse order, also when one of the steps fails; the API
 * first, so that what it accepted is finished.
 */
export const openServer = async (options: ServerOptions): Promise<Server> => {
  await using opened = new AsyncDisposableStack();
  const { config } = options;
  const renewal = renewOnHangup(config);
  opened.defer(renewal.stop);
  assertNewSecretFile(options);
  const parts = openParts(options, opened);
  const starting = createStarting(parts);
  const issuers = await readOidcIssuers(config.oidcIssuersFile);
  const listener = await openApi(parts, starting);
  opened.defer(listener.close);
  renewal.renews(listener);
  await createDataDirectory(config.dataDir);
  const ledger = await openConfiguredLedger(config, {
    onBatch: parts.metrics?.onBatch,
    onFailedAttempt: parts.metrics?.onFailedAttempt,
    startReadPool: toStartReadPool(config.readWorkers),
    startEngine: toStartEngine(config.chainEngine),
    onEngineGivenUp: options.onEngineGivenUp,
    ending: options.ending,
  });
  opened.defer(ledger.close);
  const checkpoints = await openCheckpoints(ledger, config, reportProblem);
  opened.defer(async () => checkpoints?.close());
  const readState = () => readLedgerState(ledger);
  parts.metrics?.watchLedger(readState);
  const { readNodes, readSubscriptions } = ledger.chain;
  if (readNodes !== undefined) parts.metrics?.watchNodes(readNodes, readSubscriptions);
  if (checkpoints !== undefined) {
    const heads = { newest: checkpoints.newest, shown: checkpoints.log.head };
    parts.metrics?.watchBlockLog(heads, ledger.now);
  }
  const stopping = new AbortController();
  const findHealthIssues = createFindHealthIssues(
    readState,
    () => stopping.signal.aborted,
    () => checkpoints?.refusing() ?? [],
  );
  const { signal } = stopping;
  const evidence = openEvidence({ ledger, checkpoints, waitMs: LEDGER_LIMITS.commitWaitMs, stopping: signal });
  opened.defer(evidence.close);
  const { isAtTerminal = false } = options;
  const pages = await openPages(ledger, { config, issuers, url: listener.url, isAtTerminal });
  const watchers = { ...parts, issuers, pages, findHealthIssues, checkpoints, evidence, stopping: signal };
  const app = await openApp(ledger, watchers);
  const tenants = watchTenants(ledger, { onLine: reportLine, onProblem: reportProblem });
  opened.defer(tenants.stop);
  const socket = await openApiSocket(app, { dataDir: config.dataDir, graceMs: GRACE_MS, onEnd: options.onEnd });
  opened.defer(socket.close);
  opened.use(await openOtherPorts(ledger, { ...parts, checkpoints, onRequested: tenants.wake }, listener.url));
  starting.switchTo(app);
  opened.defer(async () => {
    stopping.abort();
    await Promise.all([listener.close(), socket.close()]);
  });
  const all = opened.move();
  return { ...toPageAccess(pages, listener.url), url: listener.url, close: () => all.disposeAsync() };
};
