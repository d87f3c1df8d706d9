import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import fc from 'fast-check';
import {
  type AssetState,
  applyEvent,
  applyEvents,
  createAssetState,
  foldAttributes,
  foldEvent,
} from '../../../ledger/assets/asset.ts';
import { INHERENT_BEHAVIOURS } from '../../../ledger/assets/behaviours.ts';
import type { Attributes } from '../../../ledger/records/attributes.ts';
import { type EventRecord, isAttach, isCreation } from '../../../ledger/records/event.ts';
import { attributeMaps, eventRecords, settings } from '../../support/arbitraries.ts';
import { runs } from '../../support/propertyRuns.ts';
import { HOSTILE_NAMES } from '../../support/recordParts.ts';
import { aBuiltin, aCreation, anAttach, anAttachment, anEvent, SETTINGS } from '../../support/records.ts';

const created = (): AssetState => createAssetState(SETTINGS, {});
const fold = (...events: EventRecord[]): AssetState => events.reduce(applyEvent, created());

const states = fc.tuple(settings, attributeMaps).map(([given, attributes]) => createAssetState(given, attributes));

describe('an asset', () => {
  it('begins tracked, with the settings and attributes of its creation', () => {
    expect(createAssetState(SETTINGS, { weight: '1' })).to.deep.equal({
      ...SETTINGS,
      attributes: { weight: '1' },
      tracked: 'TRACKED',
    });
  });

  it('has the asset attributes of all events, the latest value of each', () => {
    const { attributes } = fold(
      anEvent({ asset_attributes: { colour: 'red', weight: '1' } }),
      anEvent({ asset_attributes: { weight: '2', parts: [{ name: 'hinge' }] } }),
      anEvent({ asset_attributes: { parts: [] } }),
    );
    expect(attributes).to.deep.equal({ colour: 'red', weight: '2', parts: [] });
  });

  it('has attributes that builtin events set too', () => {
    const state = fold(aBuiltin('StopTracking', undefined, { asset_attributes: { colour: 'red' } }));
    expect(state).to.deep.include({ tracked: 'NOT_TRACKED', attributes: { colour: 'red' } });
  });

  it('is the same after events that are applied together', () => {
    const events = fc.array(eventRecords.filter((event) => !isCreation(event)));
    fc.assert(
      fc.property(states, events, (state, applied) =>
        isDeepStrictEqual(applyEvents(state, applied), applied.reduce<AssetState>(applyEvent, state)),
      ),
    );
    const hostile = HOSTILE_NAMES.map((name) =>
      anEvent({ asset_attributes: JSON.parse(`{${JSON.stringify(name)}:"1"}`) }),
    );
    const { attributes } = applyEvents(created(), hostile);
    expect(Object.keys(attributes)).to.have.members([...HOSTILE_NAMES]);
  });

  it('has attributes that are folded alone as with the rest of its state', () => {
    const events = fc.array(eventRecords.filter((event) => !isCreation(event)));
    fc.assert(
      fc.property(attributeMaps, events, (asset_attributes, applied) => {
        const creation = aCreation({ asset_attributes });
        const { attributes } = [creation, ...applied].reduce<AssetState | undefined>(foldEvent, undefined)!;
        return isDeepStrictEqual(foldAttributes([creation, ...applied]), attributes);
      }),
    );
  });

  it('has attributes that many events of a large asset fold to at once', () => {
    const names = Array.from({ length: 100_000 }, (_, at) => [`name ${at}`, ''] as const);
    const large = anEvent({ asset_attributes: Object.fromEntries(names) });
    const small = aBuiltin('StopTracking', undefined, { asset_attributes: { colour: 'red' } });
    // A copy for each event takes minutes: longer than a test may.
    const attributes = foldAttributes([large, ...new Array<EventRecord>(5_000).fill(small)]);
    expect(Object.keys(attributes)).to.have.length(100_001);
  });

  it('treats names of Object.prototype as ordinary names', () => {
    const members = HOSTILE_NAMES.map((name) => [name, `value of ${name}`] as const);
    const { attributes } = members.reduce(
      (state, member) => applyEvent(state, anEvent({ asset_attributes: Object.fromEntries([member]) })),
      created(),
    );
    expect(Object.entries(attributes).sort()).to.deep.equal(members.map((member) => [...member]).sort());
    expect(Object.getPrototypeOf(attributes)).to.equal(Object.prototype);
    expect({}).to.not.have.property('value of __proto__');
  });

  it('has the inherent behaviours, whatever its creation lists and whatever is removed', () => {
    expect(createAssetState({ ...SETTINGS, behaviours: [] }, {}).behaviours).to.have.members(INHERENT_BEHAVIOURS);
    const given = { ...SETTINGS, behaviours: ['RecordEvidence'] };
    expect(createAssetState(given, {}).behaviours).to.have.members(['RecordEvidence', ...INHERENT_BEHAVIOURS]);
    for (const name of INHERENT_BEHAVIOURS) {
      expect(fold(aBuiltin('Remove', name)).behaviours).to.have.members(SETTINGS.behaviours);
    }
  });

  it('lists a behaviour once, however often it is added', () => {
    const once = fold(aBuiltin('Add', 'Firmware'));
    expect(once.behaviours).to.deep.equal([...SETTINGS.behaviours, 'Firmware']);
    expect(fold(aBuiltin('Add', 'Firmware'), aBuiltin('Add', 'Firmware'))).to.deep.equal(once);
  });

  it('removes a listed behaviour, and is not changed by the removal of an absent one', () => {
    const once = fold(aBuiltin('Remove', 'RecordEvidence'));
    expect(once.behaviours).to.deep.equal(['AssetCreator', 'Builtin']);
    expect(fold(aBuiltin('Remove', 'RecordEvidence'), aBuiltin('Remove', 'RecordEvidence'))).to.deep.equal(once);
    expect(fold(aBuiltin('Remove', 'constructor'))).to.deep.equal(created());
  });

  it('is tracked or not as of the last tracking event', () => {
    const stop = aBuiltin('StopTracking');
    const start = aBuiltin('StartTracking');
    const cases: [EventRecord[], string][] = [
      [[stop], 'NOT_TRACKED'],
      [[stop, stop], 'NOT_TRACKED'],
      [[stop, start], 'TRACKED'],
      [[start], 'TRACKED'],
      [[stop, start, stop, anEvent()], 'NOT_TRACKED'],
    ];
    for (const [events, tracked] of cases) expect(fold(...events).tracked).to.equal(tracked);
  });

  it('ignores an operation under a behaviour that does not have it', () => {
    for (const operation of ['Add', 'Remove', 'StopTracking']) {
      const event = { ...aBuiltin(operation, 'RecordEvidence'), behaviour: 'RecordEvidence' };
      expect(applyEvent(created(), event)).to.deep.equal(created());
    }
  });

  it('is not changed by unknown builtin operations', () => {
    for (const event of [aBuiltin('Add'), aBuiltin('Remove'), aBuiltin('Nothing', 'Firmware'), aBuiltin('')]) {
      expect(fold(event)).to.deep.equal(created());
    }
    const attributes = { arc_behaviour_name: [{ a: 'Firmware' }] };
    expect(fold({ ...aBuiltin('Add'), event_attributes: attributes })).to.deep.equal(created());
  });

  it('does not change when an event other than Attach is applied again, and no event mutates the state that it is applied to', () => {
    const check = fc.property(states, eventRecords, (state, event) => {
      const before = structuredClone(state);
      const once = applyEvent(state, event);
      expect(isAttach(event) || isDeepStrictEqual(applyEvent(once, event), once)).to.equal(true);
      expect(isDeepStrictEqual(state, before)).to.equal(true);
    });
    fc.assert(check, runs(300));
  });

  it('never changes its proof mechanism, nor whether it is public', () => {
    const check = fc.property(states, fc.array(eventRecords, { maxLength: 5 }), (state, events) => {
      const { proof_mechanism, public: isPublic } = events.reduce(applyEvent, state);
      expect([proof_mechanism, isPublic]).to.deep.equal([state.proof_mechanism, state.public]);
    });
    fc.assert(check);
  });
});

describe('attachments of an asset', () => {
  const attached = (...events: EventRecord[]): unknown => fold(...events).attributes.arc_attachments;

  it('are those of every Attach, in ledger order', () => {
    const first = anAttach([1, 2]);
    const second = anAttach([3]);
    expect(attached(first, second)).to.deep.equal([1, 2, 3].map((blob) => anAttachment(blob)));
    expect(attached(second, first)).to.deep.equal([3, 1, 2].map((blob) => anAttachment(blob)));
    expect(attached(first, first)).to.deep.equal([1, 2, 1, 2].map((blob) => anAttachment(blob)));
  });

  it('are appended to a list that the creation or an event set', () => {
    const set = anEvent({ asset_attributes: { arc_attachments: [anAttachment(7)] } });
    expect(attached(anAttach([1]), set, anAttach([2]))).to.deep.equal([anAttachment(7), anAttachment(2)]);
    expect(attached(set, anAttach([1]), anEvent())).to.deep.equal([anAttachment(7), anAttachment(1)]);
  });

  it('are a list after an Attach, whatever value was there and whatever is appended', () => {
    const odd: Attributes[] = [{}, { arc_append_attachments: '' }, { arc_append_attachments: { a: 'b' } }];
    for (const event_attributes of odd) expect(attached(anAttach([], { event_attributes }))).to.deep.equal([]);
    const text = anEvent({ asset_attributes: { arc_attachments: 'none' } });
    expect(attached(text, anAttach([1]))).to.deep.equal([anAttachment(1)]);
  });

  it('are appended only by the operation Attach of the behaviour Attachments', () => {
    const others = [anAttach([1], { behaviour: 'RecordEvidence' }), anAttach([1], { operation: 'attach' })];
    for (const other of others) expect(attached(other)).to.equal(undefined);
  });

  it('do not keep an Attach from setting other attributes', () => {
    const { attributes } = fold(anAttach([1], { asset_attributes: { colour: 'red' } }));
    expect(attributes).to.deep.equal({ colour: 'red', arc_attachments: [anAttachment(1)] });
  });

  it('include all that any history appended since the list was last set', () => {
    const check = fc.property(states, fc.array(eventRecords, { maxLength: 8 }), (state, events) => {
      const listOf = ({ arc_attachments: list }: Attributes) => (Array.isArray(list) ? list : []);
      const expected = events.reduce((list, { event_attributes, asset_attributes, ...event }) => {
        const appended = event_attributes.arc_append_attachments;
        if (isAttach(event)) return list.concat(Array.isArray(appended) ? appended : []);
        return Object.hasOwn(asset_attributes, 'arc_attachments') ? listOf(asset_attributes) : list;
      }, listOf(state.attributes));
      expect(isDeepStrictEqual(listOf(events.reduce(applyEvent, state).attributes), expected)).to.equal(true);
    });
    fc.assert(check, runs(300));
  });
});

describe('the fold of a stream', () => {
  it('begins with the first creation, and ignores events before it and further creations', () => {
    const creation = aCreation({ asset_attributes: { weight: '1' } });
    const second = aCreation({ asset_attributes: { weight: '2' }, asset_settings: { ...SETTINGS, public: true } });
    const state = [anEvent({ asset_attributes: { early: 'x' } }), creation, second].reduce<AssetState | undefined>(
      foldEvent,
      undefined,
    );
    expect(state).to.deep.equal(createAssetState(SETTINGS, { weight: '1' }));
    expect(foldEvent(undefined, anAttach([1]))).to.equal(undefined);
  });

  it('is the state of the asset for any history with one creation', () => {
    const check = fc.property(fc.array(eventRecords, { maxLength: 6 }), (records) => {
      const events = records.filter((record) => !isCreation(record));
      const folded = [aCreation(), ...events].reduce<AssetState | undefined>(foldEvent, undefined);
      expect(isDeepStrictEqual(folded, fold(...events))).to.equal(true);
    });
    fc.assert(check);
  });
});
