// Shared lists of a ledger with several chunks of events, before and after events, assets and policies change: what is
// kept in memory of chunks must change no answer. And shared events as JSON.
import { expect } from 'chai';
import type { RecordLog } from '../../../../chain/port.ts';
import type { EventQuery, PageQuery } from '../../../../indexer/ledgerView.ts';
import { toVersionIdentity } from '../../../../ledger/identity.ts';
import type { AccessPermission, AccessPolicyRecord } from '../../../../ledger/records/accessPolicy.ts';
import { toWalletAddress } from '../../../../ledger/records/subject.ts';
import { useDirectories } from '../../../support/directories.ts';
import { toNaiveLog } from '../../../support/ledgers.ts';
import { createNaiveSharedView } from '../../../support/naiveSharing.ts';
import { createNaiveView } from '../../../support/naiveView.ts';
import type { WrittenRecord } from '../../../support/recordLogs.ts';
import {
  ALPHA,
  aBlobRecord,
  aCreation,
  accessPolicyOf,
  aLocationRecord,
  anAccessPolicyRecord,
  anAttach,
  anEvent,
  aPermission,
  aSubjectRecord,
  aTenantRecord,
  BETA,
  eventOf,
  subjectOf,
  uuidOf,
  WALLET_KEY,
} from '../../../support/records.ts';
import { type OpenIndex, openIndex } from '../../../support/viewFixture.ts';

const ASSETS = 40;
const EVENTS = 8_500;
const READER = { claims: {}, isOwnRestricted: false };
const FIRST: PageQuery = { limit: 7, position: undefined, isCounted: true };
const AWKWARD = {
  deep: { asset_settings: 'x}', '"principal_accepted":{': '\\"}' },
  ',"timestamp_accepted":': '{"\u0000\\',
  principal_accepted: ',"principal_accepted":{"display_name":"a"}',
  colour: 'Tür „A“ 😀',
};

const toAsset = (number: number): number => 1 + ((number * 31) % ASSETS);

const toEvent = (number: number): WrittenRecord => ({
  tenantIdentity: ALPHA,
  record: anEvent({
    identity: eventOf(toAsset(number), number),
    event_attributes: {
      arc_display_type: ['Oiling', 'Check', 'Repair'][number % 3]!,
      ...(number % 9 === 0 && AWKWARD),
    },
    asset_attributes:
      number % 5 === 0 ? {} : { colour: ['red', 'blue'][number % 2]!, ...(number % 11 === 0 && AWKWARD) },
    principal_accepted: { issuer: ',"principal_accepted":', subject: '"}', display_name: 'ä', email: '' },
  }),
});

const permit = (fields: Partial<AccessPermission>): AccessPermission =>
  aPermission({ subjects: [subjectOf(1)], ...fields });

const toPolicy = (number: number, fields: Partial<AccessPolicyRecord>): WrittenRecord => ({
  tenantIdentity: ALPHA,
  record: anAccessPolicyRecord(number, fields),
});

const POLICIES = [
  toPolicy(1, {
    filters: [{ or: ['attributes.kind=0'] }],
    access_permissions: [
      permit({ asset_attributes_read: ['kind'], event_arc_display_type_read: ['Oiling', 'Repair'] }),
    ],
  }),
  toPolicy(2, {
    filters: [{ or: ['attributes.colour=red', 'attributes.kind=2'] }],
    access_permissions: [permit({ asset_attributes_read: ['colour'], event_arc_display_type_read: ['Check'] })],
  }),
  toPolicy(3, {
    filters: [{ or: ['attributes.kind=3'] }],
    access_permissions: [permit({ asset_attributes_read: ['*'], event_arc_display_type_read: ['*'] })],
  }),
];

const FOUNDATION: readonly WrittenRecord[] = [
  { tenantIdentity: ALPHA, record: aTenantRecord(ALPHA) },
  { tenantIdentity: BETA, record: aTenantRecord(BETA) },
  { tenantIdentity: BETA, record: aLocationRecord(9), changed: { author: toWalletAddress(WALLET_KEY) } },
  { tenantIdentity: ALPHA, record: aSubjectRecord(1) },
  { tenantIdentity: ALPHA, record: aBlobRecord(1) },
  ...Array.from({ length: ASSETS }, (_, asset) => ({
    tenantIdentity: ALPHA,
    record: aCreation({ identity: eventOf(asset + 1, 0), asset_attributes: { kind: String(asset % 4) } }),
  })),
  ...POLICIES,
];

const attribute = (
  map: EventQuery['attributes'][number]['map'],
  name: string,
  value: string,
  is = 'equal' as const,
) => ({
  map,
  name,
  value,
  is,
});
const EVERYTHING: EventQuery = { assetUuid: undefined, attributes: [], fields: [], times: [], order: 'newest' };
const QUERIES: readonly EventQuery[] = [
  EVERYTHING,
  { ...EVERYTHING, attributes: [attribute('event_attributes', 'arc_display_type', 'Oiling')] },
  { ...EVERYTHING, attributes: [attribute('asset_attributes', 'colour', 'red')] },
  { ...EVERYTHING, attributes: [{ ...attribute('asset_attributes', 'colour', 'red'), is: 'different' }] },
  { ...EVERYTHING, attributes: [attribute('asset.attributes', 'kind', '0')] },
  { ...EVERYTHING, assetUuid: uuidOf(1) },
];

describe('shared lists of many events', () => {
  const makeDirectory = useDirectories();
  let index: OpenIndex;
  const written: WrittenRecord[] = [];
  const take = async (records: readonly WrittenRecord[]) => {
    const from = written.length;
    written.push(...records);
    const logs: RecordLog[] = records.map((each, at) => toNaiveLog(each, from + at + 1).log);
    await index.take(logs);
  };
  before(async () => {
    index = await openIndex(await makeDirectory());
    await take([...FOUNDATION, ...Array.from({ length: EVENTS }, (_, number) => toEvent(number + 1))]);
    await take([{ tenantIdentity: ALPHA, record: anAttach([1], { identity: eventOf(4, EVENTS + 1) }) }]);
  });
  after(() => index.store.close());

  const openModel = () => {
    const committed = createNaiveView(
      written.map((each, at) => toNaiveLog(each, at + 1)),
      [],
      [ALPHA, BETA],
    );
    const policies = new Map<string, AccessPolicyRecord>();
    for (const { record } of written) {
      if (record.type === 'access_policy') policies.set(record.identity.split('/versions/')[0]!, record);
    }
    const inEffect = [...policies.values()].filter((policy) => !policy.is_deleted);
    const standsFor = (_: string, subject: string) => (subject === subjectOf(1) ? BETA : undefined);
    const sharing = { tenants: [ALPHA, BETA], policies: new Map([[ALPHA, inEffect]]), standsFor };
    return createNaiveSharedView(sharing, { committed, own: committed }, { tenant: BETA, reader: READER });
  };

  const expectAll = async (): Promise<void> => {
    const model = openModel();
    expect(model.listEvents({ ...EVERYTHING, reader: READER }).length).to.be.greaterThan(1_000);
    for (const query of QUERIES) {
      const asked = { ...query, reader: READER };
      const expected = model.listEvents(asked);
      const first = await index.view.listEvents(BETA, asked, FIRST);
      expect([first.items, first.total]).to.deep.equal([expected.slice(0, 7), expected.length]);
      if (first.nextPosition === undefined) continue;
      const rest = { limit: EVENTS, position: first.nextPosition, isCounted: true };
      const second = await index.view.listEvents(BETA, asked, rest);
      expect([second.items, second.total]).to.deep.equal([expected.slice(7), expected.length]);
    }
  };

  it('are those of the model, counted the first and the second time', async () => {
    await expectAll();
    await expectAll();
  });

  it('are those of the model after assets changed', async () => {
    await take(Array.from({ length: 60 }, (_, number) => toEvent(EVENTS + 10 + number)));
    await expectAll();
  });

  it('are those of the model after policies changed', async () => {
    const identity = toVersionIdentity(accessPolicyOf(2), uuidOf(2));
    const follows = toVersionIdentity(accessPolicyOf(2), uuidOf(1));
    const access_permissions = [permit({ asset_attributes_read: ['kind'], event_arc_display_type_read: ['Oiling'] })];
    await take([toPolicy(2, { identity, follows, access_permissions })]);
    await expectAll();
  });

  it('are those of the model after another chunk of events', async () => {
    await take(Array.from({ length: 4_200 }, (_, number) => toEvent(EVENTS + 1_000 + number)));
    await expectAll();
  });

  it('have the same events as JSON', async () => {
    const page = { limit: 20_000, position: undefined, isCounted: true };
    for (const query of QUERIES) {
      const asked = { ...query, reader: READER };
      const plain = await index.view.listEvents(BETA, asked, page);
      const encoded = await index.view.encodeEventPage(BETA, asked, page);
      expect(JSON.parse(Buffer.from(encoded.json).toString())).to.deep.equal(plain.items);
      expect([encoded.total, encoded.nextPosition]).to.deep.equal([plain.total, plain.nextPosition]);
    }
  });
});
