// Every setting of an installation, one entry each: its name, its default, its meaning and its reader. From this list
// come the configuration, the help of `npm start` and the list in docs/operations.md.
import { EXECUTION_GAS_MAX } from '../../chain/embedded/rpc/executionGas.ts';
import { PUBLIC_GAS_LIMITS } from '../../chain/embedded/rpc/publicGas.ts';
import { INDEX_CACHE_BYTES } from '../../indexer/cacheBytes.ts';
import { ANCHOR_SETTINGS } from './anchorSettings.ts';
import { CHAIN_SETTINGS } from './chainSettings.ts';
import {
  CONNECTIONS,
  LEDGER_LIMITS,
  PUBLIC_RATE,
  SERVER_LIMITS,
  TENANT_BLOB_BYTES_MAX,
  TENANT_RATE,
  TOKEN_FAILURES_PER_MINUTE,
} from './installationLimits.ts';
import { LOG_SETTINGS } from './logSettings.ts';
import { optional, type Setting, setting } from './setting.ts';
import {
  asBytes,
  asBytesOrNone,
  asCacheBytes,
  asCount,
  asHosts,
  asInteger,
  asOneOf,
  asOrigin,
  asPath,
  asPort,
  asPositive,
  asProxies,
  asReadWorkers,
  asReserve,
  asRoles,
  asText,
} from './settingReaders.ts';

/** What the log of requests contains, from nothing to everything. */
const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const;

/** The forms of the log of requests; `auto` depends on standard output. */
const LOG_FORMATS = ['auto', 'pretty', 'json'] as const;

/** The settings by their names in the configuration. */
export const SETTINGS = {
  port: setting('PORT', 8080, asPort, 'Port of the REST API; 0 means any free port'),
  host: setting('HOST', '127.0.0.1', asText, 'Address that it listens on; `0.0.0.0` or `::` for all'),
  dataDir: setting('DATA_DIR', './data', asPath, 'Directory of chain, index, outbox, blobs and keys'),
  keysSharedDir: optional(
    'KEYS_SHARED_DIR',
    asPath,
    'Directory of what all servers of an organisation use: `token-signing.jwk` and `page-token.secret`, readable by their owner only (see [operations.md](operations.md#several-servers)); without it they are in `DATA_DIR/keys`',
  ),
  blobsDir: optional(
    'BLOBS_DIR',
    asPath,
    'Directory of the uploaded files of all servers of an organisation, on storage that they share (see [operations.md](operations.md#several-servers)); without it they are in `DATA_DIR/blobs`',
  ),
  chainRpcPort: setting(
    'CHAIN_RPC_PORT',
    8545,
    asPort,
    "Port of the chain's public JSON-RPC on 127.0.0.1; 0 means any free port",
  ),
  chainCallGasMax: setting(
    'CHAIN_CALL_GAS_MAX',
    EXECUTION_GAS_MAX,
    asInteger,
    'Gas for the execution of one call or transaction on that port, besides its intrinsic gas. 80000 need 170 MiB of memory at worst, 240000 need 1.3 GiB; deploying a contract needs 200 for each byte of its code',
  ),
  chainGasPerMinute: setting(
    'CHAIN_GAS_PER_MINUTE',
    PUBLIC_GAS_LIMITS.perMinuteMax,
    asInteger,
    "Gas per minute for all transactions except this server's own. A twentieth of it is for third-party transactions, which neither append a record nor administer a tenant",
  ),
  chainThirdPartyGasMax: setting(
    'CHAIN_STRANGER_GAS_MAX',
    PUBLIC_GAS_LIMITS.thirdPartyMax,
    asInteger,
    'Gas for third-party transactions over the life of the embedded chain: 20000000 are replayed in 8 s at worst at each start. 0: only records and administration are accepted',
  ),
  ...CHAIN_SETTINGS,
  ...LOG_SETTINGS,
  ...ANCHOR_SETTINGS,
  publicUrl: optional(
    'PUBLIC_URL',
    asOrigin,
    'Scheme and host of public URLs, such as `https://ledger.example`; without it those of the request, if `PUBLIC_HOSTS` has its host',
  ),
  publicHosts: optional(
    'PUBLIC_HOSTS',
    asHosts,
    "Host names of this server, separated by commas, each with or without a port: without `PUBLIC_URL` a public URL has the request's host if it is one of these. Without this setting they are `localhost`, `127.0.0.1`, `[::1]` and `HOST`",
  ),
  tlsCertFile: optional(
    'TLS_CERT_FILE',
    asPath,
    'Certificate chain (PEM): the API then answers only HTTPS. Needs `TLS_KEY_FILE`',
  ),
  tlsKeyFile: optional('TLS_KEY_FILE', asPath, "The certificate's private key (PEM), readable by its owner only"),
  trustProxy: optional(
    'TRUST_PROXY',
    asProxies,
    'Proxies whose `X-Forwarded-For` and `X-Forwarded-Proto` are trusted: their number, or their addresses and networks, separated by commas; without it none is',
  ),
  rateLimitPerSecond: setting(
    'RATE_LIMIT_PER_SECOND',
    TENANT_RATE.perSecond,
    asCount,
    'Requests of a tenant that are accepted in every second; 0: no limit. Uploads are not counted',
  ),
  rateLimitBurst: setting(
    'RATE_LIMIT_BURST',
    TENANT_RATE.burst,
    asCount,
    'Requests of a tenant that are accepted in addition, in a minute',
  ),
  publicRateLimitPerSecond: setting(
    'PUBLIC_RATE_LIMIT_PER_SECOND',
    PUBLIC_RATE.perSecond,
    asCount,
    'The same for operations without a token, for each client address; 0: no limit',
  ),
  publicRateLimitBurst: setting(
    'PUBLIC_RATE_LIMIT_BURST',
    PUBLIC_RATE.burst,
    asCount,
    'Such requests of an address that are accepted in addition, in a minute',
  ),
  tokenFailuresPerMinute: setting(
    'TOKEN_FAILURES_PER_MINUTE',
    TOKEN_FAILURES_PER_MINUTE,
    asCount,
    'Wrong client secrets that are checked in a minute, for one client id from one address; 10 times as many from one address; 0: no limit',
  ),
  connectionsMax: setting(
    'CONNECTIONS_MAX',
    CONNECTIONS.api.max,
    asPositive,
    'Connections to the API that may be open at once; fewer if the limit of open files (`ulimit -n`) requires it',
  ),
  connectionsPerAddress: setting(
    'CONNECTIONS_PER_ADDRESS',
    CONNECTIONS.api.perAddressMax,
    asPositive,
    'Of these, connections of one client address; the proxies of `TRUST_PROXY` are not limited by it',
  ),
  chainRpcConnectionsMax: setting(
    'CHAIN_RPC_CONNECTIONS_MAX',
    CONNECTIONS.rpc.max,
    asPositive,
    "Connections to the chain's public JSON-RPC that may be open at once",
  ),
  chainRpcConnectionsPerAddress: setting(
    'CHAIN_RPC_CONNECTIONS_PER_ADDRESS',
    CONNECTIONS.rpc.perAddressMax,
    asPositive,
    'Of these, connections of one client address',
  ),
  metricsConnectionsMax: setting(
    'METRICS_CONNECTIONS_MAX',
    CONNECTIONS.metrics.max,
    asPositive,
    'Connections to the metrics that may be open at once',
  ),
  metricsConnectionsPerAddress: setting(
    'METRICS_CONNECTIONS_PER_ADDRESS',
    CONNECTIONS.metrics.perAddressMax,
    asPositive,
    'Of these, connections of one client address',
  ),
  blobBytesMax: setting(
    'BLOB_BYTES_MAX',
    SERVER_LIMITS.blobBytesMax,
    asBytes,
    'Largest file that may be uploaded, in bytes (64 MiB)',
  ),
  tenantBlobBytesMax: setting(
    'TENANT_BLOB_BYTES_MAX',
    TENANT_BLOB_BYTES_MAX,
    asBytesOrNone,
    'Bytes of all files of one tenant (10 GiB); 0: no limit. Beyond it an upload is answered with 402 `BLOB_QUOTA_REACHED`',
  ),
  tenantRecordBytesPerDay: setting(
    'TENANT_RECORD_BYTES_PER_DAY',
    LEDGER_LIMITS.tenantRecordBytesPerDay,
    asBytesOrNone,
    'Bytes of all records of one tenant on one day, UTC (1 GiB); 0: no limit. Beyond it a record is answered with 429 `RECORD_QUOTA_REACHED` and the time until the next day. Records of rights have 1 MiB more, so that a leaked secret can be revoked; each process accepts 1 MiB of them a day also when the quota was lowered below what the tenant has recorded',
  ),
  diskReserveBytes: setting(
    'DISK_RESERVE_BYTES',
    'auto',
    asReserve,
    'Bytes of the disk that uploads leave free for records; `auto`: 1 GiB, or 5 % of the disk if that is less. Beyond it an upload is answered with 507 `STORAGE_RESERVED`',
  ),
  memoryReserveBytes: setting(
    'MEMORY_RESERVE_BYTES',
    'auto',
    asReserve,
    'Bytes of memory that records of the embedded chain leave free for reads, below the limit of the machine or container; `auto`: 512 MiB, or a fifth of the limit if that is less; 0: none. Beyond it a record is answered with 503 `MEMORY_RESERVED`',
  ),
  indexCacheBytes: setting(
    'INDEX_CACHE_BYTES',
    INDEX_CACHE_BYTES,
    asCacheBytes,
    'Bytes of the index that are cached in memory (64 MiB), at most 4294967295',
  ),
  readWorkers: setting(
    'READ_WORKERS',
    'auto',
    asReadWorkers,
    'Threads that read pages of assets and events, at most 16, with 25 to 50 MiB of memory each; `auto`: one fewer than the processors, at most 4; 0: the main thread reads them',
  ),
  policiesMax: setting(
    'POLICIES_MAX',
    SERVER_LIMITS.policiesMax,
    asCount,
    'Compliance policies that a tenant may have',
  ),
  policyWeightMax: setting(
    'POLICY_WEIGHT_MAX',
    SERVER_LIMITS.policyWeightMax,
    asCount,
    'Total weight of the compliance policies of a tenant: the characters of their texts, and 16 for each condition and assertion',
  ),
  accessPoliciesMax: setting(
    'ACCESS_POLICIES_MAX',
    SERVER_LIMITS.accessPoliciesMax,
    asCount,
    'Access policies that a tenant may have',
  ),
  recordEmails: setting(
    'RECORD_EMAILS',
    'yes',
    asOneOf(['yes', 'no']),
    'Whether new records have the email address of the principal that sent the request, `yes` or `no`. Everyone who may read the chain reads it, and it stays',
  ),
  subjectsMax: setting('SUBJECTS_MAX', SERVER_LIMITS.subjectsMax, asCount, 'Subjects that a tenant may have'),
  listRecordsMax: setting(
    'LIST_RECORDS_MAX',
    SERVER_LIMITS.listRecordsMax,
    asPositive,
    'Records on a page of a list when the client names no `page_size`; with more matches the answer is a 206',
  ),
  pageSizeMax: setting('PAGE_SIZE_MAX', SERVER_LIMITS.pageSizeMax, asPositive, 'Largest `page_size`'),
  applicationsMax: setting(
    'APPLICATIONS_MAX',
    SERVER_LIMITS.applicationsMax,
    asCount,
    'Applications that a tenant may have',
  ),
  bulkLinesMax: setting(
    'BULK_LINES_MAX',
    SERVER_LIMITS.bulkLinesMax,
    asPositive,
    'Lines of one request to `events:bulk`',
  ),
  applicationRoles: setting(
    'APPLICATION_ROLES',
    'writer,policies',
    asRoles,
    'Roles of an application that is created without roles, as existing clients do: separated by commas, or `none`',
  ),
  oidcIssuersFile: optional(
    'OIDC_ISSUERS_FILE',
    asPath,
    'JSON file of the other issuers whose tokens are accepted (see [security.md](security.md#tokens-of-other-issuers)); without it none are',
  ),
  explorerRpc: setting(
    'EXPLORER_RPC',
    'yes',
    asOneOf(['yes', 'no']),
    'Whether `/rpc` answers the JSON-RPC requests with which a browser checks records: headers of blocks and view functions of the contract (see [security.md](security.md#json-rpc-for-pages))',
  ),
  logLevel: setting(
    'LOG_LEVEL',
    'info',
    asOneOf(LOG_LEVELS),
    `Level of the log on standard output: ${LOG_LEVELS.join(', ')}. \`warn\` leaves out successful requests`,
  ),
  logFormat: setting(
    'LOG_FORMAT',
    'auto',
    asOneOf(LOG_FORMATS),
    'Form of the log: `pretty` (short lines, in colours on a terminal unless `NO_COLOR` is set), `json`, or `auto`: `pretty` on a terminal, else `json`',
  ),
  metricsPort: optional(
    'METRICS_PORT',
    asPort,
    'Port of the Prometheus metrics, at `/metrics`; without it there are none',
  ),
  metricsHost: setting('METRICS_HOST', '127.0.0.1', asText, 'Address that the metrics are served on'),
} as const satisfies Readonly<Record<string, Setting<unknown>>>;

/** The values of all settings. */
export type Settings = {
  readonly [K in keyof typeof SETTINGS]: (typeof SETTINGS)[K] extends Setting<infer T> ? T : never;
};
