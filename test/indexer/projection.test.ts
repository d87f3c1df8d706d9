import { expect } from 'chai';
import * as keys from '../../indexer/keys.ts';
import { decodeLog } from '../../indexer/projection.ts';
import type { AssetRow, RecordRow } from '../../indexer/rows.ts';
import { toHex } from '../../ledger/hex.ts';
import { toApplicationIdentity, toKey, toVersionIdentity } from '../../ledger/identity.ts';
import { keccak256 } from '../../ledger/keccak.ts';
import { createIndexModel, type IndexModel } from '../support/indexModel.ts';
import { AUTHOR_CHECKSUMMED, toRecordLog, toWord, type Written } from '../support/recordLogs.ts';
import {
  ALPHA,
  aBuiltin,
  aCreation,
  anApplicationRecord,
  anEvent,
  assetOf,
  aTenantRecord,
  BETA,
  eventOf,
  SETTINGS,
  uuidOf,
} from '../support/records.ts';

const [alpha, asset] = [toKey(ALPHA), toKey(assetOf(1))];
const TENANT: Written = { record: aTenantRecord(ALPHA) };
const CREATION: Written = { record: aCreation({ asset_attributes: { colour: 'red' } }) };

// Takes each record in a block of its own, from block 1 on.
const indexOf = (...written: Written[]): IndexModel => {
  const index = createIndexModel();
  for (const [at, each] of written.entries()) index.take(toRecordLog(each, at + 1));
  return index;
};
const readAsset = (index: IndexModel, tenant = alpha): AssetRow | undefined =>
  index.read(keys.assetKey(tenant, asset)) as AssetRow | undefined;
const countsOf = (index: IndexModel): unknown[] =>
  [keys.eventsOfTenant(alpha), keys.eventsOfAsset(alpha, asset), keys.trackedAssets(alpha)].map((list) =>
    index.read(keys.listCountKey(list)),
  );
// Keys of the writes that the last record makes, besides its own row.
const meaningOf = (...written: Written[]): string[] => {
  const last = written.at(-1)!;
  const index = indexOf(...written.slice(0, -1));
  const log = toRecordLog(last, 100);
  const own = keys.recordKey(toKey(last.tenantIdentity ?? ALPHA), toKey(last.record.identity));
  const writes = index.take(log).map(({ key }) => key.toString('hex'));
  expect(writes[0]).to.equal(own.toString('hex'));
  return writes.slice(1);
};

describe('projection', () => {
  it('keeps each record with its place in the chain', () => {
    const log = toRecordLog(TENANT, 7, 3);
    const index = createIndexModel();
    index.take({ ...log, transactionIndex: 2, blockTimestampSeconds: 1_795_176_000, transactionHash: toWord(99) });
    const row = index.read(keys.recordKey(alpha, toKey(TENANT.record.identity))) as RecordRow;
    expect(row).to.deep.equal({
      record: TENANT.record,
      commitment: {
        confirmation_status: 'CONFIRMED',
        timestamp_committed: '2026-11-20T12:00:00Z',
        block_number: 7,
        transaction_index: 2,
        log_index: 3,
        transaction_id: toWord(99),
        from: AUTHOR_CHECKSUMMED,
      },
    });
  });

  it('makes an asset of a creation, in three lists', () => {
    const index = indexOf(TENANT, CREATION);
    expect(readAsset(index)).to.deep.equal({
      identity: assetOf(1),
      tenant_identity: ALPHA,
      owner: AUTHOR_CHECKSUMMED,
      confirmation_status: 'CONFIRMED',
      state: { ...SETTINGS, attributes: { colour: 'red' }, tracked: 'TRACKED' },
      creationKey: toHex(toKey(CREATION.record.identity)),
      creationPosition: toHex(keys.toPosition(2, 0)),
    });
    expect(countsOf(index)).to.deep.equal([1, 1, 1]);
    const position = keys.toPosition(2, 0);
    const recordKey = toHex(toKey(CREATION.record.identity));
    expect(index.read(keys.listEntryKey(keys.eventsOfTenant(alpha), position))).to.equal(recordKey);
    expect(index.read(keys.listEntryKey(keys.eventsOfAsset(alpha, asset), position))).to.equal(recordKey);
    expect(index.read(keys.listEntryKey(keys.trackedAssets(alpha), position))).to.equal(toHex(asset));
  });

  it('folds events into the asset and puts them into two lists', () => {
    const index = indexOf(TENANT, CREATION, { record: anEvent({ asset_attributes: { weight: '2' } }) });
    expect(readAsset(index)!.state.attributes).to.deep.equal({ colour: 'red', weight: '2' });
    expect(readAsset(index)!.creationPosition).to.equal(toHex(keys.toPosition(2, 0)));
    expect(countsOf(index)).to.deep.equal([2, 2, 1]);
  });

  it('takes an asset off the tracked list and puts it back where it was', () => {
    const entry = keys.listEntryKey(keys.trackedAssets(alpha), keys.toPosition(2, 0));
    const steps = ['StopTracking', 'StopTracking', 'StartTracking', 'StartTracking', 'StopTracking'];
    const counts = steps.map((_, at) => {
      const events = steps.slice(0, at + 1).map((step, number) => ({
        record: aBuiltin(step, undefined, { identity: eventOf(1, number + 5) }),
      }));
      const index = indexOf(TENANT, CREATION, ...events);
      const count = countsOf(index)[2];
      expect(index.read(entry)).to.equal(count === 1 ? toHex(asset) : undefined);
      return count;
    });
    expect(counts).to.deep.equal([0, 0, 1, 1, 0]);
  });

  const nothing: readonly [string, Written][] = [
    ['a payload that is not JSON', { ...TENANT, changed: { payload: Uint8Array.of(1, 0xff) } }],
    ['an empty payload', { ...TENANT, changed: { payload: new Uint8Array() } }],
    ['a payload of another format', { ...TENANT, changed: { payload: Uint8Array.of(2, 0x7b, 0x7d) } }],
    ['the stream of another record', { ...CREATION, changed: { streamKey: toHex(toKey(assetOf(2))) } }],
    ['the id of another record', { ...CREATION, changed: { recordKey: toHex(toKey(eventOf(1, 9))) } }],
    ['a stream key that is the record key', { ...CREATION, changed: { streamKey: toHex(toKey(eventOf(1, 0))) } }],
  ];
  for (const [name, written] of nothing) {
    it(`makes nothing of ${name}`, () => {
      const log = toRecordLog(written, 1);
      expect(decodeLog(log)).to.equal(undefined);
      expect(createIndexModel().take(log)).to.deep.equal([]);
    });
  }

  const ownRowOnly: readonly [string, Written[]][] = [
    ['an event before its asset', [TENANT, { record: anEvent() }]],
    ['a second creation', [TENANT, CREATION, { record: aCreation({ identity: eventOf(1, 9) }) }]],
    ['a creation of a tenant that is unknown', [CREATION]],
    ['an application of a tenant that is unknown', [{ record: anApplicationRecord(1) }]],
    [
      'an event on an asset of another tenant',
      [
        TENANT,
        { tenantIdentity: BETA, record: aTenantRecord(BETA) },
        CREATION,
        { tenantIdentity: BETA, record: anEvent() },
      ],
    ],
    ['a tenant record that another tenant wrote', [{ tenantIdentity: BETA, record: aTenantRecord(ALPHA) }]],
  ];
  for (const [name, written] of ownRowOnly) {
    it(`keeps ${name}, and makes no more of it`, () => expect(meaningOf(...written)).to.deep.equal([]));
  }

  it('leaves out for ever an event that came before its asset', () => {
    const index = indexOf(TENANT, { record: anEvent({ asset_attributes: { early: 'yes' } }) }, CREATION);
    expect(readAsset(index)!.state.attributes).to.deep.equal({ colour: 'red' });
    expect(countsOf(index)).to.deep.equal([1, 1, 1]);
  });

  it('keeps the first of two creations', () => {
    const second = aCreation({ identity: eventOf(1, 9), asset_attributes: { colour: 'blue' } });
    const index = indexOf(TENANT, CREATION, { record: second });
    expect(readAsset(index)!.state.attributes).to.deep.equal({ colour: 'red' });
    expect(countsOf(index)).to.deep.equal([1, 1, 1]);
  });

  it('keeps assets of the same UUID of two tenants apart', () => {
    const beta = { tenantIdentity: BETA };
    const index = indexOf(
      TENANT,
      { ...beta, record: aTenantRecord(BETA) },
      CREATION,
      { ...beta, record: aCreation({ asset_attributes: { colour: 'blue' } }) },
      { ...beta, record: aBuiltin('StopTracking') },
    );
    expect(readAsset(index)!.state).to.deep.include({ tracked: 'TRACKED', attributes: { colour: 'red' } });
    expect(readAsset(index, toKey(BETA))!.state).to.deep.include({
      tracked: 'NOT_TRACKED',
      attributes: { colour: 'blue' },
    });
    expect(countsOf(index)).to.deep.equal([1, 1, 1]);
  });

  describe('of tenancy', () => {
    const nameKey = (name: string) => keys.tenantNameKey(keccak256(Buffer.from(name)));
    const named = (tenant: string, display_name: string, version = 1): Written => ({
      tenantIdentity: tenant,
      record: aTenantRecord(tenant, { display_name, identity: toVersionIdentity(tenant, uuidOf(version)) }),
    });
    const application = (tenant: string, version: number, display_name: string): Written => ({
      tenantIdentity: tenant,
      record: anApplicationRecord(1, {
        display_name,
        identity: toVersionIdentity(toApplicationIdentity(uuidOf(1)), uuidOf(version)),
      }),
    });
    const readApplication = (index: IndexModel): unknown =>
      index.read(keys.applicationKey(toKey(toApplicationIdentity(uuidOf(1)))));

    it('holds the newest version of a tenant', () => {
      const index = indexOf(named(ALPHA, 'first'), named(ALPHA, 'second', 2));
      expect(index.read(keys.tenantRowKey(alpha))).to.deep.equal({
        identity: ALPHA,
        tenant: named(ALPHA, 'second', 2).record,
      });
      expect(index.read(nameKey('second'))).to.equal(ALPHA);
    });

    it('leaves a name with the tenant that had it first', () => {
      const index = indexOf(named(ALPHA, 'mint'), named(BETA, 'mint'), named(BETA, 'mint', 2));
      expect(index.read(nameKey('mint'))).to.equal(ALPHA);
    });

    it('leaves a name with the tenant that had it first, also after that took another', () => {
      const index = indexOf(named(ALPHA, 'mint'), named(ALPHA, 'sage', 2), named(BETA, 'mint'));
      expect([index.read(nameKey('mint')), index.read(nameKey('sage'))]).to.deep.equal([ALPHA, ALPHA]);
    });

    it('holds the newest version of an application', () => {
      const index = indexOf(TENANT, application(ALPHA, 1, 'old'), application(ALPHA, 2, 'new'));
      expect(readApplication(index)).to.deep.equal({
        tenantIdentity: ALPHA,
        application: application(ALPHA, 2, 'new').record,
      });
    });

    it('leaves an application with the tenant that had it first', () => {
      const index = indexOf(
        TENANT,
        named(BETA, 'thief'),
        application(ALPHA, 1, 'mine'),
        application(BETA, 2, 'mine too'),
      );
      expect(readApplication(index)).to.deep.equal({
        tenantIdentity: ALPHA,
        application: application(ALPHA, 1, 'mine').record,
      });
    });
  });
});
