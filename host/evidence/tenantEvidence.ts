// The evidence of the list of all records of a tenant: a file, and the list itself.
import { createHash } from 'node:crypto';
import { attestTree } from '../../chain/blockLog/attester.ts';
import { toHex } from '../../ledger/encoding/hex.ts';
import { toKey } from '../../ledger/identity.ts';
import type { EvidenceContext } from './evidenceContext.ts';
import type { FileParts } from './evidenceFile.ts';

const hashLeaves = async (leaves: AsyncIterable<Uint8Array>): Promise<string> => {
  const hash = createHash('sha256');
  for await (const bytes of leaves) hash.update(bytes);
  return `0x${hash.digest('hex')}`;
};

/** The parts of the file of all records of a tenant. Rejects as `Coverage.cover` does. */
export const makeTenantParts = async (
  { trees, logProofs, coverage, runInTurn }: EvidenceContext,
  tenantIdentity: string,
): Promise<FileParts> => {
  const tenantKey = toKey(tenantIdentity);
  const asker = { tenantIdentity, isPublic: false };
  const attestation = attestTree(toHex(tenantKey));
  const { size, block, proof } = await coverage.cover(asker, [attestation], async (reach) => {
    const tree = await trees.readAttestedTree(tenantKey, reach.untilBlock);
    const isNewest = tree !== undefined && tree.size >= (await trees.readTreeSize(tenantKey));
    if (tree === undefined || !(isNewest || reach.isRequested)) return undefined;
    return { size: tree.size, ...(await logProofs.prove(tree, reach.head)) };
  });
  const leavesHash = await runInTurn(tenantIdentity, () => hashLeaves(trees.readLeaves(tenantKey, 0, size)));
  return {
    claim: { kind: 'tenant', tenant_identity: tenantIdentity, count: size, leaves_sha256: leavesHash },
    blocks: [block],
    proofs: [proof],
  };
};
