// What is kept in memory of the assets that a reader may see.
import { expect } from 'chai';
import { openVisibleAssets } from '../../../../indexer/reads/sharing/visibleAssets.ts';
import type { VisibleChunk } from '../../../../indexer/reads/sharing/visibleChunk.ts';
import { toKey } from '../../../../ledger/identity.ts';
import { toGrants } from '../../../../ledger/sharing/grants.ts';
import { openEmptySnapshot } from '../../../support/emptySnapshot.ts';
import { ALPHA, anAccessPolicyRecord, aPermission } from '../../../support/records.ts';

const tenantKey = toKey(ALPHA);
const toOwner = (types: readonly string[]) => {
  const access_permissions = [aPermission({ event_arc_display_type_read: [...types] })];
  return { tenantIdentity: ALPHA, tenantKey, grants: toGrants(anAccessPolicyRecord(1, { access_permissions })) };
};

describe('the visible assets that are kept', () => {
  it('are found by later reads without a read of lists, as long as the chunk stays the same', async () => {
    const [snapshot, owner] = [openEmptySnapshot(tenantKey), toOwner(['a'])];
    const first = await openVisibleAssets(snapshot, owner).read(0);
    const reads = snapshot.countReads();
    expect(reads).to.be.greaterThan(0);
    expect(await openVisibleAssets(snapshot, owner).read(0)).to.equal(first);
    expect(snapshot.countReads()).to.equal(reads);
  });

  // 64 MiB in two halves, of which the older one is removed when the newer one is full: a chunk takes 3 MB here.
  it('are 20 chunks of a reader to whom 5,000 display types are granted', async () => {
    const owner = toOwner(Array.from({ length: 5_000 }, (_, at) => `type ${at}`));
    const snapshot = openEmptySnapshot(tenantKey);
    const read = (chunk: number): Promise<VisibleChunk> => openVisibleAssets(snapshot, owner).read(chunk);
    const found: VisibleChunk[] = [];
    for (let chunk = 0; chunk < 20; chunk += 1) found.push(await read(chunk));
    expect(await read(19)).to.equal(found[19]);
    await read(20);
    expect(await read(10), 'in the older half').to.equal(found[10]);
    expect(await read(0), 'removed').to.not.equal(found[0]);
  });
});
