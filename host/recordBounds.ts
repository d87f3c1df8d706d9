// What keeps one tenant's records, or those of all, from filling the ledger: a quota for each day, and on the embedded
// chain, which keeps every record in memory, a reserve of memory.
import type { Outbox } from '../chain/writing/outbox.ts';
import { createRecordQuota, type RecordQuota } from '../chain/writing/recordQuota.ts';
import { readRecordBytes } from '../indexer/reads/recordReads.ts';
import type { IndexStore } from '../indexer/store.ts';
import type { LedgerOptions } from './ledgerOptions.ts';

/** The quota of a ledger: what its index and its outbox have counts. `now`: milliseconds since the epoch. */
export const openRecordQuota = (
  { limits }: Pick<LedgerOptions, 'limits'>,
  store: Pick<IndexStore, 'read'>,
  outbox: Pick<Outbox, 'pendingOf'>,
  now: () => number,
): RecordQuota =>
  createRecordQuota({
    bytesMax: limits.tenantRecordBytesPerDay,
    readBytes: (tenantIdentity, day) =>
      readRecordBytes(store, tenantIdentity, day) + outbox.pendingOf(tenantIdentity).bytes,
    now,
  });

/** The reserve of memory of a ledger; undefined on a network, which keeps its records elsewhere. */
export const findMemoryReserve = ({ network, memoryReserve }: Pick<LedgerOptions, 'network' | 'memoryReserve'>) =>
  network === undefined ? memoryReserve : undefined;
