// Compares the index that a server built while it ran with one that is built from the chain at once, key by key, the
// rows that it has in memory with those on the disk, and its trees with those of all records.
import type { RecordLog } from '../../../chain/port.ts';
import type { Ledger } from '../../../host/openLedger.ts';
import { createFollower, type FollowerOptions } from '../../../indexer/follower.ts';
import { cursorKey } from '../../../indexer/keys.ts';
import { readTreeRoot } from '../../../indexer/projection/projectLeaf.ts';
import { encodeRow } from '../../../indexer/rows/rows.ts';
import { createIndexStore, type IndexStore } from '../../../indexer/store.ts';
import { toDomainSeparator } from '../../../ledger/encoding/digest.ts';
import { fromHex, type Hex, toHex } from '../../../ledger/encoding/hex.ts';
import { LedgerError } from '../../../ledger/errors.ts';
import { hashLeaf, toRoot } from '../../../ledger/evidence/merkleTree.ts';
import { findIndexDifference } from '../../support/findIndexDifference.ts';
import { toLeaf } from '../../support/recordLogs.ts';
import { wait } from '../clients/exchange.ts';
import type { Violation } from '../plan/plan.ts';

const CHECK = 'the index equals a rebuild';
const MEMORY_CHECK = 'a row in memory is the row on the disk';
const TREE_CHECK = 'a tenant has the tree of its records';
const PAGE_BLOCKS = 7;
const RETRY_MS = 200;

// A node may be out of use for a moment after its last fault.
const retry = async <T>(act: () => Promise<T>): Promise<T> => {
  for (;;) {
    try {
      return await act();
    } catch (error) {
      if (error instanceof LedgerError && error.code === 'CHAIN_CORRUPT') throw error;
      await wait(RETRY_MS);
    }
  }
};

const catchUp = (options: FollowerOptions): Promise<void> =>
  retry(async () => (await createFollower(options)).catchUp());

const findFalseTree = async ({ chain, contract, store }: Ledger): Promise<string | undefined> => {
  const { number: toBlock } = await retry(chain.fetchFinalHead);
  const logs = await retry(() => chain.fetchRecordLogs({ address: contract, fromBlock: 0, toBlock }));
  const byTenant = Map.groupBy(logs, ({ tenantKey }) => tenantKey);
  const isFalse = ([tenantKey, records]: [Hex, RecordLog[]]): boolean =>
    toHex(readTreeRoot(store.read, fromHex(tenantKey))) !== toHex(toRoot(records.map((log) => hashLeaf(toLeaf(log)))));
  const found = [...byTenant].find(isFalse);
  return found && `the tenant ${found[0]} has another tree than its ${found[1].length} records`;
};

const findStaleRow = async (store: IndexStore): Promise<string | undefined> => {
  for await (const [key, row] of store.entries()) {
    if (key.equals(cursorKey())) continue;
    const shown = store.read(key);
    if (shown === undefined || !Buffer.from(encodeRow(shown)).equals(encodeRow(row)))
      return `${key.toString('hex')} is ${shown} in memory`;
  }
  return undefined;
};

/**
 * Rebuilds the index of an open ledger in another directory, and compares the two. No record is written meanwhile. Does
 * not end while the chain can't be read.
 */
export const checkIndex = async (ledger: Ledger, directory: string): Promise<Violation[]> => {
  const { chain, contract, store, serving } = ledger;
  const rebuilt = await createIndexStore(directory);
  // No block before the deployment has a log of the contract.
  const domain = toDomainSeparator({ chainId: chain.chainId, contract: fromHex(contract) });
  const range = { contract, domain, deploymentBlock: 0, pageBlocks: PAGE_BLOCKS };
  await catchUp({ ...range, chain, store: rebuilt, readServed: serving.read, onWipe: () => undefined });
  const difference = await findIndexDifference(store, rebuilt);
  await rebuilt.close();
  const stale = await findStaleRow(store);
  const tree = await findFalseTree(ledger);
  return [
    ...(difference === undefined ? [] : [{ check: CHECK, text: difference }]),
    ...(stale === undefined ? [] : [{ check: MEMORY_CHECK, text: stale }]),
    ...(tree === undefined ? [] : [{ check: TREE_CHECK, text: tree }]),
  ];
};
