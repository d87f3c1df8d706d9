// What is kept in memory of the assets that filters match.
import { expect } from 'chai';
import { createMatchAssets } from '../../../../indexer/reads/sharing/matchedAssets.ts';
import { toKey } from '../../../../ledger/identity.ts';
import { toGrants } from '../../../../ledger/sharing/grants.ts';
import { openEmptySnapshot } from '../../../support/emptySnapshot.ts';
import { ALPHA, anAccessPolicyRecord } from '../../../support/records.ts';

describe('the matched assets that are kept', () => {
  // 64 MiB in two halves, of which the older one is removed when the newer one is full: a chunk takes 8 MiB here.
  it('are bounded with the text of their filter: those of 6 chunks for one of 4 Mi characters', async () => {
    const tenantKey = toKey(ALPHA);
    const snapshot = openEmptySnapshot(tenantKey, { assets: 100 });
    const filters = [{ or: [`attributes.a=${'a'.repeat(4 * 2 ** 20)}`] }];
    const grants = toGrants(anAccessPolicyRecord(1, { filters }));
    const matchAssets = createMatchAssets(
      snapshot,
      tenantKey,
      grants.map((grant) => grant.filters),
    );
    const match = async (chunk: number) => (await matchAssets(chunk))[0]!;
    const found: Uint32Array[] = [];
    for (let chunk = 0; chunk < 6; chunk += 1) found.push(await match(chunk));
    expect(await match(5)).to.equal(found[5]);
    await match(6);
    expect(await match(3), 'in the older half').to.equal(found[3]);
    expect(await match(0), 'removed').to.not.equal(found[0]);
  });
});
