// Opens the ledger of a data directory with the settings of this process or given ones, its progress and problems on
// standard error.
import { uptime } from 'node:os';
import { assertRestored } from '../files/assertRestored.ts';
import { openIndexedChain, openUnconfirmedChain } from '../indexedChain.ts';
import { startDecodingThread } from '../indexing/decodingThread.ts';
import { hasLedger } from '../knownLedger.ts';
import type { LedgerOptions, PublicExecution } from '../ledgerOptions.ts';
import { type Ledger, openLedger } from '../openLedger.ts';
import { type Config, readConfig } from '../settings/config.ts';
import { CHAIN_ID, LEDGER_LIMITS } from '../settings/installationLimits.ts';
import { toNetwork } from '../settings/networkSettings.ts';
import { readFreeMemory } from '../watching/freeMemory.ts';
import { createMemoryReserve, type MemoryReserve } from '../watching/memoryReserve.ts';
import { reportProblem } from '../watching/reports.ts';
import { createProgress } from './progress.ts';

const toPublicExecution = (config: Config): PublicExecution => ({
  callGasMax: config.chainCallGasMax,
  perMinuteMax: config.chainGasPerMinute,
  thirdPartyMax: config.chainThirdPartyGasMax,
});

const toMemoryReserve = ({ memoryReserveBytes: reserveBytes }: Config): MemoryReserve =>
  createMemoryReserve({
    reserveBytes,
    readFree: readFreeMemory,
    onProblem: reportProblem,
    nowMs: () => performance.now(),
  });

const toOptions = (config: Config): LedgerOptions => ({
  publicExecution: toPublicExecution(config),
  dataDir: config.dataDir,
  sharedKeys: config.keysSharedDir,
  chainId: CHAIN_ID,
  network: toNetwork(config),
  servedTenants: config.servedTenants,
  sharingTenants: config.sharingTenants,
  limits: {
    ...LEDGER_LIMITS,
    transactionsInFlight: config.transactionsInFlight,
    tenantRecordBytesPerDay: config.tenantRecordBytesPerDay,
  },
  memoryReserve: toMemoryReserve(config),
  indexCacheBytes: config.indexCacheBytes,
  startDecoder: startDecodingThread,
  now: Date.now,
  uptimeMs: () => uptime() * 1_000,
  onStep: createProgress(),
  onProblem: reportProblem,
});

// The settings of this process for any directory: that of a backup being restored, say.
const toOwnOptions = (dataDir: string): LedgerOptions => toOptions({ ...readConfig(), dataDir });

/** A mistyped directory must not become a new ledger. @throws Error when the directory has no ledger. */
export const assertLedger = (dataDir: string): void => {
  if (hasLedger(dataDir)) return;
  throw new Error(`there is no ledger in ${dataDir}; create one with: DATA_DIR=${dataDir} npm start`);
};

/** Options that are no settings. */
type GivenOptions = Pick<
  LedgerOptions,
  'onBatch' | 'onEngineGivenUp' | 'onFailedAttempt' | 'startEngine' | 'startReadPool' | 'mayLackFunds' | 'ending'
>;

/**
 * Opens the ledger of a configuration, or creates one in an empty directory.
 * @throws Error when a restore into the directory did not finish.
 */
export const openConfiguredLedger = async (config: Config, given: GivenOptions = {}): Promise<Ledger> => {
  assertRestored(config.dataDir);
  return openLedger({ ...toOptions(config), ...given });
};

/** The same with the settings of this process, for any directory. */
export const openLedgerForOperator = async (
  dataDir: string,
  given: Pick<GivenOptions, 'mayLackFunds'> = {},
): Promise<Ledger> => openConfiguredLedger({ ...readConfig(), dataDir }, given);

/**
 * Opens only the chain and the index, and rebuilds the index from the chain.
 * @throws Error when the directory has no ledger.
 */
export const openRebuiltIndexForOperator = (dataDir: string) => {
  assertLedger(dataDir);
  return openIndexedChain(toOwnOptions(dataDir), { rebuilds: true });
};

/** Opens only the chain and the index, and brings the index to the chain's head. */
export const openIndexedChainForOperator = (dataDir: string) => openIndexedChain(toOwnOptions(dataDir));

/**
 * The same, while the embedded chain may still be replayed.
 * @throws Error when the directory has no ledger.
 */
export const openUnconfirmedChainForOperator = (dataDir: string) => {
  assertLedger(dataDir);
  return openUnconfirmedChain(toOwnOptions(dataDir));
};

/** Opens only the embedded chain and its index, whatever the settings name. */
export const openEmbeddedChainForOperator = (dataDir: string) =>
  openIndexedChain({ ...toOwnOptions(dataDir), network: undefined });
