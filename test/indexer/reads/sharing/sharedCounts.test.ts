// What is kept in memory of counted events.
import { expect } from 'chai';
import { openSharedCount } from '../../../../indexer/reads/sharing/sharedCounts.ts';
import { openVisibleAssets } from '../../../../indexer/reads/sharing/visibleAssets.ts';
import { toVisibleChunk } from '../../../../indexer/reads/sharing/visibleChunk.ts';
import { CHUNK_NUMBERS, createBits } from '../../../../indexer/rows/bits.ts';
import { toKey } from '../../../../ledger/identity.ts';
import { toGrants } from '../../../../ledger/sharing/grants.ts';
import { openEmptySnapshot } from '../../../support/emptySnapshot.ts';
import { ALPHA, anAccessPolicyRecord, aPermission } from '../../../support/records.ts';

const TYPES = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];

describe('the counts of shared events that are kept', () => {
  // 64 MiB in two halves, of which the older one is removed when the newer one is full: a selection takes 16 MiB here,
  // and the text of its name.
  it('are bounded with the assets and the types: those of 2 selections at 2 ** 19 assets and 7 types', async () => {
    const tenantKey = toKey(ALPHA);
    const snapshot = openEmptySnapshot(tenantKey, { assets: 2 ** 19, events: CHUNK_NUMBERS });
    const access_permissions = [aPermission({ event_arc_display_type_read: TYPES })];
    const grants = toGrants(anAccessPolicyRecord(1, { access_permissions }));
    const visible = openVisibleAssets(snapshot, { tenantIdentity: ALPHA, tenantKey, grants });
    const none = { meeting: createBits(), visible: toVisibleChunk(visible.set, [createBits()]), readable: [] };
    const isCountedAgain = async (term: string): Promise<boolean> => {
      const reads = snapshot.countReads();
      const found = await openSharedCount(snapshot, visible, {
        selection: { tenantKey, collection: 'events', conditions: { all: [term], none: [] } },
        restricted: { ofEvents: [], ofAssets: [] },
        readAssets: () => Promise.resolve(none),
      });
      expect(found?.known).to.deep.equal({ chunks: 1, count: 0, newest: [] });
      return snapshot.countReads() > reads;
    };
    const counted: [term: string, isAgain: boolean][] = [];
    for (const term of ['one', 'one', 'two', 'two', 'three', 'two', 'one'])
      counted.push([term, await isCountedAgain(term)]);
    expect(counted).to.deep.equal([
      ['one', true],
      ['one', false],
      ['two', true],
      ['two', false],
      ['three', true],
      ['two', false],
      ['one', true],
    ]);
  });
});
