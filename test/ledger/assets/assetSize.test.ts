// The limit on the size of one asset.
import { expect } from 'chai';
import { createAssetState } from '../../../ledger/assets/asset.ts';
import { ASSET_ATTRIBUTES_CHARACTERS_MAX, assertAssetFits } from '../../../ledger/assets/assetSize.ts';
import type { Attributes } from '../../../ledger/records/attributes.ts';
import type { EventRecord } from '../../../ledger/records/event.ts';
import { anAttach, anAttachment, anEvent, SETTINGS } from '../../support/records.ts';
import { codeOf, fieldsOf, NOT_REFUSED } from '../../support/refusals.ts';

// An asset with one attribute `a`, whose attributes have this many characters of JSON.
const sized = (characters: number): Attributes => ({ a: 'x'.repeat(characters - JSON.stringify({ a: '' }).length) });
const call = (attributes: Attributes, event: EventRecord) => () =>
  assertAssetFits(createAssetState(SETTINGS, attributes), event);
const changing = (asset_attributes: Attributes): EventRecord => anEvent({ asset_attributes });

const MEMBER = ',"b":""'.length;
const ATTACHED = `,"arc_attachments":[${JSON.stringify(anAttachment(1))}]`.length;
const MAX = ASSET_ATTRIBUTES_CHARACTERS_MAX;

describe('assertAssetFits', () => {
  it('accepts an event that fills the asset to the last character, and none beyond', () => {
    const nearlyFull = sized(MAX - MEMBER - 1);
    expect(codeOf(call(nearlyFull, changing({ b: 'y' })))).to.equal(NOT_REFUSED);
    const over = call(nearlyFull, changing({ b: 'yy' }));
    expect(codeOf(over)).to.equal('ASSET_TOO_LARGE');
    expect(fieldsOf(over)).to.deep.equal(['asset_attributes']);
  });

  it('counts only the new value of a replaced attribute', () => {
    expect(codeOf(call(sized(MAX), changing({ a: 'short' })))).to.equal(NOT_REFUSED);
  });

  it('ignores the size for events that do not change the asset', () => {
    expect(codeOf(call(sized(MAX + 1), anEvent()))).to.equal(NOT_REFUSED);
  });

  it('lets an asset over the limit shrink or keep its size, but not grow', () => {
    const over = sized(MAX + 100);
    expect(codeOf(call(over, changing(sized(MAX + 99))))).to.equal(NOT_REFUSED);
    expect(codeOf(call(over, changing(sized(MAX + 100))))).to.equal(NOT_REFUSED);
    expect(codeOf(call(over, changing(sized(MAX + 101))))).to.equal('ASSET_TOO_LARGE');
    expect(codeOf(call(over, anAttach([1])))).to.equal('ASSET_TOO_LARGE');
  });

  it('counts the attachments that an Attach appends, to the last character', () => {
    expect(codeOf(call(sized(MAX - ATTACHED), anAttach([1])))).to.equal(NOT_REFUSED);
    const over = call(sized(MAX - ATTACHED + 1), anAttach([1]));
    expect(codeOf(over)).to.equal('ASSET_TOO_LARGE');
    expect(fieldsOf(over)).to.deep.equal(['event_attributes/arc_append_attachments']);
  });

  it('counts the attachments that are there already', () => {
    const list = { arc_attachments: [anAttachment(1)] };
    const rest = sized(MAX - JSON.stringify(list).length + 1);
    expect(codeOf(call({ ...rest, ...list }, anEvent()))).to.equal(NOT_REFUSED);
    expect(codeOf(call({ ...rest, ...list }, anAttach([2])))).to.equal('ASSET_TOO_LARGE');
  });
});
