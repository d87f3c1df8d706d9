// The bounds and times that an installation runs with.
import {
  CLIENT_TIMEOUTS,
  CONNECTION_LIMITS,
  type ConnectionPace,
  type Rate,
  type ServerLimits,
} from '../../server/limits.ts';
import type { LedgerLimits } from '../ledgerOptions.ts';

/** Chain id of a new embedded chain. A chain that exists keeps its own. */
export const CHAIN_ID = 424_242;

export const LEDGER_LIMITS: LedgerLimits = {
  outboxEntriesMax: 10_000,
  outboxBytesMax: 256 * 2 ** 20,
  outboxFailedMax: { count: 20_000, bytes: 512 * 2 ** 20 },
  batchRecordsMax: 200,
  sharedBatchRecordsMax: 32,
  batchBytesMax: 200_000,
  transactionsInFlight: 16,
  minedBatchesMax: 64,
  commitWaitMs: 10_000,
  tenantRecordBytesPerDay: 2 ** 30,
};

/** Requests of one tenant, unless `RATE_LIMIT_PER_SECOND` and `RATE_LIMIT_BURST` are set. */
export const TENANT_RATE: Rate = { perSecond: 1_000, burst: 10_000 };

/**
 * Requests without a token from one address, unless `PUBLIC_RATE_LIMIT_PER_SECOND` and `PUBLIC_RATE_LIMIT_BURST` are
 * set.
 */
export const PUBLIC_RATE: Rate = { perSecond: 100, burst: 1_000 };

/** Wrong secrets of one client id from one address, unless `TOKEN_FAILURES_PER_MINUTE` is set. */
export const TOKEN_FAILURES_PER_MINUTE = 10;

/** Bounds of the API, where no setting replaces them. */
export const SERVER_LIMITS: ServerLimits = {
  bodyBytesMax: 131_072,
  blobBytesMax: 64 * 1024 * 1024,
  uploadPace: { graceMs: 10_000, bytesPerSecondMin: CLIENT_TIMEOUTS.bytesPerSecondMin },
  listRecordsMax: 500,
  pageSizeMax: 1_000,
  policiesMax: 100,
  policyWeightMax: 500_000,
  accessPoliciesMax: 1_000,
  subjectsMax: 1_000,
  applicationsMax: 1_000,
  bulkLinesMax: 500_000,
};

/** Open connections of each server, in total and per client address, where no setting replaces them. */
export const CONNECTIONS = {
  api: CONNECTION_LIMITS,
  rpc: { max: 160, perAddressMax: 128 },
  metrics: { max: 16, perAddressMax: 8 },
} as const;

/**
 * Clients of the JSON-RPC port are on this machine: their 2 MiB arrive within seconds, and they read answers within
 * seconds.
 */
export const RPC_PACE: ConnectionPace = { windowMs: 500, bodyBytesPerSecondMin: 256 * 1024, unreadMs: 10_000 };

/** Bytes of all files of one tenant, unless `TENANT_BLOB_BYTES_MAX` is set. */
export const TENANT_BLOB_BYTES_MAX = 10 * 2 ** 30;
