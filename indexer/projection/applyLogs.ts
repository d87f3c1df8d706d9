// Projects batches of logs: LevelDB writes one on its own threads while the next is projected. The store shows the
// rows of the batch in flight, so that each batch starts where the previous one ends.
import type { AttestedLog, ContractLogs, RecordLog } from '../../chain/port.ts';
import type { Steps } from '../../ledger/compliance/steps.ts';
import { runInTurns } from '../inTurns.ts';
import type { Cursor, Write } from '../rows/rows.ts';
import { type IndexedTenants, toUnservedChanges, type UnservedTenants } from '../servedTenants.ts';
import type { IndexStore } from '../store.ts';
import { assertContinues, assertDigest, toDigest, toLeafKeys } from './checkLogs.ts';
import { decodeLog } from './decodedRecord.ts';
import { createIndexBatch, type IndexBatch } from './indexBatch.ts';
import type { DecodedLogs } from './logDecoder.ts';
import type { NewestLists } from './newestLists.ts';
import { projectAttestation } from './projectAttestation.ts';
import { projectAuthor } from './projectAuthor.ts';
import { project, projectOpaque } from './projection.ts';
import { projectLeaf } from './projectLeaf.ts';
import { toRecordBytesChanges } from './recordBytes.ts';

/** How logs are projected. */
export interface ProjectionOptions {
  /** What another thread computed; what is left out is computed here. */
  readonly decoded?: DecodedLogs | undefined;
  /** What all projections of the index share; without it, a list that the store may have is always looked up. */
  readonly newest?: NewestLists;
  /** The contract's EIP-712 domain separator, to check digests and heads of records; without it they aren't checked. */
  readonly checkedDomain?: Uint8Array | undefined;
  /** The tenants of the index; without it all, and all are served. */
  readonly tenants?: IndexedTenants;
  /** Tenants that the index doesn't have and that have records among the logs that were left out. */
  readonly unserved?: UnservedTenants;
  /** Rows that begin the index. */
  readonly firstWrites?: readonly Write[];
}

const addRecord = (batch: IndexBatch, log: RecordLog, at: number, options: ProjectionOptions): void => {
  const { decoded, checkedDomain } = options;
  // Each record is decoded when it is projected, so that those of a batch need not be in memory at the same time.
  const record = decoded === undefined ? decodeLog(log) : decoded.records[at];
  const keys = record ?? toLeafKeys(log);
  if (checkedDomain !== undefined) {
    assertDigest(log, decoded?.digestOf?.(at) ?? toDigest(checkedDomain, log, keys));
    assertContinues(log, keys, batch.read);
  }
  batch.add(projectLeaf(log, keys, batch.read));
  batch.add(projectAuthor(log, keys, batch.read));
  batch.add(record === undefined ? projectOpaque(log, keys, batch.read) : project(record, batch.read, options.tenants));
};

const isBefore = (one: AttestedLog, other: RecordLog): boolean =>
  one.blockNumber < other.blockNumber || (one.blockNumber === other.blockNumber && one.logIndex < other.logIndex);

/** Records that are projected between two pauses: some 30 ms of work at most. */
const RECORDS_TOGETHER = 256;

/**
 * Adds the changes of logs to a batch, in chain order. Each step ends after 256 records, attestations or tenants.
 * @throws LedgerError CHAIN_CORRUPT if the logs contradict each other or those before them.
 */
export function* addLogs(
  batch: IndexBatch,
  { records, attestations }: ContractLogs,
  options: ProjectionOptions = {},
): Steps<void> {
  let next = 0;
  const addAttestations = function* (before: RecordLog | undefined): Steps<void> {
    for (; next < attestations.length; next += 1) {
      const log = attestations[next]!;
      if (before !== undefined && !isBefore(log, before)) return;
      batch.add(projectAttestation(log, batch.read));
      if (next % RECORDS_TOGETHER === RECORDS_TOGETHER - 1) yield;
    }
  };
  for (const [at, log] of records.entries()) {
    yield* addAttestations(log);
    addRecord(batch, log, at, options);
    if (at % RECORDS_TOGETHER === RECORDS_TOGETHER - 1) yield;
  }
  yield* addAttestations(undefined);
  batch.add(toRecordBytesChanges(records, batch.read));
  let noted = 0;
  for (const [tenant, blockNumber] of options.unserved ?? []) {
    batch.add(toUnservedChanges(tenant, blockNumber, batch.read));
    noted += 1;
    if (noted % RECORDS_TOGETHER === 0) yield;
  }
}

/**
 * Projects the logs that lead to the cursor, and lets the event loop process other events between some of them; nothing
 * else may write to the store meanwhile. Resolves when reads show them. Rejects with the error of a failed write.
 * @throws LedgerError CHAIN_CORRUPT if the logs contradict each other or those before them; nothing is written then.
 */
export const applyLogs = async (
  store: Pick<IndexStore, 'read' | 'apply'>,
  logs: ContractLogs,
  cursor: Cursor,
  options: ProjectionOptions = {},
): Promise<void> => {
  const batch = createIndexBatch(store.read, options.newest);
  await runInTurns(addLogs(batch, logs, options));
  await store.apply([...(options.firstWrites ?? []), ...batch.toWrites()], cursor);
};
