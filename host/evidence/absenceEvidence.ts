// The evidence that a tenant has nothing of a name.
import { attestTree } from '../../chain/blockLog/attester.ts';
import type { LogPlace } from '../../indexer/treeView.ts';
import { toHex } from '../../ledger/encoding/hex.ts';
import { LedgerError } from '../../ledger/errors.ts';
import { toKey, toStreamIdentity } from '../../ledger/identity.ts';
import type { Reach } from './coverage.ts';
import type { EvidenceContext } from './evidenceContext.ts';
import type { FileParts } from './evidenceFile.ts';

/** The attestation of a name: records that it counts, or the position of the record. */
interface AttestedName extends LogPlace {
  readonly count: number;
}

const assertAbsent = (isAbsent: boolean): void => {
  if (!isAbsent) throw new LedgerError('IDENTITY_PRESENT');
};

const createReads = ({ trees }: EvidenceContext, tenantKey: Uint8Array, identity: string) => {
  const key = toKey(identity);
  const isRecord = toStreamIdentity(identity) !== undefined;
  return {
    isThere: async (): Promise<boolean> =>
      isRecord
        ? (await trees.readTreeRecord(tenantKey, key)) !== undefined
        : (await trees.readStreamRecords(tenantKey, key, 1, 1)).length > 0,
    readAttested: async (untilBlock: number): Promise<AttestedName | undefined> => {
      if (!isRecord) return trees.readAttestedStream(tenantKey, key, untilBlock);
      const found = await trees.readAttestedRecord(tenantKey, key, untilBlock);
      return found && { ...found, count: found.sequence };
    },
    attestation: { ...attestTree(toHex(tenantKey)), ...(isRecord ? { ids: [toHex(key)] } : { streams: [toHex(key)] }) },
  };
};

/**
 * The parts of the file of the absence of a record or a stream. An earlier attestation serves while the tenant has no
 * new record.
 * @throws LedgerError IDENTITY_PRESENT when the tenant has it, and as `Coverage.cover`.
 */
export const makeAbsenceParts = async (
  context: EvidenceContext,
  tenantIdentity: string,
  identity: string,
): Promise<FileParts> => {
  const { trees, logProofs, coverage } = context;
  const tenantKey = toKey(tenantIdentity);
  const { isThere, readAttested, attestation } = createReads(context, tenantKey, identity);
  assertAbsent(!(await isThere()));
  const find = async ({ head, untilBlock, isRequested }: Reach) => {
    const attested = await readAttested(untilBlock);
    if (attested === undefined) return undefined;
    // Every attestation has the tree.
    const tree = await trees.readAttestedTree(tenantKey, attested.blockNumber);
    const isNewest = tree !== undefined && tree.size >= (await trees.readTreeSize(tenantKey));
    if (!isRequested && !isNewest) return undefined;
    assertAbsent(attested.count === 0);
    return logProofs.prove(attested, head);
  };
  const { block, proof } = await coverage.cover({ tenantIdentity, isPublic: false }, [attestation], find);
  return {
    claim: { kind: 'absence', tenant_identity: tenantIdentity, identity },
    blocks: [block],
    proofs: [proof],
  };
};
