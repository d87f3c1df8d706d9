// Pages as JSON: the same values as the pages of resources.
import { expect } from 'chai';
import type { AssetQuery, EventQuery, PageQuery } from '../../../indexer/ledgerView.ts';
import { toAssetResource } from '../../../ledger/assets/assetResource.ts';
import { useDirectories } from '../../support/directories.ts';
import { toRecordLog } from '../../support/recordLogs.ts';
import {
  ALPHA,
  aBlobRecord,
  aCreation,
  anAttach,
  anEvent,
  assetOf,
  aTenantRecord,
  eventOf,
} from '../../support/records.ts';
import { type OpenIndex, openIndex } from '../../support/viewFixture.ts';

const CONTEXT = { chainId: 7, at_time: '2026-01-01T00:00:00.000Z' };
const RECORDS = [
  aTenantRecord(ALPHA),
  aCreation({ identity: eventOf(1, 0), asset_attributes: { arc_display_name: 'Tür „A“' } }),
  aBlobRecord(1),
  anAttach([1], { identity: eventOf(1, 1) }),
  anAttach([2], { identity: eventOf(2, 2) }),
  // Names and values that look like the field that the asset's identity is taken from.
  anEvent({
    identity: eventOf(1, 3),
    asset_attributes: { deep: { identity: 'assets/1/events/2' }, identity: 'x', ',"identity":"': '\u0000 "\\ 😀' },
    event_attributes: { identity: ',"identity":"assets/3/events/4', list: [{ identity: 'a' }], type: 'event"}' },
    principal_accepted: { issuer: ',"identity":"', subject: ',"type":"event"}', display_name: 'ä', email: '' },
  }),
];

const EVENTS: EventQuery = { assetUuid: undefined, attributes: [], fields: [], times: [], order: 'newest' };
const ASSETS: AssetQuery = { tracked: 'ANY', attributes: [], fields: [], order: 'newest' };
const ALL: PageQuery = { limit: 100, position: undefined, isCounted: true };

describe('pages as JSON', () => {
  const newDirectory = useDirectories();
  let index: OpenIndex;
  before(async () => {
    index = await openIndex(await newDirectory());
    await index.take(RECORDS.map((record, at) => toRecordLog({ tenantIdentity: ALPHA, record }, at + 1)));
    const waiting = [anEvent({ identity: eventOf(1, 4) }), anAttach([1], { identity: eventOf(1, 5) })];
    for (const [sequence, record] of waiting.entries()) {
      index.outbox.push({
        sequence,
        tenantIdentity: ALPHA,
        streamIdentity: assetOf(1),
        record,
        status: sequence === 0 ? 'PENDING' : 'FAILED',
      });
    }
  });
  after(() => index.store.close());

  const parse = (json: Uint8Array): unknown => JSON.parse(Buffer.from(json).toString());

  for (const order of ['newest', 'oldestAccepted'] as const) {
    it(`have the events of the list, committed and not, ${order}`, async () => {
      for (const page of [ALL, { ...ALL, limit: 3 }, { ...ALL, limit: 1 }]) {
        const { items, ...rest } = await index.view.listEvents(ALPHA, { ...EVENTS, order }, page);
        const { json, ...encoded } = await index.view.encodeEventPage(ALPHA, { ...EVENTS, order }, page);
        expect(parse(json)).to.deep.equal(items);
        expect(encoded).to.deep.equal(rest);
      }
    });
  }

  it('have the assets of the list with the given values', async () => {
    const { items, ...rest } = await index.view.listAssets(ALPHA, ASSETS, ALL);
    const { json, ...encoded } = await index.view.encodeAssetPage(ALPHA, ASSETS, ALL, CONTEXT);
    expect(parse(json)).to.deep.equal(items.map((asset) => toAssetResource(asset, CONTEXT)));
    expect(items).to.have.length(1);
    expect(encoded).to.deep.equal(rest);
  });

  it('are an empty list where nothing matches', async () => {
    const attributes = [{ map: 'event_attributes', name: 'none', is: 'present', value: '' }] as const;
    const { json, total } = await index.view.encodeEventPage(ALPHA, { ...EVENTS, attributes }, ALL);
    expect([Buffer.from(json).toString(), total]).to.deep.equal(['[]', 0]);
  });
});
