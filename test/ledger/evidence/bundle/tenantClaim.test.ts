// The list of a tenant's records: the file with its leaves must have all of them, and nothing else.
import { createHash } from 'node:crypto';
import { expect } from 'chai';
import type { ProvenBundle } from '../../../../ledger/evidence/bundle/claimChecks.ts';
import { Refuted } from '../../../../ledger/evidence/bundle/findings.ts';
import { checkTenant } from '../../../../ledger/evidence/bundle/tenantClaim.ts';
import { EMPTY_FRONTIER, extendFrontier, hashLeaf, toFrontierRoot } from '../../../../ledger/evidence/merkleTree.ts';
import { LEAF_BYTES } from '../../../../ledger/evidence/recordLeaf.ts';
import { toKey } from '../../../../ledger/identity.ts';
import { ALPHA } from '../../../support/records.ts';

const LEAVES = Array.from({ length: 3 }, (_, at) => new Uint8Array(LEAF_BYTES).fill(at + 1));
const WHOLE = Buffer.concat(LEAVES);
const ROOT = toFrontierRoot(
  extendFrontier(
    EMPTY_FRONTIER,
    LEAVES.map((leaf) => hashLeaf(leaf)),
  ),
);

describe('the list of all records of a tenant', () => {
  const log = { event: 'TenantAttested', tenant: toKey(ALPHA), size: LEAVES.length, root: ROOT };
  const proven = { logs: [{ log, block: { number: 3, timeSeconds: 7 }, transaction: 0 }] } as unknown as ProvenBundle;
  const outcomeOf = async (bytes: Uint8Array, { count = LEAVES.length, hashed = bytes } = {}): Promise<unknown> => {
    const leavesSha256 = createHash('sha256').update(hashed).digest();
    const claim = { kind: 'tenant' as const, tenantIdentity: ALPHA, count, leavesSha256 };
    const parts = async function* () {
      for (let at = 0; at < bytes.length; at += 50) yield bytes.subarray(at, at + 50);
    };
    return checkTenant(proven, claim, parts()).then(
      (findings) => findings.map(({ question, answer }) => `${question} ${answer}`),
      (error) => (error instanceof Refuted ? `${error.question} refuted` : error),
    );
  };

  it('is proved when the contract logged the root of its leaves', async () => {
    expect(await outcomeOf(WHOLE)).to.deep.equal(['completeness proved']);
  });

  it('is refuted when its file has fewer leaves, more, or a part of one', async () => {
    for (const bytes of [WHOLE.subarray(LEAF_BYTES), Buffer.concat([WHOLE, LEAVES[0]!]), WHOLE.subarray(0, -1)])
      expect(await outcomeOf(bytes), `${bytes.length}`).to.equal('completeness refuted');
    expect(await outcomeOf(Buffer.concat([WHOLE, Uint8Array.of(0)]))).to.equal('completeness refuted');
  });

  it('is refuted when it counts other records, or its leaves are others', async () => {
    expect(await outcomeOf(WHOLE.subarray(LEAF_BYTES), { count: 2 })).to.equal('completeness refuted');
    expect(await outcomeOf(WHOLE.with(0, 9) as Buffer)).to.equal('completeness refuted');
    expect(await outcomeOf(WHOLE, { hashed: LEAVES[0]! })).to.equal('completeness refuted');
  });
});
