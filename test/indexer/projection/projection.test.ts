import { expect } from 'chai';
import * as keys from '../../../indexer/keys.ts';
import { decodeLog } from '../../../indexer/projection/decodedRecord.ts';
import { toTextHash } from '../../../indexer/projection/packedEvent.ts';
import { attributeTerm, fieldTerm, presenceTerm } from '../../../indexer/projection/terms/termNames.ts';
import { assetTerm, PRESENT } from '../../../indexer/projection/terms.ts';
import { lowsOf } from '../../../indexer/rows/bits.ts';
import { decodePosting } from '../../../indexer/rows/postings.ts';
import { decodeRecordRow } from '../../../indexer/rows/recordRow.ts';
import { type AssetRow, decodeMember } from '../../../indexer/rows/rows.ts';
import { toHex } from '../../../ledger/encoding/hex.ts';
import { toKey, toVersionIdentity } from '../../../ledger/identity.ts';
import { createIndexModel, type IndexModel } from '../../support/indexModel.ts';
import { AUTHOR_CHECKSUMMED, toRecordLog, toWord, type WrittenRecord } from '../../support/recordLogs.ts';
import {
  ALPHA,
  aBlobRecord,
  aBuiltin,
  aCreation,
  aLocationRecord,
  anApplicationRecord,
  anAttach,
  anEvent,
  aPolicyRecord,
  assetOf,
  aTenantRecord,
  BETA,
  blobOf,
  eventOf,
  hashOf,
  locationOf,
  policyOf,
  SETTINGS,
  uuidOf,
} from '../../support/records.ts';

const [alpha, asset] = [toKey(ALPHA), toKey(assetOf(1))];
const TENANT: WrittenRecord = { record: aTenantRecord(ALPHA) };
const CREATION: WrittenRecord = { record: aCreation({ asset_attributes: { colour: 'red' } }) };

// An index of these records, each in its own block, from block 1 on.
const indexOf = (...written: WrittenRecord[]): IndexModel => {
  const index = createIndexModel();
  for (const [at, each] of written.entries()) index.take(toRecordLog(each, at + 1));
  return index;
};
const readAsset = (index: IndexModel, tenant = alpha): AssetRow | undefined =>
  index.read(keys.assetKey(tenant, asset)) as AssetRow | undefined;
const membersOf = (index: IndexModel, term: string): number[] => {
  const row = index.read(keys.postingKey(alpha, term, 0));
  return row === undefined ? [] : lowsOf(decodePosting(row as Uint8Array));
};
// Numbers of the tenant's events, of those of its first asset, and of its tracked assets.
const listsOf = (index: IndexModel): number[][] => [
  Array.from({ length: (index.read(keys.counterKey(alpha, 'events')) as number | undefined) ?? 0 }, (_, at) => at),
  membersOf(index, assetTerm(0)),
  membersOf(index, fieldTerm('assets', 'tracked', 'TRACKED')),
];
// The keys of the writes of the last record, without its own row.
const meaningOf = (...written: WrittenRecord[]): string[] => {
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
    const row = index.read(keys.recordKey(alpha, toKey(TENANT.record.identity))) as Uint8Array;
    expect(decodeRecordRow(row)).to.deep.equal({
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
      ...{ attachmentsAfter: undefined, writer: undefined },
    });
  });

  it('creates an asset for a creation, and numbers both', () => {
    const index = indexOf(TENANT, CREATION);
    expect(readAsset(index)).to.deep.equal({
      identity: assetOf(1),
      tenant_identity: ALPHA,
      owner: AUTHOR_CHECKSUMMED,
      confirmation_status: 'CONFIRMED',
      state: { ...SETTINGS, attributes: { colour: 'red' }, tracked: 'TRACKED' },
      creationNumber: 0,
      number: 0,
      eventCount: 1,
      latestAcceptedMs: Date.parse('2026-11-20T12:00:00.000Z'),
    });
    expect(listsOf(index)).to.deep.equal([[0], [0], [0]]);
    const event = index.read(keys.memberKey(alpha, 'events', 0)) as Uint8Array;
    expect(decodeRecordRow(event).record).to.deep.equal(CREATION.record);
    expect(toHex(decodeMember(index.read(keys.memberKey(alpha, 'assets', 0))!))).to.equal(toHex(asset));
  });

  it('folds events into the asset and numbers them', () => {
    const index = indexOf(TENANT, CREATION, { record: anEvent({ asset_attributes: { weight: '2' } }) });
    expect(readAsset(index)!.state.attributes).to.deep.equal({ colour: 'red', weight: '2' });
    expect(readAsset(index)).to.include({ number: 0, eventCount: 2 });
    expect(listsOf(index)).to.deep.equal([[0, 1], [0, 1], [0]]);
  });

  it('removes an asset from a list when its value changes, and adds it again', () => {
    const isRed = ['blue', 'red', 'red', ''].map((_, at, all) => {
      const toEvent = (colour: string, number: number) =>
        anEvent({ identity: eventOf(1, number + 5), asset_attributes: { colour } });
      const events = all.slice(0, at + 1).map((colour, number) => ({ record: toEvent(colour, number) }));
      return membersOf(indexOf(TENANT, CREATION, ...events), attributeTerm('assets', 'attributes', 'colour', 'red'));
    });
    expect(isRed).to.deep.equal([[], [0], [0], []]);
  });

  it('adds an asset with an attachment to the list of assets that have attachments', () => {
    const term = presenceTerm('assets', 'attributes', 'arc_attachments');
    expect(membersOf(indexOf(TENANT, CREATION, { record: anAttach([1]) }), term)).to.deep.equal([0]);
  });

  it('removes an asset from the list of tracked assets and adds it again', () => {
    const steps = ['StopTracking', 'StopTracking', 'StartTracking', 'StartTracking', 'StopTracking'];
    const tracked = steps.map((_, at) => {
      const events = steps.slice(0, at + 1).map((step, number) => ({
        record: aBuiltin(step, undefined, { identity: eventOf(1, number + 5) }),
      }));
      return listsOf(indexOf(TENANT, CREATION, ...events))[2];
    });
    expect(tracked).to.deep.equal([[], [], [0], [0], []]);
  });

  it('leaves a public asset with the first tenant that published it', () => {
    const settings = { asset_settings: { ...SETTINGS, public: true } };
    const beta = { tenantIdentity: BETA };
    const index = indexOf(
      TENANT,
      { ...beta, record: aTenantRecord(BETA) },
      { ...beta, record: aCreation(settings) },
      { record: aCreation(settings) },
    );
    expect(index.read(keys.publicAssetKey(asset))).to.deep.equal({ tenant: BETA, number: 0 });
    expect(indexOf(TENANT, CREATION).read(keys.publicAssetKey(asset))).to.equal(undefined);
  });

  it('numbers a location once, and keeps its newest version under its newest name alone', () => {
    const version = (number: number, display_name: string): WrittenRecord => ({
      record: aLocationRecord(1, { identity: toVersionIdentity(locationOf(1), uuidOf(number)), display_name }),
    });
    const index = indexOf(TENANT, version(1, 'old'), version(2, 'new'));
    expect(index.read(keys.namedKey(alpha, 'locations', toKey(locationOf(1))))).to.deep.equal({
      number: 0,
      record: version(2, 'new').record,
    });
    expect(index.read(keys.counterKey(alpha, 'locations'))).to.equal(1);
    const named = ['old', 'new'].map((name) => index.read(keys.nameKey(alpha, 'locations', name, uuidOf(1))));
    expect(named).to.deep.equal([undefined, 0]);
    const terms = ['old', 'new'].map((name) => membersOf(index, fieldTerm('locations', 'display_name', name)));
    expect(terms).to.deep.equal([[], [0]]);
  });

  it('removes a deleted policy from its lists and its name, and restores one that is created again under its number', () => {
    const version = (number: number, is_deleted: boolean): WrittenRecord => ({
      record: aPolicyRecord(1, { identity: toVersionIdentity(policyOf(1), uuidOf(number)), is_deleted }),
    });
    const versions = [false, true, true, false].map((is_deleted, at) => version(at, is_deleted));
    const { display_name } = aPolicyRecord(1);
    const steps = versions.map((_, at) => {
      const index = indexOf(TENANT, { record: aPolicyRecord(2) }, ...versions.slice(0, at + 1));
      expect(index.read(keys.counterKey(alpha, 'policies'))).to.equal(2);
      expect(index.read(keys.namedKey(alpha, 'policies', toKey(policyOf(1))))).to.deep.equal({
        number: 1,
        record: versions[at]!.record,
      });
      return [
        index.read(keys.nameKey(alpha, 'policies', display_name, uuidOf(1))),
        membersOf(index, fieldTerm('policies', 'display_name', display_name)),
      ];
    });
    const [there, gone] = [
      [1, [0, 1]],
      [undefined, [0]],
    ];
    expect(steps).to.deep.equal([there, gone, gone, there]);
  });

  it('numbers a policy whose deletion comes first, and adds it to no list', () => {
    const index = indexOf(TENANT, { record: aPolicyRecord(1, { is_deleted: true }) });
    expect(index.read(keys.counterKey(alpha, 'policies'))).to.equal(1);
    expect(membersOf(index, PRESENT.policies)).to.deep.equal([]);
  });

  it('adds to the policy pages the events of an asset that have a display type', () => {
    const found = ['Oiling', '', { en: 'Oiling' }, undefined].map((arc_display_type) => {
      const event_attributes = arc_display_type === undefined ? {} : { arc_display_type };
      const index = indexOf(TENANT, CREATION, { record: anEvent({ event_attributes }) });
      return index.read(keys.policyHeadKey(alpha, toKey(assetOf(1)), toTextHash('Oiling'))) !== undefined;
    });
    expect(found).to.deep.equal([true, false, false, false]);
  });

  it('keeps the first fingerprint of a blob', () => {
    const second = aBlobRecord(1, { identity: toVersionIdentity(blobOf(1), uuidOf(2)), sha256: hashOf(2) });
    const index = indexOf(TENANT, { record: aBlobRecord(1) }, { record: second });
    expect(index.read(keys.blobKey(alpha, toKey(blobOf(1))))).to.deep.equal({ number: 0, record: aBlobRecord(1) });
    expect(index.read(keys.contentKey(alpha, Buffer.from(hashOf(2), 'hex')))).to.equal(undefined);
  });

  it('writes nothing twice under one key', () => {
    const writes = createIndexModel().take(
      ...[TENANT, CREATION, { record: anEvent() }].map((each, at) => toRecordLog(each, at + 1)),
    );
    expect(new Set(writes.map(({ key }) => key.toString('hex'))).size).to.equal(writes.length);
  });

  const nothing: readonly [string, WrittenRecord][] = [
    ['a payload that is not JSON', { ...TENANT, changed: { payload: Uint8Array.of(1, 0xff) } }],
    ['an empty payload', { ...TENANT, changed: { payload: new Uint8Array() } }],
    ['a payload of another format', { ...TENANT, changed: { payload: Uint8Array.of(2, 0x7b, 0x7d) } }],
    ['the stream of another record', { ...CREATION, changed: { streamKey: toHex(toKey(assetOf(2))) } }],
    ['the id of another record', { ...CREATION, changed: { recordKey: toHex(toKey(eventOf(1, 9))) } }],
    ['a stream key that is the record key', { ...CREATION, changed: { streamKey: toHex(toKey(eventOf(1, 0))) } }],
  ];
  for (const [name, written] of nothing) {
    it(`ignores ${name}`, () => {
      const log = toRecordLog(written, 1);
      expect(decodeLog(log)).to.equal(undefined);
      expect(createIndexModel().take(log)).to.deep.equal([]);
    });
  }

  const ownRowOnly: readonly [string, WrittenRecord[]][] = [
    ['an event before its asset', [TENANT, { record: anEvent() }]],
    ['a second creation', [TENANT, CREATION, { record: aCreation({ identity: eventOf(1, 9) }) }]],
    ['a creation of an unknown tenant', [CREATION]],
    ['a location of an unknown tenant', [{ record: aLocationRecord(1) }]],
    ['a blob of an unknown tenant', [{ record: aBlobRecord(1) }]],
    [
      'a second version of a blob',
      [
        TENANT,
        { record: aBlobRecord(1) },
        { record: aBlobRecord(1, { identity: toVersionIdentity(blobOf(1), uuidOf(2)) }) },
      ],
    ],
    ['an application of an unknown tenant', [{ record: anApplicationRecord(1) }]],
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
    it(`stores ${name}, without any other effect`, () => expect(meaningOf(...written)).to.deep.equal([]));
  }

  it('never applies an event that came before its asset', () => {
    const index = indexOf(TENANT, { record: anEvent({ asset_attributes: { early: 'yes' } }) }, CREATION);
    expect(readAsset(index)!.state.attributes).to.deep.equal({ colour: 'red' });
    expect(listsOf(index)).to.deep.equal([[0], [0], [0]]);
  });

  it('keeps the first of two creations', () => {
    const second = aCreation({ identity: eventOf(1, 9), asset_attributes: { colour: 'blue' } });
    const index = indexOf(TENANT, CREATION, { record: second });
    expect(readAsset(index)!.state.attributes).to.deep.equal({ colour: 'red' });
    expect(listsOf(index)).to.deep.equal([[0], [0], [0]]);
  });

  it('separates assets of two tenants with the same UUID', () => {
    const beta = { tenantIdentity: BETA };
    const index = indexOf(
      TENANT,
      { ...beta, record: aTenantRecord(BETA) },
      CREATION,
      { ...beta, record: aCreation({ asset_attributes: { colour: 'blue' } }) },
      { ...beta, record: aBuiltin('StopTracking') },
    );
    expect(readAsset(index)!.state).to.deep.include({ tracked: 'TRACKED', attributes: { colour: 'red' } });
    const other = { tracked: 'NOT_TRACKED', attributes: { colour: 'blue' } };
    expect(readAsset(index, toKey(BETA))!.state).to.deep.include(other);
    expect(listsOf(index)).to.deep.equal([[0], [0], [0]]);
  });
});
