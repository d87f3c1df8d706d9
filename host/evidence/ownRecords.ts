// A writer can record something before the tenant's own record: it has no effect, so that no read shows it. A file in
// which it would make a difference shows the tenant's own record, and verifiers count what came after it.
import { isDeepStrictEqual } from 'node:util';
import type { TreeRecord, TreeView } from '../../indexer/treeView.ts';
import type { DisclosedRecord } from '../../ledger/evidence/bundle/bundle.ts';
import { decodeEvents, findHeldPolicy, listFromCreation } from '../../ledger/evidence/bundle/judgedRecords.ts';
import { toKey } from '../../ledger/identity.ts';
import { refuseLargeFile } from './evidenceFile.ts';
import { createAllowance } from './mergedStreams.ts';

const PAGE_RECORDS = 100;

/** A record of the index as a file discloses it. */
export const toDisclosedRecord = ({ author, payload, recordKey: key }: TreeRecord): DisclosedRecord => ({
  author,
  payload,
  key,
});

/** The records of an asset and of the policy by which it is judged. */
export interface JudgedRecords {
  readonly policyIdentity: string;
  readonly assetIdentity: string;
  readonly ofPolicy: readonly TreeRecord[];
  readonly ofAsset: readonly TreeRecord[];
}

const listCounted = ({ policyIdentity, assetIdentity, ofPolicy, ofAsset }: JudgedRecords): (string | undefined)[] => {
  const events = listFromCreation(decodeEvents(ofAsset.map(toDisclosedRecord), assetIdentity));
  const policy = findHeldPolicy(ofPolicy.map(toDisclosedRecord), policyIdentity);
  return [policy?.identity, ...events.map(({ identity }) => identity)];
};

/** Whether records lead to the same policy and the same events as those of them that have an effect. */
export const isSameCounted = (all: JudgedRecords, effective: JudgedRecords): boolean =>
  (all.ofPolicy.length === effective.ofPolicy.length && all.ofAsset.length === effective.ofAsset.length) ||
  isDeepStrictEqual(listCounted(all), listCounted(effective));

/**
 * The records of a tenant's own stream up to the tenant's own record.
 * @param begin number of its leaf.
 * @throws LedgerError EVIDENCE_TOO_LARGE for more than a file may have.
 */
export const readOwnRecords = async (
  { readStreamRecords }: Pick<TreeView, 'readStreamRecords'>,
  tenantIdentity: string,
  begin: number,
): Promise<TreeRecord[]> => {
  const tenantKey = toKey(tenantIdentity);
  const isAllowed = createAllowance();
  const found: TreeRecord[] = [];
  for (let from = 1; ; from += PAGE_RECORDS) {
    const page = await readStreamRecords(tenantKey, tenantKey, from, from + PAGE_RECORDS - 1);
    const own = page.filter(({ index }) => index <= begin);
    if (!isAllowed(own)) throw refuseLargeFile();
    found.push(...own);
    if (own.length < PAGE_RECORDS) return found;
  }
};
