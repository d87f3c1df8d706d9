// A writer can record something before the tenant's own record: it has no effect, so that no read shows it. A file
// doesn't show where the tenant's own record is, so its verifiers count all records of a stream.
import { isDeepStrictEqual } from 'node:util';
import type { TreeRecord, TreeView } from '../../indexer/treeView.ts';
import { LedgerError } from '../../ledger/errors.ts';
import type { DisclosedRecord } from '../../ledger/evidence/bundle/bundle.ts';
import { decodeEvents, findHeldPolicy, listFromCreation } from '../../ledger/evidence/bundle/judgedRecords.ts';
import { toKey } from '../../ledger/identity.ts';

/** A record of the index as a file discloses it. */
export const toDisclosedRecord = ({ author, payload, recordKey: key }: TreeRecord): DisclosedRecord => ({
  author,
  payload,
  key,
});

/** The records of an asset and of the policy by which it is judged, if it is. */
export interface CountedRecords {
  readonly tenantIdentity: string;
  readonly assetIdentity: string;
  readonly ofAsset: readonly TreeRecord[];
  readonly policyIdentity?: string | undefined;
  readonly ofPolicy?: readonly TreeRecord[];
}

const MESSAGE = "Records from before the tenant's own record have no effect, and a file would count them";

// What those of the records count for that are from `begin` on.
const listCounted = (
  { assetIdentity, ofAsset, policyIdentity = '', ofPolicy = [] }: CountedRecords,
  begin: number,
): (string | undefined)[] => {
  const disclose = (records: readonly TreeRecord[]) =>
    records.filter(({ index }) => index >= begin).map(toDisclosedRecord);
  const events = listFromCreation(decodeEvents(disclose(ofAsset), assetIdentity));
  return [findHeldPolicy(disclose(ofPolicy), policyIdentity)?.identity, ...events.map(({ identity }) => identity)];
};

/**
 * Asserts that the verifiers of a file count what has an effect. Rejects with EVIDENCE_INCOMPLETE where records from
 * before the tenant's own record make a difference.
 */
export const assertSameCounted = async (
  { findOwnRecord }: Pick<TreeView, 'findOwnRecord'>,
  records: CountedRecords,
): Promise<void> => {
  const begin = await findOwnRecord(toKey(records.tenantIdentity));
  if ([...records.ofAsset, ...(records.ofPolicy ?? [])].every(({ index }) => index >= begin)) return;
  if (isDeepStrictEqual(listCounted(records, 0), listCounted(records, begin))) return;
  throw new LedgerError('EVIDENCE_INCOMPLETE', { message: MESSAGE });
};
