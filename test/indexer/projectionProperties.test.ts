// What holds for the projection of any history.
import { expect } from 'chai';
import fc from 'fast-check';
import * as keys from '../../indexer/keys.ts';
import type { AssetRow } from '../../indexer/rows.ts';
import { fromHex } from '../../ledger/hex.ts';
import { toKey } from '../../ledger/identity.ts';
import { histories } from '../support/histories.ts';
import { createIndexModel, type IndexModel } from '../support/indexModel.ts';
import { toRecordLog, type Written } from '../support/recordLogs.ts';
import { ALPHA, assetOf, BETA } from '../support/records.ts';

const indexOf = (blocks: readonly (readonly Written[])[]): IndexModel => {
  const index = createIndexModel();
  for (const [block, records] of blocks.entries()) {
    for (const [logIndex, written] of records.entries()) index.take(toRecordLog(written, block + 1, logIndex));
  }
  return index;
};

const listsOf = (tenantKey: Uint8Array): keys.ListId[] => [
  keys.eventsOfTenant(tenantKey),
  keys.trackedAssets(tenantKey),
  ...[1, 2, 3].map((asset) => keys.eventsOfAsset(tenantKey, toKey(assetOf(asset)))),
];
const entriesOf = (index: IndexModel, list: keys.ListId) => {
  const { gte, lte } = keys.listRange(list, undefined);
  return index.rows().filter(([key]) => key >= gte.toString('hex') && key <= lte!.toString('hex'));
};

const forAll = (holds: (index: IndexModel, tenantKey: Uint8Array) => void, numRuns = 60): void => {
  const check = fc.property(histories, (blocks) => {
    const index = indexOf(blocks);
    for (const tenant of [ALPHA, BETA]) holds(index, toKey(tenant));
  });
  fc.assert(check, { numRuns });
};

describe('projection of any history', () => {
  it('reads no row that it did not name', () => {
    forAll((index) => expect(index.rows()).to.be.an('array'));
  });

  it('counts every list right', () => {
    forAll((index, tenantKey) => {
      for (const list of listsOf(tenantKey)) {
        expect(index.read(keys.listCountKey(list)) ?? 0).to.equal(entriesOf(index, list).length);
      }
    });
  });

  it('lists the tracked assets, and no others', () => {
    forAll((index, tenantKey) => {
      const listed = entriesOf(index, keys.trackedAssets(tenantKey)).map(([, target]) => target as string);
      const tracked = [1, 2, 3]
        .map((asset) => toKey(assetOf(asset)))
        .filter(
          (key) => (index.read(keys.assetKey(tenantKey, key)) as AssetRow | undefined)?.state.tracked === 'TRACKED',
        )
        .map((key) => `0x${Buffer.from(key).toString('hex')}`);
      expect(listed.sort()).to.deep.equal(tracked.sort());
    });
  });

  it('lists as events of a tenant those of its assets, and each of them has its row', () => {
    forAll((index, tenantKey) => {
      const [ofTenant, , ...ofAssets] = listsOf(tenantKey).map((list) =>
        entriesOf(index, list).map(([, target]) => target),
      );
      expect(ofAssets.flat().sort()).to.deep.equal(ofTenant!.sort());
      for (const target of ofTenant!) {
        expect(index.read(keys.recordKey(tenantKey, fromHex(target as string)))).to.have.nested.property(
          'record.type',
          'event',
        );
      }
    });
  });

  it('is the same whatever else is in the ledger of another tenant', () => {
    const check = fc.property(histories, (blocks) => {
      const own = ({ tenantIdentity, record }: Written): boolean => tenantIdentity === ALPHA && record.type === 'event';
      const tenancy = ({ record }: Written): boolean => record.type !== 'event';
      const alone = indexOf(
        blocks.map((records) =>
          records.map((each) =>
            own(each) || tenancy(each) ? each : { ...each, changed: { payload: new Uint8Array() } },
          ),
        ),
      );
      const together = indexOf(blocks);
      for (const list of listsOf(toKey(ALPHA))) {
        expect(entriesOf(together, list)).to.deep.equal(entriesOf(alone, list));
      }
    });
    fc.assert(check, { numRuns: 40 });
  });

  it('changes no row in place', () => {
    const check = fc.property(histories, (blocks) => {
      const index = createIndexModel();
      for (const [block, records] of blocks.entries()) {
        for (const [logIndex, written] of records.entries()) {
          const before = structuredClone(index.rows());
          const rows = index.rows();
          index.take(toRecordLog(written, block + 1, logIndex));
          expect(rows).to.deep.equal(before);
        }
      }
    });
    fc.assert(check, { numRuns: 15 });
  });
});
