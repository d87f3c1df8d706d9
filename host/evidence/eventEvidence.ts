// The evidence of one event: its own log where that shows nothing else, or its leaf in the tenant's tree, whichever is
// smaller; or its own log in any case, which alone proves a record of another ledger's checkpoint.
import { attestTree } from '../../chain/blockLog/attester.ts';
import type { TreeRecord } from '../../indexer/treeView.ts';
import { toHex } from '../../ledger/encoding/hex.ts';
import { LedgerError } from '../../ledger/errors.ts';
import { toContributionIdentity, toKey } from '../../ledger/identity.ts';
import type { EventResource } from '../../ledger/records/event.ts';
import type { EventForm } from '../../server/evidenceSource.ts';
import { type Asker, type Reach, refusePending } from './coverage.ts';
import type { EvidenceContext } from './evidenceContext.ts';
import type { FileParts } from './evidenceFile.ts';
import { proveLeaf, proveRecordedTree } from './leafProofs.ts';

/** Bytes of a receipt with the log of a record, besides its payload. */
const LOG_BYTES = 800;

type Proven = Pick<FileParts, 'blocks' | 'proofs'>;

const toLength = (proven: Proven): number => JSON.stringify(proven).length;

// Base64 has four characters for three bytes.
const mayBeSmaller = ({ payload }: TreeRecord, { proofs }: Proven): boolean =>
  ((payload.length + LOG_BYTES) * 4) / 3 < JSON.stringify(proofs).length;

// The leaf, under the newest covered attestation of the tree, or the newest one that another ledger's records cover.
const proveByLeaf = async (
  context: EvidenceContext,
  tenantKey: Uint8Array,
  record: TreeRecord,
  reach: Reach,
): Promise<Proven | undefined> => {
  const tree = await proveRecordedTree(context, tenantKey, record, reach);
  if (tree === undefined) return undefined;
  const { block, proof } = tree.place;
  const leaf = await proveLeaf(context.trees, tenantKey, record, { size: tree.size, root: 0 });
  return { blocks: [block], proofs: [proof, leaf] };
};

// The receipt of a batch would show other records, and be larger than all of them.
const proveByLog = async (
  { logProofs }: EvidenceContext,
  { place }: TreeRecord,
  head: Reach['head'],
): Promise<Proven | undefined> => {
  if (!(await logProofs.isAlone(place))) return undefined;
  const { block, proof } = await logProofs.prove(place, head);
  return { blocks: [block], proofs: [proof] };
};

// Whichever is smaller; the log at once, also before a checkpoint covers it.
const findSmaller = async (
  context: EvidenceContext,
  tenantKey: Uint8Array,
  record: TreeRecord,
  reach: Reach,
): Promise<Proven | undefined> => {
  const byLeaf = await proveByLeaf(context, tenantKey, record, reach);
  if (byLeaf !== undefined && !mayBeSmaller(record, byLeaf)) return byLeaf;
  const byLog = await proveByLog(context, record, reach.head);
  if (byLeaf === undefined || byLog === undefined) return byLeaf ?? byLog;
  return toLength(byLeaf) <= toLength(byLog) ? byLeaf : byLog;
};

const findLog = async (
  context: EvidenceContext,
  record: TreeRecord,
  { head, untilBlock }: Reach,
): Promise<Proven | undefined> => {
  const isCovered = record.place.blockNumber <= untilBlock;
  const byLog = await proveByLog(context, record, isCovered ? head : undefined);
  if (byLog === undefined) throw new LedgerError('RECORD_NOT_ALONE');
  return isCovered ? byLog : undefined;
};

const toRecordKey = ({ identity, contribution }: EventResource): Uint8Array =>
  toKey(contribution === undefined ? identity : toContributionIdentity(contribution.owner, identity));

/**
 * The parts of the file of one committed event; of a contribution they are about its record. Rejects as
 * `Coverage.cover` does; with `isLog` with RECORD_NOT_ALONE when the event shares its transaction with other records.
 */
export const makeEventParts = async (
  context: EvidenceContext,
  asker: Asker,
  event: EventResource,
  { isLog = false }: EventForm = {},
): Promise<FileParts> => {
  const tenantKey = toKey(event.tenant_identity);
  const record = await context.trees.readTreeRecord(tenantKey, toRecordKey(event));
  if (record === undefined) throw refusePending();
  const find = (reach: Reach): Promise<Proven | undefined> =>
    isLog ? findLog(context, record, reach) : findSmaller(context, tenantKey, record, reach);
  const attestation = attestTree(toHex(tenantKey));
  const proven = await context.coverage.cover(asker, [attestation], find);
  return { claim: { kind: 'event', event }, ...proven };
};
