import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import fc from 'fast-check';
import { encodeCanonicalJson, type JsonValue } from '../../../ledger/encoding/canonicalJson.ts';
import { decodePayload, encodePayload, type LedgerRecord } from '../../../ledger/records/record.ts';
import { bytesOf, ledgerRecords } from '../../support/arbitraries.ts';
import {
  ALPHA,
  aBlobRecord,
  aBuiltin,
  aCreation,
  aLocationRecord,
  aLogSuccessionRecord,
  anApplicationRecord,
  anAttach,
  anAttachment,
  anEvent,
  aPolicyRecord,
  aPrincipal,
  aSuccessionRecord,
  assetOf,
  aTenantRecord,
  eventOf,
  SETTINGS,
  uuidOf,
} from '../../support/records.ts';

const encodeAny = (value: unknown): Uint8Array =>
  Buffer.concat([Uint8Array.of(1), encodeCanonicalJson(value as JsonValue)]);
const decodeAny = (value: unknown): LedgerRecord | undefined => decodePayload(encodeAny(value));

const without = (record: object, field: string): object =>
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

const FIELDS: readonly [string, LedgerRecord, Readonly<Record<string, readonly unknown[]>>][] = [
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
      roles: [undefined, null, '', 'writer', {}, ['root'], ['Writer'], [['writer']], ['writer', null]],
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
  ['a policy', aPolicyRecord(1), { follows: [...NOT_FOLLOWED, aLocationRecord(1).identity] }],
  [
    'an Attach',
    anAttach([1], { asset_attributes: { colour: 'red' } }),
    { asset_attributes: [{ arc_attachments: [] }, { arc_attachments: [anAttachment(1)] }, { arc_attachments: '' }] },
  ],
];

describe('payloads', () => {
  it('decode to the record that was encoded, whatever its content', () => {
    const check = fc.property(ledgerRecords, (record) => {
      expect(isDeepStrictEqual(decodePayload(encodePayload(record)), record)).to.equal(true);
    });
    fc.assert(check, { numRuns: 500 });
  });

  it('of one record are the same, whatever the order of its fields', () => {
    const check = fc.property(ledgerRecords, (record) => {
      const reversed = Object.fromEntries(Object.entries(record).reverse()) as unknown as LedgerRecord;
      expect(encodePayload(reversed)).to.deep.equal(encodePayload(record));
    });
    fc.assert(check);
  });

  for (const [name, record, fields] of FIELDS) {
    it(`decode to ${name}`, () => expect(decodeAny(record)).to.deep.equal(record));

    for (const field of Object.keys(record)) {
      it(`do not decode to ${name} without ${field}`, () =>
        expect(decodeAny(without(record, field))).to.equal(undefined));
    }

    for (const [field, values] of Object.entries(fields)) {
      it(`do not decode to ${name} with an invalid ${field}`, () => {
        for (const value of values) {
          expect(decodeAny({ ...record, [field]: value }), JSON.stringify(value)).to.equal(undefined);
        }
      });
    }

    for (const field of ['extra', '', 'constructor', '__proto__']) {
      it(`do not decode to ${name} with the additional member ${JSON.stringify(field)}`, () => {
        const entries = [...Object.entries(record), [field, 'x']];
        expect(decodeAny(Object.fromEntries(entries))).to.equal(undefined);
        const replaced = entries.slice(1);
        expect(decodeAny(Object.fromEntries(replaced)), 'in place of the first field').to.equal(undefined);
      });
    }
  }

  it('decode to versions that follow none, or another version of their kind', () => {
    const versions = [aTenantRecord(ALPHA), anApplicationRecord(1), aLocationRecord(1), aPolicyRecord(1)];
    for (const version of versions) {
      for (const follows of ['', version.identity]) {
        expect(decodeAny({ ...version, follows })).to.deep.equal({ ...version, follows });
      }
    }
  });

  it('do not decode to a creation without settings, nor to another event with settings', () => {
    expect(decodeAny({ ...aCreation(), asset_settings: {} })).to.equal(undefined);
    expect(decodeAny({ ...aBuiltin('Add', 'Firmware'), asset_settings: SETTINGS })).to.equal(undefined);
  });

  for (const value of [null, 1, 'event', [], {}, [anEvent()], { type: 'event' }, { type: 'constructor' }]) {
    it(`do not decode to ${JSON.stringify(value).slice(0, 20)}`, () => expect(decodeAny(value)).to.equal(undefined));
  }

  it('of another format version do not decode, nor do empty ones', () => {
    const payload = encodePayload(anEvent());
    for (const version of [0, 2, 0x7b, 255]) {
      expect(decodePayload(Buffer.concat([Uint8Array.of(version), payload.subarray(1)]))).to.equal(undefined);
    }
    expect(decodePayload(new Uint8Array())).to.equal(undefined);
    expect(decodePayload(Uint8Array.of(1))).to.equal(undefined);
  });

  it('that are not canonical do not decode', () => {
    const text = Buffer.from(encodePayload(anEvent()).subarray(1)).toString('utf8');
    for (const changed of [`${text} `, text.replace(':', ': '), JSON.stringify(anEvent())]) {
      expect(decodePayload(Buffer.concat([Uint8Array.of(1), Buffer.from(changed)]))).to.equal(undefined);
    }
  });

  it('with any bytes decode without an exception', () => {
    const check = fc.property(fc.oneof(fc.uint8Array(), bytesOf(40)), (bytes) => {
      expect(decodePayload(Buffer.concat([Uint8Array.of(1), bytes]))).to.equal(undefined);
    });
    fc.assert(check);
  });

  it('of a record with a lone surrogate are refused', () => {
    expect(() => encodePayload(anEvent({ event_attributes: { a: '\ud800' } }))).to.throw();
  });
});
