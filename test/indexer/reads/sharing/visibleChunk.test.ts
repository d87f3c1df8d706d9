import { expect } from 'chai';
import fc from 'fast-check';
import { matchFilters, toGrantSet } from '../../../../indexer/reads/sharing/grantSet.ts';
import { changeVisibleChunk, toVisibleChunk } from '../../../../indexer/reads/sharing/visibleChunk.ts';
import { type Bits, createBits, setBit } from '../../../../indexer/rows/bits.ts';
import type { AssetRow } from '../../../../indexer/rows/rows.ts';
import { toGrants } from '../../../../ledger/sharing/grants.ts';
import { runs } from '../../../support/propertyRuns.ts';
import { aPermission } from '../../../support/records.ts';

const names = fc.constantFrom('a', 'b', 'c');
const values = fc.constantFrom('1', '2');
const conditions = fc
  .tuple(names, fc.constantFrom('=', '!='), fc.constantFrom('1', '2', '*'))
  .map((parts) => parts.join(''));
const lists = fc.array(fc.constantFrom('a', 'b', 'c', '*'), { maxLength: 3 });
const policies = fc.record({
  filters: fc.array(fc.record({ or: fc.array(conditions, { minLength: 1, maxLength: 2 }) }), { maxLength: 2 }),
  access_permissions: fc.array(
    fc
      .record({ asset_attributes_read: lists, event_arc_display_type_read: lists })
      .map((fields) => aPermission(fields)),
    { minLength: 1, maxLength: 2 },
  ),
});
const attributes = fc.dictionary(names, values, { maxKeys: 3 });

const toRows = (assets: readonly Record<string, string>[]): AssetRow[] =>
  assets.map((each, number) => ({ number, state: { attributes: each } }) as unknown as AssetRow);

describe('the visible assets of a chunk', () => {
  it('are the same after changes of some assets as computed again', () => {
    const changed = fc.array(fc.tuple(attributes, attributes), { minLength: 1, maxLength: 40 });
    const check = fc.property(fc.array(policies, { minLength: 1, maxLength: 5 }), changed, (given, pairs) => {
      const set = toGrantSet(given.flatMap(toGrants));
      const compute = (rows: readonly AssetRow[]) => {
        const byFilter: Bits[] = set.filters.map(createBits);
        for (const { number, state } of rows) {
          for (const [at, matches] of matchFilters(set, state.attributes).entries())
            if (matches) setBit(byFilter[at]!, number);
        }
        return toVisibleChunk(set, byFilter);
      };
      const [before, after] = [pairs.map(([old]) => old), pairs.map(([, now]) => now)].map(toRows) as [
        AssetRow[],
        AssetRow[],
      ];
      const wanted = compute(after);
      expect(changeVisibleChunk(set, compute(before), after)).to.deep.equal(wanted);
      expect(changeVisibleChunk(set, wanted, after)).to.equal(wanted);
    });
    fc.assert(check, runs(300));
  });
});
