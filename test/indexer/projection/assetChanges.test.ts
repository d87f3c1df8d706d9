// What the index notes of assets for the reads of other tenants.
import { expect } from 'chai';
import * as keys from '../../../indexer/keys.ts';
import { decodeAssetPosition } from '../../../indexer/rows/rows.ts';
import { toKey } from '../../../ledger/identity.ts';
import { createIndexModel } from '../../support/indexModel.ts';
import { toRecordLog } from '../../support/recordLogs.ts';
import { ALPHA, aCreation, anEvent, aTenantRecord, eventOf } from '../../support/records.ts';

const alpha = toKey(ALPHA);

describe('projection of changes of assets', () => {
  const setUp = () => {
    const index = createIndexModel();
    index.take(toRecordLog({ record: aTenantRecord(ALPHA) }, 1));
    index.take(toRecordLog({ record: aCreation({ asset_attributes: { colour: 'red' } }) }, 7, 3));
    return index;
  };
  const changedBy = (index: ReturnType<typeof setUp>) => index.read(keys.assetChangesKey(alpha, 0));

  it('keeps the position of a creation in the chain', () => {
    const row = setUp().read(keys.memberKey(alpha, 'assets', 0))!;
    expect(decodeAssetPosition(row)).to.deep.equal({ blockNumber: 7, logIndex: 3 });
  });

  it('notes the last event that changed a list of assets, and no other', () => {
    const index = setUp();
    expect(changedBy(index)).to.equal(0);
    const events = [{ colour: 'blue' }, {}, { colour: 'blue' }, { weight: '2' }];
    const noted = events.map((asset_attributes, at) => {
      index.take(toRecordLog({ record: anEvent({ identity: eventOf(1, at + 1), asset_attributes }) }, at + 8));
      return changedBy(index);
    });
    expect(noted).to.deep.equal([1, 1, 1, 4]);
  });

  it('notes events that stop tracking an asset', () => {
    const index = setUp();
    const record = anEvent({ behaviour: 'Builtin', operation: 'StopTracking' });
    index.take(toRecordLog({ record }, 8));
    expect(changedBy(index)).to.equal(1);
  });
});
