// The policy events of a ledger view: what policies use of an asset's events.
import { expect } from 'chai';
import * as keys from '../../../indexer/keys.ts';
import { toTextHash } from '../../../indexer/projection/packedEvent.ts';
import type { UncommittedRecord } from '../../../indexer/reads/uncommitted.ts';
import { EVENT_BYTES, HEADER_BYTES, PAGE_EVENTS } from '../../../indexer/rows/policyPages.ts';
import { finish } from '../../../ledger/compliance/steps.ts';
import { toKey, toStreamIdentityOf } from '../../../ledger/identity.ts';
import type { LedgerRecord } from '../../../ledger/records/record.ts';
import { useDirectories } from '../../support/directories.ts';
import { expectPolicyEvents } from '../../support/expectPolicyEvents.ts';
import { createIndexModel } from '../../support/indexModel.ts';
import { createNaiveView } from '../../support/naiveView.ts';
import { toRecordLog } from '../../support/recordLogs.ts';
import { ALPHA, aCreation, anEvent, assetOf, aTenantRecord, BETA, eventOf, uuidOf } from '../../support/records.ts';
import { aLongTypedAsset, DISPLAY_TYPES, FIRST_MS } from '../../support/typedEvents.ts';
import { type OpenIndex, openIndex } from '../../support/viewFixture.ts';

const AT_MS = Date.parse('2026-11-20T12:00:00.000Z');
const toEntry = (record: LedgerRecord, sequence: number): UncommittedRecord => ({
  sequence,
  tenantIdentity: ALPHA,
  streamIdentity: toStreamIdentityOf(record),
  record,
  status: 'PENDING',
});

describe('policy events', () => {
  const makeDirectory = useDirectories();
  let index: OpenIndex;
  let block: number;
  beforeEach(async () => {
    block = 0;
    index = await openIndex(await makeDirectory());
  });
  afterEach(() => index.store.close());

  const mine = (...records: LedgerRecord[]): Promise<void> => {
    const logs = records.map((record) => {
      block += 1;
      return toRecordLog({ record }, block);
    });
    return index.take(logs);
  };
  const opened = (number: number, attributes: Record<string, string> = {}) =>
    anEvent({ identity: eventOf(1, number), event_attributes: { arc_display_type: 'Opened', ...attributes } });
  const all = async () => [...DISPLAY_TYPES].map((displayType) => ({ displayType, fromMs: Number.NEGATIVE_INFINITY }));
  const read = async (atMs = AT_MS) => (await index.view.readPolicyEvents(ALPHA, uuidOf(1), atMs, all))!;

  it('equal those of the model for an asset with many pages of them, committed and not', async () => {
    const records = aLongTypedAsset(1_300);
    const [committed, waiting] = [records.slice(0, -100), records.slice(-100)];
    const outbox = waiting.map((record, at) => ({
      ...toEntry(record, at),
      status: at % 9 === 4 ? ('FAILED' as const) : ('PENDING' as const),
    }));
    for (const [from, to] of [
      [0, 3],
      [3, 67],
      [67, 68],
      [68, 700],
      [700, 2_000],
    ] as const) {
      await mine(...committed.slice(from, to));
    }
    index.outbox.push(...outbox);
    const logs = committed.map((record, at) => ({ tenantIdentity: ALPHA, log: toRecordLog({ record }, at + 1) }));
    const model = createNaiveView(logs, outbox, [ALPHA]);
    for (const seconds of [-61, -60, 0, 63, 64, 65, 600, 1_239, 1_300]) {
      const atMs = FIRST_MS + seconds * 1_000;
      await expectPolicyEvents(index.view, model, { tenant: ALPHA, asset: 1, atMs, types: [...DISPLAY_TYPES, 'None'] });
    }
  });

  it('are stored 64 to a page, separately for each type', () => {
    const model = createIndexModel();
    const records = aLongTypedAsset(4 * PAGE_EVENTS + 8);
    model.take(...records.map((record, at) => toRecordLog({ record }, at + 1)));
    const headOf = (type: string) =>
      model.read(keys.policyHeadKey(toKey(ALPHA), toKey(assetOf(1)), toTextHash(type))) as Uint8Array;
    const eventsOn = (row: Uint8Array) => (row.length - HEADER_BYTES) / EVENT_BYTES;
    const counts = DISPLAY_TYPES.map((type) => eventsOn(headOf(type)));
    expect(PAGE_EVENTS).to.equal(64);
    expect(counts).to.deep.equal([4, 2, 2]);
  });

  it('are not read from pages outside the range', async () => {
    const records = aLongTypedAsset(1_300);
    await mine(...records);
    const last = [{ displayType: 'Opened', fromMs: Number.POSITIVE_INFINITY }];
    const found = (await index.view.readPolicyEvents(ALPHA, uuidOf(1), FIRST_MS + 2_000_000, async () => last))!;
    expect(finish(found.ofType('Opened')).length).to.be.within(1, 6 * PAGE_EVENTS);
    expect(() => finish(found.ofType('Closed'))).to.throw(RangeError);
  });

  it('correlate by their correlation id, or without one by their correlation value, across types', async () => {
    await mine(
      aTenantRecord(ALPHA),
      aCreation(),
      opened(1, { arc_correlation_id: 'a', arc_correlation_value: 'b' }),
      opened(2, { arc_correlation_value: 'a' }),
      opened(3, { arc_correlation_id: '', arc_correlation_value: 'b' }),
      opened(4, { arc_correlation_id: 'b', arc_display_type: 'Closed' }),
      opened(5, { arc_correlation_id: '', arc_correlation_value: '' }),
    );
    const found = await read();
    const [first, second, third, none] = finish(found.ofType('Opened')).map(({ correlation }) => correlation);
    const [closed] = finish(found.ofType('Closed')).map(({ correlation }) => correlation);
    expect([second, third, none]).to.deep.equal([first, closed, undefined]);
    expect(first).not.to.be.oneOf([closed, undefined]);
  });

  it('correlate whether they are committed or not', async () => {
    await mine(aTenantRecord(ALPHA), aCreation(), opened(1, { arc_correlation_id: 'a' }));
    index.outbox.push(toEntry(opened(2, { arc_correlation_id: 'a' }), 1));
    const [one, other] = finish((await read()).ofType('Opened'));
    expect(other!.correlation).to.equal(one!.correlation);
    expect(other!.ref).not.to.equal(one!.ref);
  });

  it('keep their identities after they are committed', async () => {
    await mine(aTenantRecord(ALPHA), aCreation(), opened(1));
    index.outbox.push(toEntry(opened(2), 1), toEntry(opened(3), 2));
    const found = await read();
    const refs = finish(found.ofType('Opened')).map(({ ref }) => ref);
    await mine(opened(2), opened(3), opened(4));
    index.outbox.splice(0);
    expect(refs.map(found.identityOf)).to.deep.equal([1, 2, 3].map((number) => eventOf(1, number)));
    expect(finish(found.ofType('Opened')).length).to.equal(3);
  });

  it('are undefined for an asset that does not exist or belongs to another tenant', async () => {
    await mine(aTenantRecord(ALPHA), aCreation(), opened(1));
    expect(await index.view.readPolicyEvents(ALPHA, uuidOf(9), AT_MS, all)).to.equal(undefined);
    expect(await index.view.readPolicyEvents(BETA, uuidOf(1), AT_MS, all)).to.equal(undefined);
  });
});
