import { expect } from 'chai';
import { assertEventAllowed, type EventIntent, toAssetBehaviours } from '../../ledger/behaviours.ts';
import { codeOf, fieldsOf, NOT_REFUSED } from '../support/refusals.ts';

const ALL = ['AssetCreator', 'Builtin', 'RecordEvidence', 'Firmware'];

type Case = readonly [name: string, intent: Partial<EventIntent>, code: string, field?: string];

const named = (arc_behaviour_name: unknown) => ({ event_attributes: { arc_behaviour_name } as never });

const CASES: readonly Case[] = [
  ['Record', { behaviour: 'RecordEvidence', operation: 'Record' }, NOT_REFUSED],
  ['StartTracking', { operation: 'StartTracking' }, NOT_REFUSED],
  ['StopTracking', { operation: 'StopTracking' }, NOT_REFUSED],
  ['StopTracking with attributes of its own', { operation: 'StopTracking', ...named('Nothing') }, NOT_REFUSED],
  ['Add of a known behaviour', { operation: 'Add', ...named('Maintenance') }, NOT_REFUSED],
  ['Add of a behaviour that is listed', { operation: 'Add', ...named('Firmware') }, NOT_REFUSED],
  ['Add of an inherent behaviour', { operation: 'Add', ...named('Builtin') }, NOT_REFUSED],
  ['Remove of a listed behaviour', { operation: 'Remove', ...named('Firmware') }, NOT_REFUSED],
  ['Remove of an absent behaviour', { operation: 'Remove', ...named('Maintenance') }, NOT_REFUSED],
  ['Remove of a behaviour that is none', { operation: 'Remove', ...named('Nothing') }, NOT_REFUSED],
  [
    'Add of an unknown behaviour',
    { operation: 'Add', ...named('Nothing') },
    'BEHAVIOUR_UNKNOWN',
    'event_attributes/arc_behaviour_name',
  ],
  [
    'Add of a name that objects have',
    { operation: 'Add', ...named('constructor') },
    'BEHAVIOUR_UNKNOWN',
    'event_attributes/arc_behaviour_name',
  ],
  ...['Builtin', 'AssetCreator'].map(
    (inherent): Case => [
      `Remove of ${inherent}`,
      { operation: 'Remove', ...named(inherent) },
      'BEHAVIOUR_NOT_REMOVABLE',
      'event_attributes/arc_behaviour_name',
    ],
  ),
  ...['Add', 'Remove'].flatMap((operation): Case[] =>
    [undefined, '', {}, { Firmware: '' }, [{ a: '' }]].map((name) => [
      `${operation} of ${JSON.stringify(name)}`,
      { operation, ...(name === undefined ? {} : named(name)) },
      'EVENT_ATTRIBUTE_MISSING',
      'event_attributes/arc_behaviour_name',
    ]),
  ),
  ['an unknown behaviour', { behaviour: 'Nothing' }, 'BEHAVIOUR_UNKNOWN', 'behaviour'],
  ['an empty behaviour', { behaviour: '' }, 'BEHAVIOUR_UNKNOWN', 'behaviour'],
  ['a behaviour in small letters', { behaviour: 'builtin' }, 'BEHAVIOUR_UNKNOWN', 'behaviour'],
  ['a behaviour that objects have', { behaviour: '__proto__' }, 'BEHAVIOUR_UNKNOWN', 'behaviour'],
  ['an unknown operation', { operation: 'Nothing' }, 'OPERATION_UNKNOWN', 'operation'],
  ['an operation of another behaviour', { operation: 'Record' }, 'OPERATION_UNKNOWN', 'operation'],
  ['an operation that objects have', { operation: 'toString' }, 'OPERATION_UNKNOWN', 'operation'],
  ['a creation', { behaviour: 'AssetCreator', operation: 'NewAsset' }, 'OPERATION_UNKNOWN', 'operation'],
];

describe('assertEventAllowed', () => {
  for (const [name, fields, code, field] of CASES) {
    it(`${code === NOT_REFUSED ? 'allows' : `refuses with ${code}`}: ${name}`, () => {
      const intent = { behaviour: 'Builtin', operation: 'Add', event_attributes: {}, ...fields };
      const call = () => assertEventAllowed(ALL, intent);
      expect(codeOf(call)).to.equal(code);
      expect(fieldsOf(call)).to.deep.equal(field === undefined ? [] : [field]);
    });
  }

  it('refuses a behaviour that the asset does not list', () => {
    const call = () =>
      assertEventAllowed(['AssetCreator', 'Builtin'], {
        behaviour: 'RecordEvidence',
        operation: 'Record',
        event_attributes: {},
      });
    expect(codeOf(call)).to.equal('BEHAVIOUR_NOT_LISTED');
    expect(fieldsOf(call)).to.deep.equal(['behaviour']);
  });
});

describe('toAssetBehaviours', () => {
  it('adds what every asset has, each once, sorted', () => {
    expect(toAssetBehaviours([])).to.deep.equal(['AssetCreator', 'Builtin']);
    expect(toAssetBehaviours(['RecordEvidence', 'Builtin', 'Attachments', 'RecordEvidence'])).to.deep.equal([
      'AssetCreator',
      'Attachments',
      'Builtin',
      'RecordEvidence',
    ]);
  });

  it('knows the behaviours that the interface names', () => {
    const known = ['Firmware', 'Maintenance', 'RecordEvidence', 'LocationUpdate', 'Attachments', 'Builtin'];
    expect(codeOf(() => toAssetBehaviours(known))).to.equal(NOT_REFUSED);
  });

  it('names the one that is unknown', () => {
    for (const unknown of ['Nothing', '', 'firmware', 'constructor', '__proto__']) {
      const call = () => toAssetBehaviours(['RecordEvidence', unknown]);
      expect(codeOf(call)).to.equal('BEHAVIOUR_UNKNOWN');
      expect(fieldsOf(call)).to.deep.equal(['behaviours/1']);
    }
  });
});
