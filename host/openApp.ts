// Creates the HTTP application of an open ledger from the settings.
import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import { createLedgerRpc } from '../chain/ledgerRpc/ledgerRpc.ts';
import { createAcceptanceClock } from '../server/acceptanceClock.ts';
import { createApp } from '../server/app.ts';
import { createDeriveClientSecret } from '../server/auth/clientSecret.ts';
import type { OidcIssuerSettings } from '../server/auth/tokens/oidcSettings.ts';
import type { BlobLimits } from '../server/blobs/blobStore.ts';
import type { EvidenceSource } from '../server/evidenceSource.ts';
import type { RequestParties } from '../server/fairness/requestParties.ts';
import { createServerTurns } from '../server/fairness/serverTurns.ts';
import type { FindHealthIssues } from '../server/http/health.ts';
import type { AnsweredRequest } from '../server/http/requestObserver.ts';
import type { ServerLimits, ServerRates } from '../server/limits.ts';
import { createPageTokens } from '../server/lists/pageTokens.ts';
import { createReadAuthorKeys } from './authorKeys.ts';
import { createFindBlockHash } from './blockHashes.ts';
import type { Checkpoints } from './evidence/openCheckpoints.ts';
import { openBlobs } from './openBlobs.ts';
import type { Ledger } from './openLedger.ts';
import { openNodeReporter } from './openNodeReporter.ts';
import type { Pages } from './openPages.ts';
import { openTokenAuthority } from './openTokenAuthority.ts';
import { createRpcTurns, LEDGER_RPC_WAITING_MAX } from './rpcTurns.ts';
import type { Config } from './settings/config.ts';
import { SERVER_LIMITS } from './settings/installationLimits.ts';
import type { Metrics } from './watching/metrics.ts';
import { reportLine, reportUnexpected } from './watching/reports.ts';
import type { RequestLog } from './watching/requestLog.ts';
import { toProgressDeps } from './watching/shownProgress.ts';

/** The rates of the settings. */
export const toRates = (config: Config): ServerRates => ({
  tenant: { perSecond: config.rateLimitPerSecond, burst: config.rateLimitBurst },
  open: { perSecond: config.publicRateLimitPerSecond, burst: config.publicRateLimitBurst },
  tokenFailuresPerMinute: config.tokenFailuresPerMinute,
});

/** The bounds of the settings. */
export const toApiLimits = (config: Config): ServerLimits => ({
  ...SERVER_LIMITS,
  blobBytesMax: config.blobBytesMax,
  policiesMax: config.policiesMax,
  accessPoliciesMax: config.accessPoliciesMax,
  policyWeightMax: config.policyWeightMax,
  subjectsMax: config.subjectsMax,
  applicationsMax: config.applicationsMax,
  bulkLinesMax: config.bulkLinesMax,
  listRecordsMax: config.listRecordsMax,
  pageSizeMax: config.pageSizeMax,
});

const openLedgerRpc = (ledger: Ledger) =>
  createLedgerRpc(ledger, { turns: createRpcTurns(LEDGER_RPC_WAITING_MAX), onError: reportUnexpected });

const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]'];
const EVERY_ADDRESS = ['0.0.0.0', '::'];

/**
 * Hosts that a public URL may have: those of the settings, else the loopback names and the address that the server
 * listens on.
 */
const toPublicHosts = ({ publicHosts, host }: Pick<Config, 'publicHosts' | 'host'>): readonly string[] => {
  if (publicHosts !== undefined) return publicHosts;
  const own = host.includes(':') ? `[${host}]` : host;
  return EVERY_ADDRESS.includes(host) ? LOOPBACK_HOSTS : [...LOOPBACK_HOSTS, own.toLowerCase()];
};

const toBlobLimits = ({ blobBytesMax, tenantBlobBytesMax, diskReserveBytes }: Config): BlobLimits => ({
  bytesMax: blobBytesMax,
  tenantBytesMax: tenantBlobBytesMax,
  reserveBytes: diskReserveBytes,
});

/** Returns a function that passes each answered request to the log and the metrics. */
export const toOnAnswered =
  (log: RequestLog, metrics: Metrics | undefined) =>
  (answered: AnsweredRequest): void => {
    log.onAnswered(answered);
    metrics?.onAnswered(answered);
  };

interface Watchers {
  readonly config: Config;
  readonly log: RequestLog;
  /** The parties of requests, which find tenants by the tokens of this ledger from now on. */
  readonly parties: RequestParties;
  /** Other issuers whose tokens are accepted. */
  readonly issuers: readonly OidcIssuerSettings[];
  /** Undefined without METRICS_PORT. */
  readonly metrics: Metrics | undefined;
  readonly findHealthIssues: FindHealthIssues;
  /** Undefined: this server has no block log. */
  readonly checkpoints: Checkpoints | undefined;
  readonly evidence: EvidenceSource;
  readonly pages: Pages;
  /** Aborts when the server stops. */
  readonly stopping: AbortSignal;
}

// The servers of an organisation share the secret of page tokens, so another one answers a repeated request, too. What
// is derived from it under another name says nothing about the tokens.
const openSecrets = async ({ keyring }: Ledger) => {
  const secret = await keyring.openSecret('page-token');
  return { pageTokens: createPageTokens(secret), deriveClientSecret: createDeriveClientSecret(secret) };
};

// A proxy that passes on no name looks like a client on this machine, so it is said once, no matter who asked.
const createLoopbackReport = (): ((url: string) => void) => {
  let isSaid = false;
  return (url) => {
    if (isSaid) return;
    isSaid = true;
    reportLine(
      `a public URL was given out that only this machine can open: ${url}; set PUBLIC_URL to the address of this server ` +
        'for others, such as that of its proxy',
    );
  };
};

/** The application of a ledger. */
export const openApp = async (
  ledger: Ledger,
  { config, parties, issuers, log, metrics, findHealthIssues, checkpoints, evidence, pages, stopping }: Watchers,
): Promise<RequestListener> => {
  const tokens = await openTokenAuthority(ledger, issuers);
  parties.findTenantsBy(tokens.findTenant);
  const blobs = await openBlobs(ledger, toBlobLimits(config), config.blobsDir);
  const blockLog = checkpoints?.log;
  return createApp({
    view: ledger.view,
    readAuthorKeys: createReadAuthorKeys(ledger),
    writer: metrics?.watchWriter(ledger.writer) ?? ledger.writer,
    blobs: metrics?.watchBlobs(blobs) ?? blobs,
    tokens,
    ...(await openSecrets(ledger)),
    chainId: ledger.chain.chainId,
    readNodeReport: await openNodeReporter(ledger, config.chainRpcUrls),
    publicUrl: config.publicUrl,
    publicHosts: toPublicHosts(config),
    onLoopbackUrl: createLoopbackReport(),
    limits: toApiLimits(config),
    applicationRoles: config.applicationRoles,
    rates: toRates(config),
    trustProxy: config.trustProxy,
    findHealthIssues,
    finality: ledger.chain.finality,
    ...toProgressDeps(ledger),
    catchUp: ledger.catchUp,
    deploymentBlock: ledger.deploymentBlock,
    findBlockHash: createFindBlockHash(ledger),
    blockLog: blockLog && { readCheckpoint: () => blockLog.head()?.note, readTile: blockLog.readTile },
    ...pages,
    answerRpc: config.explorerRpc !== 'no' ? openLedgerRpc(ledger) : undefined,
    evidence,
    stopping,
    onAnswered: toOnAnswered(log, metrics),
    isEmailOmitted: config.recordEmails === 'no',
    clock: createAcceptanceClock(ledger.now),
    ...createServerTurns(config),
    now: Date.now,
    newUuid: randomUUID,
    onUnexpectedError: reportUnexpected,
  });
};
