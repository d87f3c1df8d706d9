// The index depends on the logs alone, not on how they were divided into batches.
import { expect } from 'chai';
import fc from 'fast-check';
import type { RecordLog } from '../../../chain/port.ts';
import { recordBytesKey } from '../../../indexer/keys.ts';
import { createNewestLists, type NewestLists } from '../../../indexer/projection/newestLists.ts';
import { leafKey, opaqueRecordKey, streamLeafKey, treeKey } from '../../../indexer/treeKeys.ts';
import { fromHex } from '../../../ledger/encoding/hex.ts';
import { histories } from '../../support/histories.ts';
import { createIndexModel, type IndexModel } from '../../support/indexModel.ts';
import { toNaiveLog } from '../../support/ledgers.ts';
import { runs } from '../../support/propertyRuns.ts';
import { toRecordLog } from '../../support/recordLogs.ts';
import { ALPHA, aBuiltin, aCreation, anEvent, aTenantRecord, eventOf } from '../../support/records.ts';
import { aLongTypedAsset } from '../../support/typedEvents.ts';

const build = (logs: readonly RecordLog[], lengths: readonly number[], newest?: NewestLists): IndexModel => {
  const index = createIndexModel(newest);
  const rest = [...logs];
  for (const length of lengths) index.take(...rest.splice(0, length));
  index.take(...rest);
  return index;
};

describe('an index', () => {
  it('is the same, byte by byte, for any division of its logs into batches', () => {
    const cuts = fc.array(fc.nat(8), { maxLength: 20, size: 'max' });
    const check = fc.property(histories, cuts, (history, lengths) => {
      const logs = history.map((written, at) => toNaiveLog(written, at).log);
      const oneByOne = build(
        logs,
        logs.map(() => 1),
      ).rows();
      expect(build(logs, lengths).rows()).to.deep.equal(oneByOne);
      expect(build(logs, []).rows()).to.deep.equal(oneByOne);
    });
    fc.assert(check, runs(25));
  });

  // Crosses the borders of chunks, column pages and checkpoints, with lists that members leave and enter repeatedly.
  it('is the same across the borders of chunks, pages and checkpoints', () => {
    const event = (number: number) => {
      const identity = eventOf(1 + (number % 3), number);
      if (number % 5 === 0)
        return aBuiltin(number % 2 === 0 ? 'StopTracking' : 'StartTracking', undefined, { identity });
      const asset_attributes = { colour: ['red', 'blue', ''][Math.floor(number / 7) % 3]! };
      return anEvent({ identity, asset_attributes, event_attributes: number % 400 === 1 ? { rare: 'yes' } : {} });
    };
    const records = [
      aTenantRecord(ALPHA),
      ...[1, 2, 3].map((asset) => aCreation({ identity: eventOf(asset, 0) })),
      ...Array.from({ length: 4_400 }, (_, at) => event(at + 1)),
    ];
    const logs = records.map((record, at) => toRecordLog({ record }, at + 1));
    const undivided = build(logs, []).rows();
    for (const lengths of [Array<number>(44).fill(100), [4_095, 3, 1, 1, 1], Array<number>(630).fill(7)]) {
      expect(build(logs, lengths).rows()).to.deep.equal(undivided);
      expect(build(logs, lengths, createNewestLists(5)).rows()).to.deep.equal(undivided);
    }
  });

  it('is the same across the borders of policy pages', () => {
    const logs = aLongTypedAsset(1_200).map((record, at) => toRecordLog({ record }, at + 1));
    const oneByOne = build(
      logs,
      logs.map(() => 1),
    ).rows();
    const cuts = fc.array(fc.integer({ min: 1, max: 200 }), { maxLength: 40, size: 'max' });
    const check = fc.property(cuts, (lengths) => {
      expect(build(logs, lengths).rows()).to.deep.equal(oneByOne);
    });
    fc.assert(check, { ...runs(10), examples: [[[]], [Array<number>(30).fill(64)]] });
  });

  it('has no row but those of evidence of what means nothing to it', () => {
    const logs = [aTenantRecord(ALPHA), aCreation()].map((record, at) => toRecordLog({ record }, at + 1));
    const foreign = toRecordLog({ record: anEvent(), changed: { payload: Uint8Array.of(1, 2, 3) } }, 3);
    const [before, after] = [new Map(build(logs, []).rows()), build([...logs, foreign], [1]).rows()];
    const isNew = ([key, row]: [string, string]): boolean => before.get(key) !== row;
    const tenantKey = fromHex(foreign.tenantKey);
    const written = [
      treeKey(tenantKey),
      leafKey(tenantKey, 2),
      streamLeafKey(tenantKey, fromHex(foreign.streamKey), 1),
      opaqueRecordKey(tenantKey, fromHex(foreign.recordKey)),
      recordBytesKey(tenantKey),
    ];
    expect(after.filter(isNew).map(([key]) => key)).to.deep.equal(written.map((key) => key.toString('hex')));
  });
});
