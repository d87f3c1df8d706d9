// The Merkle trees of the tenants of a ledger whose contract has none, computed from its logs: what the first record of
// each tenant in the new ledger states of the old one.
import type { RecordLog } from '../../chain/port.ts';
import { fromHex, type Hex } from '../../ledger/encoding/hex.ts';
import { EMPTY_FRONTIER, extendFrontier, type Frontier, hashLeaf } from '../../ledger/evidence/merkleTree.ts';
import { encodeRecordLeaf } from '../../ledger/evidence/recordLeaf.ts';
import type { LogPage } from './logPages.ts';

/** Tree of each tenant by its key, in the order of their first records. */
export type TenantTrees = ReadonlyMap<Hex, Frontier>;

const toLeafHash = ({ digest, head, sequence, blockNumber, blockTimestampSeconds }: RecordLog): Uint8Array => {
  const place = { sequence, blockNumber, blockTimeSeconds: blockTimestampSeconds };
  return hashLeaf(encodeRecordLeaf({ digest: fromHex(digest), head: fromHex(head), ...place }));
};

/** The trees after all records of these pages. */
export const readTenantTrees = async (pages: AsyncIterable<LogPage>): Promise<TenantTrees> => {
  const trees = new Map<Hex, Frontier>();
  for await (const { logs } of pages) {
    for (const [tenantKey, own] of Map.groupBy(logs, (log) => log.tenantKey)) {
      trees.set(tenantKey, extendFrontier(trees.get(tenantKey) ?? EMPTY_FRONTIER, own.map(toLeafHash)));
    }
  }
  return trees;
};
