// Which contributions become events of the owner's asset, by the place of all that decides it in the chain.
import { expect } from 'chai';
import fc from 'fast-check';
import type { RecordLog } from '../../../chain/port.ts';
import * as keys from '../../../indexer/keys.ts';
import { readEventNumber, readIndexedEvent } from '../../../indexer/reads/recordReads.ts';
import type { AssetRow } from '../../../indexer/rows/rows.ts';
import { contributedKey } from '../../../indexer/sharingKeys.ts';
import { fromHex } from '../../../ledger/encoding/hex.ts';
import { toKey, toVersionIdentity } from '../../../ledger/identity.ts';
import type { AccessPermission, AccessPolicyRecord } from '../../../ledger/records/accessPolicy.ts';
import type { EventRecord } from '../../../ledger/records/event.ts';
import { words } from '../../support/histories.ts';
import { createIndexModel, type IndexModel } from '../../support/indexModel.ts';
import { toNaiveLog } from '../../support/ledgers.ts';
import { runs } from '../../support/propertyRuns.ts';
import { toRecordLog, type WrittenRecord } from '../../support/recordLogs.ts';
import {
  ALPHA,
  aBlobRecord,
  aBuiltin,
  aContribution,
  aCreation,
  accessPolicyOf,
  anAccessPolicyRecord,
  anAttach,
  anEvent,
  aPermission,
  aSubjectRecord,
  assetOf,
  aTenantRecord,
  BETA,
  blobOf,
  eventOf,
  hashOf,
  SETTINGS,
  subjectOf,
  uuidOf,
} from '../../support/records.ts';
import { GAMMA, sharedHistoriesOf, walletKeyOf, walletOf } from '../../support/sharedHistories.ts';

const [OWN, WRITER, OTHER] = [10, 11, 12];

const by = (tenantIdentity: string, wallet: number, record: WrittenRecord['record']): WrittenRecord => ({
  tenantIdentity,
  record,
  changed: { author: walletOf(wallet) },
});

const ALL: Partial<AccessPermission> = {
  subjects: [subjectOf(1)],
  behaviours: ['*'],
  asset_attributes_write: ['*'],
  event_arc_display_type_write: ['*'],
};

const policyOf = (permission: Partial<AccessPermission>, fields: Partial<AccessPolicyRecord> = {}): WrittenRecord => {
  const access_permissions = [aPermission({ ...ALL, ...permission })];
  return by(ALPHA, OWN, anAccessPolicyRecord(1, { access_permissions, ...fields }));
};
const subject = (wallets: readonly number[] = [WRITER]): WrittenRecord =>
  by(ALPHA, OWN, aSubjectRecord(1, { wallet_pub_key: wallets.map(walletKeyOf) }));
const creation = by(ALPHA, OWN, aCreation({ asset_attributes: { colour: 'red' } }));
const tenants = [
  by(ALPHA, OWN, aTenantRecord(ALPHA)),
  by(BETA, WRITER, aTenantRecord(BETA)),
  by(GAMMA, OTHER, aTenantRecord(GAMMA)),
];
const contribution = (fields: Partial<EventRecord> = {}, wallet = WRITER): WrittenRecord =>
  by(BETA, wallet, aContribution(ALPHA, { asset_attributes: { weight: '2' }, ...fields }));

const versionOf = (version: number): string => toVersionIdentity(accessPolicyOf(1), uuidOf(version));

const toLogs = (written: readonly WrittenRecord[]): RecordLog[] => written.map((each, at) => toRecordLog(each, at + 1));

const indexOf = (...written: readonly WrittenRecord[]): IndexModel => {
  const index = createIndexModel();
  for (const log of toLogs(written)) index.take(log);
  return index;
};

const source = (index: IndexModel) => ({ read: index.read });
const assetIn = (index: IndexModel): AssetRow | undefined =>
  index.read(keys.assetKey(toKey(ALPHA), toKey(assetOf(1)))) as AssetRow | undefined;
const eventIn = (index: IndexModel, event = 4) =>
  readIndexedEvent(source(index), { tenantIdentity: ALPHA, identity: eventOf(1, event) });
/** The number of events of the asset, those of the owner alone if it is 1. */
const countIn = (...written: readonly WrittenRecord[]): number | undefined => assetIn(indexOf(...written))?.eventCount;

const shared = [...tenants, creation, subject(), policyOf({})];

describe('a contribution', () => {
  it('becomes an event of the owner, accepted when its block was written, and shows its writer', () => {
    const index = indexOf(...shared, contribution());
    const time = new Date((1_795_176_000 + shared.length + 1) * 1_000).toISOString();
    expect(eventIn(index)).to.deep.include({
      identity: eventOf(1, 4),
      asset_identity: assetOf(1),
      tenant_identity: BETA,
      timestamp_accepted: time,
      contribution: { owner: ALPHA, timestamp_accepted: anEvent().timestamp_accepted },
    });
    expect(assetIn(index)).to.deep.include({
      eventCount: 2,
      latestAcceptedMs: Date.parse(time),
      contributors: [BETA],
    });
    expect(assetIn(index)!.state.attributes).to.deep.equal({ colour: 'red', weight: '2' });
    expect(readEventNumber(source(index), { tenantIdentity: ALPHA, identity: eventOf(1, 4) })).to.equal(1);
    const { record } = contribution();
    expect(index.read(contributedKey(toKey(BETA), toKey(eventOf(1, 4))))).to.equal(record.identity);
    const own = readIndexedEvent(source(index), { tenantIdentity: BETA, identity: record.identity });
    expect(own).to.deep.equal(eventIn(index));
  });

  it('changes nothing where no policy grants it, and is marked as one that has no effect', () => {
    const { record } = contribution();
    for (const written of [[...tenants, creation], tenants.slice(1), [...tenants, creation, subject()]]) {
      const index = indexOf(...written, contribution());
      expect(assetIn(index)?.eventCount).to.equal(written.includes(creation) ? 1 : undefined);
      expect(assetIn(index)?.contributors).to.equal(undefined);
      expect(eventIn(index)).to.equal(undefined);
      expect(index.read(keys.conflictKey(toKey(BETA), toKey(record.identity)))).to.equal(1);
      expect(readIndexedEvent(source(index), { tenantIdentity: BETA, identity: record.identity })).to.not.equal(
        undefined,
      );
    }
    expect(indexOf(...shared, contribution()).read(keys.conflictKey(toKey(BETA), toKey(record.identity)))).to.equal(
      undefined,
    );
  });

  it('counts by the policies and subjects at its place in the chain, not by later ones', () => {
    const closed = policyOf({}, { identity: versionOf(2), follows: versionOf(1), is_deleted: true });
    expect(countIn(...tenants, creation, contribution(), subject(), policyOf({}))).to.equal(1);
    expect(countIn(...shared, contribution(), closed)).to.equal(2);
    expect(countIn(...shared, closed, contribution())).to.equal(1);
    const reopened = policyOf({}, { identity: versionOf(3), follows: versionOf(2) });
    expect(countIn(...shared, closed, reopened, contribution())).to.equal(2);
    const ignored = policyOf({}, { identity: versionOf(4), follows: versionOf(3), is_deleted: true });
    expect(countIn(...shared, ignored, contribution())).to.equal(2);
  });

  it('needs a subject whose wallets are authors for its tenant alone', () => {
    const stray = (tenant: string, wallet: number) => by(tenant, wallet, aContribution(GAMMA));
    const withSubject = (...wallets: number[]) => [...tenants, creation, subject(wallets), policyOf({})];
    expect(countIn(...withSubject(WRITER, 1), contribution())).to.equal(2);
    expect(countIn(...withSubject(1), contribution())).to.equal(1);
    expect(countIn(...withSubject(1), contribution({}, 1))).to.equal(2);
    expect(countIn(...withSubject(WRITER, OTHER), contribution())).to.equal(1);
    expect(countIn(...withSubject(WRITER, 1), stray(GAMMA, 1), contribution())).to.equal(1);
    expect(countIn(...withSubject(WRITER), stray(GAMMA, WRITER), contribution())).to.equal(1);
    expect(countIn(...withSubject(WRITER), stray(GAMMA, 1), contribution({}, 1))).to.equal(2);
    expect(countIn(...withSubject(), contribution())).to.equal(1);
    expect(countIn(...withSubject(OTHER), contribution())).to.equal(1);
    const ofBeta = by(BETA, WRITER, aSubjectRecord(1, { wallet_pub_key: [walletKeyOf(WRITER)] }));
    expect(countIn(...tenants, creation, ofBeta, policyOf({}), contribution())).to.equal(1);
  });

  it('needs one permission that names behaviour, type and attributes, of a policy whose filters match', () => {
    const count = (permission: Partial<AccessPermission>, fields?: Partial<AccessPolicyRecord>, event = {}) =>
      countIn(...tenants, creation, subject(), policyOf(permission, fields), contribution(event));
    expect(count({ behaviours: ['RecordEvidence'], asset_attributes_write: ['weight'] })).to.equal(2);
    expect(count({ behaviours: ['Firmware'] })).to.equal(1);
    expect(count({ asset_attributes_write: ['colour'] })).to.equal(1);
    expect(count({ event_arc_display_type_write: ['Weighing'] })).to.equal(1);
    const typed = { event_attributes: { arc_display_type: 'Weighing' } };
    expect(count({ event_arc_display_type_write: ['Weighing'] }, {}, typed)).to.equal(2);
    expect(count({ subjects: [] })).to.equal(1);
    expect(count({ user_attributes: [{ or: ['email=bill'] }] })).to.equal(2);
    expect(count({}, { filters: [{ or: ['attributes.colour=red'] }] })).to.equal(2);
    expect(count({}, { filters: [{ or: ['attributes.weight=2'] }] })).to.equal(1);
    const parts = [
      aPermission({ ...ALL, asset_attributes_write: [] }),
      aPermission({ ...ALL, event_arc_display_type_write: ['Oiling'] }),
    ];
    expect(count({}, { access_permissions: parts })).to.equal(1);
  });

  it('is what the asset would accept of its owner: by its behaviours, and never a creation', () => {
    const add = (name: string, event: number) => aBuiltin('Add', name, { identity: eventOf(1, event) });
    const attach = contribution({ ...anAttach([1]), identity: eventOf(1, 4) });
    const listed = by(ALPHA, OWN, add('Attachments', 7));
    expect(countIn(...shared, attach)).to.equal(1);
    expect(countIn(...shared, listed, attach)).to.equal(3);
    const index = indexOf(...shared, by(BETA, WRITER, aContribution(ALPHA, add('Firmware', 5))));
    expect(assetIn(index)!.state.behaviours).to.include('Firmware');
    expect(countIn(...shared, by(BETA, WRITER, aContribution(ALPHA, add('Baking', 5))))).to.equal(1);
    expect(countIn(...shared, contribution({ operation: 'Play' }))).to.equal(1);
    expect(countIn(...shared, contribution({ asset_attributes: { weight: 'x'.repeat(60_000) } }))).to.equal(2);
    const heavy = Array.from({ length: 6 }, (_, at) =>
      contribution({ identity: eventOf(1, 20 + at), asset_attributes: { [`${at}`]: 'x'.repeat(60_000) } }),
    );
    expect(countIn(...shared, ...heavy)).to.equal(5);
  });

  it('never attaches a blob of the owner, also in an attribute', () => {
    const blob = by(ALPHA, OWN, aBlobRecord(1));
    const listed = by(ALPHA, OWN, aBuiltin('Add', 'Attachments', { identity: eventOf(1, 7) }));
    const photo = { arc_attribute_type: 'arc_attachment', arc_blob_identity: blobOf(1) };
    for (const attaching of [
      contribution({ ...anAttach([1]), identity: eventOf(1, 4) }),
      contribution({ asset_attributes: { photo } }),
      contribution({ event_attributes: { photo } }),
    ]) {
      expect(countIn(...shared, listed, attaching)).to.equal(3);
      expect(countIn(...shared, listed, blob, attaching)).to.equal(2);
      expect(countIn(...shared, listed, by(BETA, WRITER, aBlobRecord(1)), attaching)).to.equal(3);
    }
  });

  it('makes a blob of the writer public that it attaches to a public asset', async () => {
    const settings = { ...SETTINGS, behaviours: ['Attachments'], public: true };
    const open = by(ALPHA, OWN, aCreation({ asset_settings: settings }));
    const blob = by(BETA, WRITER, aBlobRecord(1));
    const attach = contribution({ ...anAttach([1]), identity: eventOf(1, 4) });
    const index = indexOf(...tenants, open, subject(), policyOf({}), blob, attach);
    const key = keys.publicBlobKey(fromHex(`0x${hashOf(1)}`), toKey(BETA), toKey(blobOf(1)));
    expect(index.read(key)).to.deep.equal({ tenant: BETA, blob: blobOf(1), owner: ALPHA });
  });

  it('never takes the place of an event, nor does an event of the owner suffer from one', () => {
    const own = by(ALPHA, OWN, anEvent({ identity: eventOf(1, 4) }));
    expect(countIn(...shared, own, contribution())).to.equal(2);
    const index = indexOf(...shared, contribution(), own);
    expect(assetIn(index)!.eventCount).to.equal(3);
    expect(eventIn(index)).to.deep.include({ tenant_identity: ALPHA });
    expect(eventIn(index)).to.not.have.property('contribution');
    const elsewhere = by(GAMMA, OTHER, aContribution(ALPHA, { identity: eventOf(1, 4) }));
    const both = by(ALPHA, OWN, aSubjectRecord(2, { wallet_pub_key: [walletKeyOf(OTHER)] }));
    const open = by(
      ALPHA,
      OWN,
      anAccessPolicyRecord(2, { access_permissions: [aPermission({ ...ALL, subjects: [subjectOf(2)] })] }),
    );
    expect(countIn(...shared, both, open, contribution(), elsewhere)).to.equal(2);
    expect(countIn(...shared, both, open, elsewhere)).to.equal(2);
  });

  it('of a tenant on its own asset, or without a tenant, never counts', () => {
    const self = by(ALPHA, OWN, aSubjectRecord(1, { wallet_pub_key: [walletKeyOf(OWN)] }));
    expect(countIn(...tenants, creation, self, policyOf({}), by(ALPHA, OWN, aContribution(ALPHA)))).to.equal(1);
    const withoutBeta = [tenants[0]!, creation, subject(), policyOf({})];
    expect(countIn(...withoutBeta, contribution())).to.equal(1);
  });

  it('has the same effect for any division of the logs into batches', () => {
    const cuts = fc.array(fc.nat(8), { maxLength: 20, size: 'max' });
    const check = fc.property(words.chain(sharedHistoriesOf), cuts, (history, lengths) => {
      const logs = history.map((written, at) => toNaiveLog(written, at).log);
      const [single, cut, whole] = [createIndexModel(), createIndexModel(), createIndexModel()];
      for (const log of logs) single.take(log);
      const rest = [...logs];
      for (const length of lengths) cut.take(...rest.splice(0, length));
      cut.take(...rest);
      whole.take(...logs);
      expect(cut.rows()).to.deep.equal(single.rows());
      expect(whole.rows()).to.deep.equal(single.rows());
    });
    fc.assert(check, runs(80));
    const taken = [...shared, by(ALPHA, OWN, anEvent({ identity: eventOf(1, 4) })), contribution()];
    const index = createIndexModel();
    index.take(...toLogs(taken));
    expect(index.rows()).to.deep.equal(indexOf(...taken).rows());
  });
});
