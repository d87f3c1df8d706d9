import { expect } from 'chai';
import { assertEventAllowed, type EventIntent, toAssetBehaviours } from '../../../ledger/assets/behaviours.ts';
import { anAttachment, locationOf } from '../../support/records.ts';
import { codeOf, fieldsOf, NOT_REFUSED } from '../../support/refusals.ts';

const ALL = ['AssetCreator', 'Builtin', 'RecordEvidence', 'Attachments', 'Firmware', 'Maintenance', 'LocationUpdate'];

type Case = readonly [name: string, intent: Partial<EventIntent>, code: string, field?: string];

const named = (arc_behaviour_name: unknown) => ({ event_attributes: { arc_behaviour_name } as never });

const described = { event_attributes: { arc_description: 'cracked' } };
const versioned = { asset_attributes: { arc_firmware_version: '2.0' } };
const homed = { asset_attributes: { arc_home_location_identity: locationOf(1) } };
const EMPTY_ATTRIBUTES = [undefined, '', {}, { a: 'b' }, [{ a: 'b' }]];
const DESCRIBED = [
  ['Firmware', 'Update', versioned],
  ['Firmware', 'UpdateRequired', {}],
  ['Firmware', 'Vulnerability', {}],
  ['Maintenance', 'Maintenance', {}],
  ['Maintenance', 'MaintenanceRequired', {}],
] as const;

const attach = (arc_append_attachments: unknown, more: Partial<EventIntent> = {}): Partial<EventIntent> => ({
  behaviour: 'Attachments',
  operation: 'Attach',
  event_attributes: arc_append_attachments === undefined ? {} : ({ arc_append_attachments } as never),
  ...more,
});
const APPENDED = 'event_attributes/arc_append_attachments';
const without = (field: string) =>
  Object.fromEntries(Object.entries(anAttachment(1)).filter(([name]) => name !== field));
const NOT_BLOBS = [
  '',
  'blobs/',
  `blobs/${'0'.repeat(36)}`,
  locationOf(1),
  `${anAttachment(1).arc_attachment_identity} `,
];

const ATTACH_CASES: readonly Case[] = [
  ['Attach of one', attach([anAttachment(1)]), NOT_REFUSED],
  ['Attach of one twice', attach([anAttachment(1), anAttachment(1)]), NOT_REFUSED],
  ['Attach with further members', attach([anAttachment(1, { note: '' })]), NOT_REFUSED],
  [
    'Attach of a blob in capitals',
    attach([anAttachment(1, { arc_attachment_identity: 'blobs/ABCDEF01-0000-4000-8000-00000000000A' })]),
    NOT_REFUSED,
  ],
  ...[undefined, '', 'blobs', [], { a: 'b' }].map(
    (list): Case => [`Attach of ${JSON.stringify(list)}`, attach(list), 'EVENT_ATTRIBUTE_MISSING', APPENDED],
  ),
  ...Object.keys(anAttachment(1)).flatMap((field): Case[] => [
    [
      `Attach of a second item without ${field}`,
      attach([anAttachment(1), without(field)]),
      'ATTACHMENT_INVALID',
      `${APPENDED}/1/${field}`,
    ],
    [
      `Attach of an item with empty ${field}`,
      attach([anAttachment(1, { [field]: '' })]),
      'ATTACHMENT_INVALID',
      `${APPENDED}/0/${field}`,
    ],
  ]),
  ...[...NOT_BLOBS, anAttachment(1).arc_attachment_identity.toUpperCase()].map(
    (identity): Case => [
      `Attach of ${JSON.stringify(identity)}`,
      attach([anAttachment(1, { arc_attachment_identity: identity })]),
      'ATTACHMENT_INVALID',
      `${APPENDED}/0/arc_attachment_identity`,
    ],
  ),
];

const CASES: readonly Case[] = [
  ...ATTACH_CASES,
  ...DESCRIBED.flatMap(([behaviour, operation, more]): Case[] => [
    [`${behaviour} ${operation}`, { behaviour, operation, ...described, ...more }, NOT_REFUSED],
    ...EMPTY_ATTRIBUTES.map(
      (arc_description): Case => [
        `${behaviour} ${operation} with description ${JSON.stringify(arc_description)}`,
        {
          behaviour,
          operation,
          ...more,
          event_attributes: arc_description === undefined ? {} : ({ arc_description } as never),
        },
        'EVENT_ATTRIBUTE_MISSING',
        'event_attributes/arc_description',
      ],
    ),
  ]),
  ...EMPTY_ATTRIBUTES.flatMap((value): Case[] =>
    (
      [
        ['Firmware', 'Update', 'arc_firmware_version'],
        ['LocationUpdate', 'SetHomeLocation', 'arc_home_location_identity'],
      ] as const
    ).map(([behaviour, operation, name]) => [
      `${operation} with ${name} ${JSON.stringify(value)}`,
      { behaviour, operation, ...described, asset_attributes: value === undefined ? {} : ({ [name]: value } as never) },
      'ASSET_ATTRIBUTE_MISSING',
      `asset_attributes/${name}`,
    ]),
  ),
  ['SetHomeLocation', { behaviour: 'LocationUpdate', operation: 'SetHomeLocation', ...homed }, NOT_REFUSED],
  [
    'Update with the version among the event attributes',
    {
      behaviour: 'Firmware',
      operation: 'Update',
      event_attributes: { arc_description: 'new', arc_firmware_version: '2.0' },
    },
    'ASSET_ATTRIBUTE_MISSING',
    'asset_attributes/arc_firmware_version',
  ],
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
      const intent = { behaviour: 'Builtin', operation: 'Add', event_attributes: {}, asset_attributes: {}, ...fields };
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
        asset_attributes: {},
      });
    expect(codeOf(call)).to.equal('BEHAVIOUR_NOT_LISTED');
    expect(fieldsOf(call)).to.deep.equal(['behaviour']);
  });
});

describe('toAssetBehaviours', () => {
  it('adds the inherent behaviours, each once, sorted', () => {
    expect(toAssetBehaviours([])).to.deep.equal(['AssetCreator', 'Builtin']);
    expect(toAssetBehaviours(['RecordEvidence', 'Builtin', 'Attachments', 'RecordEvidence'])).to.deep.equal([
      'AssetCreator',
      'Attachments',
      'Builtin',
      'RecordEvidence',
    ]);
  });

  it('knows all documented behaviours', () => {
    const known = ['Firmware', 'Maintenance', 'RecordEvidence', 'LocationUpdate', 'Attachments', 'Builtin'];
    expect(codeOf(() => toAssetBehaviours(known))).to.equal(NOT_REFUSED);
  });

  it('names the unknown behaviour', () => {
    for (const unknown of ['Nothing', '', 'firmware', 'constructor', '__proto__']) {
      const call = () => toAssetBehaviours(['RecordEvidence', unknown]);
      expect(codeOf(call)).to.equal('BEHAVIOUR_UNKNOWN');
      expect(fieldsOf(call)).to.deep.equal(['behaviours/1']);
    }
  });
});
