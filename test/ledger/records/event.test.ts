import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import fc from 'fast-check';
import { toUncommitted } from '../../../ledger/records/commitment.ts';
import { toCommittedRecord, toEventResource } from '../../../ledger/records/event.ts';
import { attributeMaps, eventRecords } from '../../support/arbitraries.ts';
import { runs } from '../../support/propertyRuns.ts';
import { BEFORE_COMMIT } from '../../support/recordLogs.ts';
import { ALPHA, anAttach, anAttachment, anEvent, assetOf } from '../../support/records.ts';

describe('toEventResource', () => {
  it('has every documented field before the event is committed', () => {
    const { type: _, ...fields } = anEvent();
    for (const status of ['PENDING', 'FAILED'] as const) {
      expect(toEventResource(anEvent(), ALPHA, toUncommitted(status))).to.deep.equal({
        ...fields,
        asset_identity: assetOf(1),
        tenant_identity: ALPHA,
        confirmation_status: status,
        ...BEFORE_COMMIT,
      });
    }
  });
});

describe('the resource of an Attach', () => {
  const committed = anAttach([2], { asset_attributes: { colour: 'red' } });
  const after = [anAttachment(1), anAttachment(2)];
  const shown = (record = committed, attachmentsAfter?: typeof after) =>
    toEventResource(record, ALPHA, toUncommitted('PENDING'), attachmentsAfter).asset_attributes;

  it('shows the complete list after the event, besides the attributes that it set', () => {
    expect(shown(committed, after)).to.deep.equal({ colour: 'red', arc_attachments: after });
    expect(shown(committed, [])).to.deep.equal({ colour: 'red', arc_attachments: [] });
  });

  it('shows no list where the asset was not created', () => expect(shown()).to.deep.equal({ colour: 'red' }));

  it('is the only resource that shows a list that its event did not set', () => {
    for (const record of [anEvent(), anAttach([2], { operation: 'Record' })]) {
      expect(shown(record, after)).to.deep.equal({});
    }
    const own = anEvent({ asset_attributes: { arc_attachments: [anAttachment(3)] } });
    expect(shown(own, after)).to.deep.equal({ arc_attachments: [anAttachment(3)] });
  });
});

describe('toCommittedRecord', () => {
  it('is the inverse of toEventResource, whatever list the resource shows', () => {
    const lists = fc.option(attributeMaps.map(Object.values), { nil: undefined });
    const check = fc.property(eventRecords, lists, (record, list) => {
      const event = toEventResource(record, ALPHA, toUncommitted('PENDING'), list);
      expect(isDeepStrictEqual(toCommittedRecord(event), record)).to.equal(true);
    });
    fc.assert(check, runs(300));
  });
});
