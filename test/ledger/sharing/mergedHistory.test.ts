// The merged history of an asset, from records in any number and order: the one that the index and a plain model have.
import { expect } from 'chai';
import fc from 'fast-check';
import { assetKey } from '../../../indexer/keys.ts';
import type { AssetRow } from '../../../indexer/rows/rows.ts';
import { foldEvent } from '../../../ledger/assets/asset.ts';
import { toKey, toStreamIdentityOf } from '../../../ledger/identity.ts';
import { decodeKeyedPayload } from '../../../ledger/records/record.ts';
import { mergeHistory, type PlacedRecord } from '../../../ledger/sharing/mergedHistory.ts';
import { ASSETS, words } from '../../support/histories.ts';
import { createIndexModel } from '../../support/indexModel.ts';
import { toNaiveLog } from '../../support/ledgers.ts';
import { findContributions, type NaiveLog } from '../../support/naiveContributions.ts';
import { runs } from '../../support/propertyRuns.ts';
import { assetOf } from '../../support/records.ts';
import { SHARING_TENANTS, sharedHistoriesOf } from '../../support/sharedHistories.ts';

const RUNS = runs(50);

interface Placed extends PlacedRecord {
  readonly at: number;
}

const isOwn = ({ tenantIdentity, log }: NaiveLog): boolean => {
  const record = decodeKeyedPayload(log.payload, log);
  return record?.type === 'tenant' && toStreamIdentityOf(record) === tenantIdentity && (record.follows ?? '') === '';
};

const toPlaced = (each: NaiveLog, at: number, logs: readonly NaiveLog[]): Placed => {
  const { tenantIdentity, log } = each;
  const begin = logs.findIndex((other) => other.tenantIdentity === tenantIdentity && isOwn(other));
  return {
    at,
    tenantIdentity,
    author: log.author,
    blockTimeSeconds: log.blockTimestampSeconds,
    record: decodeKeyedPayload(log.payload, log),
    isEarly: begin < 0 || at < begin,
  };
};

// The first records, which are those of the tenants themselves, come later.
const late = words.chain((of) => {
  const place = fc.oneof(fc.constant(0), fc.nat(10));
  return fc.tuple(sharedHistoriesOf(of), fc.tuple(...SHARING_TENANTS.map(() => place))).map(([history, places]) => {
    const others = history.slice(places.length);
    return places.reduce((moved, at, number) => moved.toSpliced(at, 0, history[number]!), others);
  });
});

describe('a merged history', () => {
  let counted = 0;

  const expectSame = (logs: readonly NaiveLog[]): void => {
    const index = createIndexModel();
    index.take(...logs.map(({ log }) => log));
    const contributions = findContributions(logs);
    counted += contributions.size;
    for (const tenantIdentity of SHARING_TENANTS) {
      for (const number of ASSETS) {
        const assetIdentity = assetOf(number);
        const merged = mergeHistory({ tenantIdentity, assetIdentity }, logs.map(toPlaced));
        const row = index.read(assetKey(toKey(tenantIdentity), toKey(assetIdentity))) as AssetRow | undefined;
        const expected = [...contributions].filter(
          ([, { owner, record }]) => owner === tenantIdentity && toStreamIdentityOf(record) === assetIdentity,
        );
        const found = merged.filter(({ granted }) => granted !== undefined);
        expect(found.map(({ placed, event }) => [placed.at, event])).to.deep.equal(
          expected.map(([at, { record }]) => [at, record]),
        );
        expect(merged.length).to.equal(row?.eventCount ?? 0);
        const state = merged.map(({ event }) => event).reduce<ReturnType<typeof foldEvent>>(foldEvent, undefined);
        expect(state).to.deep.equal(row?.state);
        expect([...new Set(found.map(({ placed }) => placed.tenantIdentity))]).to.deep.equal(row?.contributors ?? []);
      }
    }
  };

  it('is that of the index, whatever tenants record', () => {
    fc.assert(
      fc.property(words.chain(sharedHistoriesOf), (history) => expectSame(history.map(toNaiveLog))),
      RUNS,
    );
    expect(counted).to.be.greaterThan(RUNS.numRuns / 2);
  });

  it('is that of the index also where tenants begin with other records than their own', () => {
    counted = 0;
    fc.assert(
      fc.property(late, (history) => expectSame(history.map(toNaiveLog))),
      RUNS,
    );
    expect(counted).to.be.greaterThan(0);
  });

  it('names a policy and a subject that grant each contribution, which suffice without all others', () => {
    const check = fc.property(words.chain(sharedHistoriesOf), (history) => {
      const placed = history.map(toNaiveLog).map(toPlaced);
      for (const tenantIdentity of SHARING_TENANTS) {
        const named = { tenantIdentity, assetIdentity: assetOf(1) };
        const merged = mergeHistory(named, placed);
        const used = new Set(merged.flatMap(({ granted }) => (granted ? [granted.policy, granted.subject] : [])));
        const isUsed = ({ record, ...each }: Placed): boolean =>
          each.tenantIdentity !== tenantIdentity ||
          !['access_policy', 'subject'].includes(record?.type ?? '') ||
          used.has(toStreamIdentityOf(record!));
        const fewer = mergeHistory(
          named,
          placed.map((each) => (isUsed(each) ? each : { ...each, record: undefined })),
        );
        expect(fewer.map(({ event }) => event)).to.deep.equal(merged.map(({ event }) => event));
      }
    });
    fc.assert(check, RUNS);
  });
});
