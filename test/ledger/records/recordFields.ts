// Records of each type, with invalid values of their fields.
import type { LedgerRecord } from '../../../ledger/records/record.ts';
import {
  ALPHA,
  aBlobRecord,
  aContribution,
  aCreation,
  aLocationRecord,
  aLogSuccessionRecord,
  anAccessPolicyRecord,
  anApplicationRecord,
  anAttach,
  anAttachment,
  anEvent,
  aPermission,
  aPolicyRecord,
  aPrincipal,
  aSubjectRecord,
  aSuccessionRecord,
  assetOf,
  aTenantRecord,
  BETA,
  eventOf,
  SETTINGS,
  uuidOf,
  WALLET_KEY,
} from '../../support/records.ts';

/** A record without one of its fields. */
export const without = (record: object, field: string): object =>
  Object.fromEntries(Object.entries(record).filter(([name]) => name !== field));

// Invalid values of each kind of field.
const NOT_TEXT = [undefined, null, 1, true, {}, []];
const NOT_NUMBERS = [undefined, null, '1', true, {}, []];
const NOT_TIMESTAMPS = [...NOT_TEXT, '', '2026-11-20T12:00:00Z', '2026-02-30T00:00:00.000Z'];
const NOT_PRINCIPALS = [
  undefined,
  null,
  'root',
  [],
  {},
  without(aPrincipal(), 'email'),
  { ...aPrincipal(), subject: 1 },
  { ...aPrincipal(), role: 'root' },
];
const NOT_ATTRIBUTES = [undefined, null, '', [], { a: 1 }, { a: null }, { a: { b: { c: '' } } }, { a: [['']] }];
const NOT_HASHES = [
  ...NOT_TEXT,
  '',
  'AB'.repeat(32),
  'ab'.repeat(31),
  `${'ab'.repeat(32)}\n`,
  'zz'.repeat(32),
  ['ab'.repeat(32)],
];
const NOT_COORDINATES = [...NOT_TEXT, '', '180.1', '1e999', '0x10', ' 1', 'NaN'];
const NOT_VERSIONS = [...NOT_TEXT, '', uuidOf(1), eventOf(1, 1), ALPHA];
// `follows` may be missing, as in 0.1, and empty.
const NOT_FOLLOWED = [...NOT_VERSIONS.filter((value) => value !== undefined && value !== ''), aBlobRecord(1).identity];

/** By name: a record, and for its fields values that make it invalid. */
export const FIELDS: readonly [string, LedgerRecord, Readonly<Record<string, readonly unknown[]>>][] = [
  [
    'an event',
    anEvent(),
    {
      type: [...NOT_TEXT, 'Event', 'tenant', 'application', 'toString', '__proto__'],
      identity: [...NOT_TEXT, '', assetOf(1), eventOf(1, 1).toUpperCase(), `${ALPHA}/versions/${uuidOf(1)}`],
      behaviour: NOT_TEXT,
      operation: NOT_TEXT,
      event_attributes: [...NOT_ATTRIBUTES, { a: ['b'] }, { a: [{ b: 1 }] }],
      asset_attributes: NOT_ATTRIBUTES,
      asset_settings: [undefined, null, '', [], { public: true }, SETTINGS],
      timestamp_accepted: NOT_TIMESTAMPS,
      timestamp_declared: NOT_TIMESTAMPS,
      principal_accepted: NOT_PRINCIPALS,
      principal_declared: NOT_PRINCIPALS,
    },
  ],
  [
    'a creation',
    aCreation(),
    {
      asset_settings: [
        {},
        without(SETTINGS, 'public'),
        { ...SETTINGS, extra: '' },
        { ...SETTINGS, behaviours: 'Builtin' },
        { ...SETTINGS, behaviours: [1] },
        { ...SETTINGS, proof_mechanism: 'khipu' },
        { ...SETTINGS, proof_mechanism: ['KHIPU'] },
        { ...SETTINGS, public: 'true' },
      ],
      operation: ['Record'],
      behaviour: ['RecordEvidence'],
    },
  ],
  [
    'a contribution',
    aContribution(ALPHA),
    {
      type: ['event', null],
      identity: [
        ...NOT_TEXT,
        '',
        eventOf(1, 4),
        `${BETA}/${eventOf(1, 4)}`,
        `${ALPHA}/${eventOf(1, 4).toUpperCase()}`,
        `${ALPHA}/${assetOf(1)}`,
        `${ALPHA}/versions/${uuidOf(1)}`,
      ],
      owner: [...NOT_TEXT, '', BETA, uuidOf(0xa), `${ALPHA}/`],
      behaviour: NOT_TEXT,
      operation: NOT_TEXT,
      event_attributes: [...NOT_ATTRIBUTES, { a: ['b'] }, { a: [{ b: 1 }] }],
      asset_attributes: NOT_ATTRIBUTES,
      timestamp_accepted: NOT_TIMESTAMPS,
      timestamp_declared: NOT_TIMESTAMPS,
      principal_accepted: NOT_PRINCIPALS,
      principal_declared: NOT_PRINCIPALS,
    },
  ],
  [
    'a contributed Attach',
    aContribution(ALPHA, { ...anAttach([1]), identity: eventOf(1, 4) }),
    { asset_attributes: [{ arc_attachments: [] }] },
  ],
  [
    'the succession of a log',
    aLogSuccessionRecord(),
    {
      type: ['succession', null],
      identity: [...NOT_VERSIONS, aSuccessionRecord().identity],
      origin: [...NOT_TEXT, ''],
      previous_origin: [...NOT_TEXT, ''],
      size: [...NOT_NUMBERS, 0, -1, 1.5, 2 ** 53],
      root: [...NOT_TEXT, '', 'ab'.repeat(32), `0x${'AB'.repeat(32)}`, `0x${'ab'.repeat(33)}`],
      timestamp_accepted: NOT_TIMESTAMPS,
      principal_accepted: NOT_PRINCIPALS,
    },
  ],
  [
    'a succession',
    aSuccessionRecord(),
    {
      type: ['tenant', null],
      identity: [...NOT_VERSIONS, aTenantRecord(ALPHA).identity],
      chain_id: [...NOT_NUMBERS, 0, -1, 1.5, 2 ** 53],
      contract: [...NOT_TEXT, '', '0x', `0x${'AB'.repeat(20)}`, `0x${'ab'.repeat(21)}`],
      block_hash: [...NOT_TEXT, '', 'ab'.repeat(32), `0x${'AB'.repeat(32)}`, `0x${'ab'.repeat(31)}`],
      size: [...NOT_NUMBERS, 0, -1, 1.5, 2 ** 53],
      root: [...NOT_TEXT, '', 'ab'.repeat(32), `0x${'AB'.repeat(32)}`, `0x${'ab'.repeat(33)}`],
      timestamp_accepted: NOT_TIMESTAMPS,
      principal_accepted: NOT_PRINCIPALS,
    },
  ],
  [
    'a tenant',
    aTenantRecord(ALPHA),
    {
      type: ['event', 'application', null],
      identity: [...NOT_VERSIONS, anApplicationRecord(1).identity],
      follows: [...NOT_FOLLOWED, anApplicationRecord(1).identity],
      display_name: [...NOT_TEXT, ''],
      root_principals: [undefined, null, [], {}, [null], [aPrincipal(), {}], { 0: aPrincipal(), length: 1 }],
      timestamp_accepted: NOT_TIMESTAMPS,
      principal_accepted: NOT_PRINCIPALS,
    },
  ],
  [
    'an application',
    anApplicationRecord(1),
    {
      type: ['event', 'tenant', null],
      identity: [...NOT_VERSIONS, aTenantRecord(ALPHA).identity],
      follows: [...NOT_FOLLOWED, aTenantRecord(ALPHA).identity],
      display_name: [...NOT_TEXT, ''],
      roles: [undefined, null, '', 'writer', {}, ['root'], ['Writer'], [['writer']], ['writer', null], ['policies']],
      secret_sha256: NOT_HASHES,
      custom_claims: [null, '', [], { a: 1 }, { a: {} }, { a: null }],
      secret_valid_from: NOT_TIMESTAMPS.filter((value) => value !== undefined),
      is_deleted: [null, 0, 'false', {}],
      timestamp_accepted: NOT_TIMESTAMPS,
      principal_accepted: NOT_PRINCIPALS,
    },
  ],
  [
    'a location',
    aLocationRecord(1),
    {
      type: ['event', 'blob', null],
      identity: [...NOT_VERSIONS, aBlobRecord(1).identity, assetOf(1)],
      follows: [...NOT_FOLLOWED, aPolicyRecord(1).identity],
      display_name: NOT_TEXT,
      description: NOT_TEXT,
      latitude: [...NOT_COORDINATES, '90.0000000000000001'],
      longitude: [...NOT_COORDINATES, '180.0000000000000001'],
      attributes: [...NOT_ATTRIBUTES, { a: {} }, { a: [] }, { a: { b: '' } }],
      is_deleted: [null, 0, 'false', {}],
      timestamp_accepted: NOT_TIMESTAMPS,
      principal_accepted: NOT_PRINCIPALS,
    },
  ],
  [
    'a blob',
    aBlobRecord(1),
    {
      type: ['event', 'location', null],
      identity: [...NOT_VERSIONS, aLocationRecord(1).identity, assetOf(1)],
      sha256: NOT_HASHES,
      mime_type: [...NOT_TEXT, ''],
      size: [undefined, null, '1', 0, -1, 1.5, 2 ** 53, [1], {}, true],
      timestamp_accepted: NOT_TIMESTAMPS,
      principal_accepted: NOT_PRINCIPALS,
    },
  ],
  [
    'a subject',
    aSubjectRecord(1),
    {
      type: ['event', 'tenant', null],
      identity: [...NOT_VERSIONS, aPolicyRecord(1).identity],
      follows: [...NOT_VERSIONS.filter((value) => value !== ''), aPolicyRecord(1).identity],
      display_name: NOT_TEXT,
      wallet_pub_key: [...NOT_TEXT.slice(0, 4), '', [1], [''], [`02${WALLET_KEY.slice(2, 66)}`], [`0x${WALLET_KEY}`]],
      tessera_pub_key: [undefined, null, '', {}, [1], [null]],
      is_deleted: [undefined, null, 0, 'false', {}],
      timestamp_accepted: NOT_TIMESTAMPS,
      principal_accepted: NOT_PRINCIPALS,
    },
  ],
  [
    'an access policy',
    anAccessPolicyRecord(1),
    {
      type: ['policy', 'tenant', null],
      identity: [...NOT_VERSIONS, aPolicyRecord(1).identity],
      follows: [...NOT_VERSIONS.filter((value) => value !== ''), aPolicyRecord(1).identity],
      display_name: NOT_TEXT,
      description: NOT_TEXT,
      filters: [undefined, null, '', {}, [''], [{}], [{ or: '' }], [{ or: [1] }], [{ or: [], and: [] }]],
      access_permissions: [
        ...[undefined, null, '', {}, [null], [{}]],
        [without(aPermission(), 'behaviours')],
        [{ ...aPermission(), extra: [] }],
        [{ ...aPermission(), subjects: [1] }],
        [{ ...aPermission(), asset_attributes_write: '*' }],
        [{ ...aPermission(), user_attributes: ['email=a'] }],
      ],
      is_deleted: [undefined, null, 0, 'false', {}],
      timestamp_accepted: NOT_TIMESTAMPS,
      principal_accepted: NOT_PRINCIPALS,
    },
  ],
  ['a policy', aPolicyRecord(1), { follows: [...NOT_FOLLOWED, aLocationRecord(1).identity] }],
  [
    'an Attach',
    anAttach([1], { asset_attributes: { colour: 'red' } }),
    { asset_attributes: [{ arc_attachments: [] }, { arc_attachments: [anAttachment(1)] }, { arc_attachments: '' }] },
  ],
];
