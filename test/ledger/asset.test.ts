import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import fc from 'fast-check';
import { type AssetState, applyEvent, createAssetState } from '../../ledger/asset.ts';
import type { EventRecord } from '../../ledger/eventRecord.ts';
import { attributeMaps, eventRecords, HOSTILE_NAMES, settings } from '../support/arbitraries.ts';
import { aBuiltin, anEvent, SETTINGS } from '../support/records.ts';

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

  it('takes the asset attributes of each event, the later over the earlier', () => {
    const { attributes } = fold(
      anEvent({ asset_attributes: { colour: 'red', weight: '1' } }),
      anEvent({ asset_attributes: { weight: '2', parts: [{ name: 'hinge' }] } }),
      anEvent({ asset_attributes: { parts: [] } }),
    );
    expect(attributes).to.deep.equal({ colour: 'red', weight: '2', parts: [] });
  });

  it('takes attributes from builtin events too', () => {
    const state = fold(aBuiltin('StopTracking', undefined, { asset_attributes: { colour: 'red' } }));
    expect(state).to.deep.include({ tracked: 'NOT_TRACKED', attributes: { colour: 'red' } });
  });

  it('keeps names that objects have already as ordinary names', () => {
    const members = HOSTILE_NAMES.map((name) => [name, `value of ${name}`] as const);
    const { attributes } = members.reduce(
      (state, member) => applyEvent(state, anEvent({ asset_attributes: Object.fromEntries([member]) })),
      created(),
    );
    expect(Object.entries(attributes).sort()).to.deep.equal(members.map((member) => [...member]).sort());
    expect(Object.getPrototypeOf(attributes)).to.equal(Object.prototype);
    expect({}).to.not.have.property('value of __proto__');
  });

  it('lists a behaviour once, however often it is added', () => {
    const once = fold(aBuiltin('Add', 'Firmware'));
    expect(once.behaviours).to.deep.equal([...SETTINGS.behaviours, 'Firmware']);
    expect(fold(aBuiltin('Add', 'Firmware'), aBuiltin('Add', 'Firmware'))).to.deep.equal(once);
  });

  it('removes a behaviour, and an absent one without a change', () => {
    const once = fold(aBuiltin('Remove', 'RecordEvidence'));
    expect(once.behaviours).to.deep.equal(['AssetCreator', 'Builtin']);
    expect(fold(aBuiltin('Remove', 'RecordEvidence'), aBuiltin('Remove', 'RecordEvidence'))).to.deep.equal(once);
    expect(fold(aBuiltin('Remove', 'constructor'))).to.deep.equal(created());
  });

  it('is tracked or not as the last of such events says', () => {
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

  it('takes an operation only from the behaviour that has it', () => {
    for (const operation of ['Add', 'Remove', 'StopTracking']) {
      const event = { ...aBuiltin(operation, 'RecordEvidence'), behaviour: 'RecordEvidence' };
      expect(applyEvent(created(), event)).to.deep.equal(created());
    }
  });

  it('is not changed by builtin events that mean nothing', () => {
    for (const event of [aBuiltin('Add'), aBuiltin('Remove'), aBuiltin('Nothing', 'Firmware'), aBuiltin('')]) {
      expect(fold(event)).to.deep.equal(created());
    }
    const attributes = { arc_behaviour_name: [{ a: 'Firmware' }] };
    expect(fold({ ...aBuiltin('Add'), event_attributes: attributes })).to.deep.equal(created());
  });

  it('is the same after any event twice in a row, and no event changes the state that it is applied to', () => {
    const check = fc.property(states, eventRecords, (state, event) => {
      const before = structuredClone(state);
      const once = applyEvent(state, event);
      expect(isDeepStrictEqual(applyEvent(once, event), once)).to.equal(true);
      expect(isDeepStrictEqual(state, before)).to.equal(true);
    });
    fc.assert(check, { numRuns: 300 });
  });

  it('keeps its proof mechanism and its openness for ever', () => {
    const check = fc.property(states, fc.array(eventRecords, { maxLength: 5 }), (state, events) => {
      const { proof_mechanism, public: isPublic } = events.reduce(applyEvent, state);
      expect([proof_mechanism, isPublic]).to.deep.equal([state.proof_mechanism, state.public]);
    });
    fc.assert(check);
  });
});
