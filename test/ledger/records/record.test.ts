import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import fc from 'fast-check';
import { encodeCanonicalJson, type JsonValue } from '../../../ledger/encoding/canonicalJson.ts';
import { toApplication, toRecordedRoles } from '../../../ledger/records/application.ts';
import { decodePayload, encodePayload, isOfNewerCode, type LedgerRecord } from '../../../ledger/records/record.ts';
import { ledgerRecords } from '../../support/arbitraries.ts';
import { runs } from '../../support/propertyRuns.ts';
import { bytesOf } from '../../support/recordParts.ts';
import {
  ALPHA,
  aBuiltin,
  aContribution,
  aCreation,
  aLocationRecord,
  anAccessPolicyRecord,
  anApplicationRecord,
  anEvent,
  aPolicyRecord,
  aTenantRecord,
  SETTINGS,
} from '../../support/records.ts';
import { FIELDS, without } from './recordFields.ts';

const encodeAny = (value: unknown): Uint8Array =>
  Buffer.concat([Uint8Array.of(1), encodeCanonicalJson(value as JsonValue)]);
const decodeAny = (value: unknown): LedgerRecord | undefined => decodePayload(encodeAny(value));

describe('payloads', () => {
  it('decode to the record that was encoded, whatever its content', () => {
    const check = fc.property(ledgerRecords, (record) => {
      expect(isDeepStrictEqual(decodePayload(encodePayload(record)), record)).to.equal(true);
    });
    fc.assert(check, runs(500));
  });

  it('of one record are the same, whatever the order of its fields', () => {
    const check = fc.property(ledgerRecords, (record) => {
      const reversed = Object.fromEntries(Object.entries(record).reverse()) as unknown as LedgerRecord;
      expect(encodePayload(reversed)).to.deep.equal(encodePayload(record));
    });
    fc.assert(check);
  });

  for (const [name, record] of FIELDS) {
    it(`decode to ${name} that says where it stood, in 0x03 only`, () => {
      const place = {
        block_number: 7,
        log_index: 0,
        timestamp_committed: '2026-01-01T00:00:00Z',
        transaction_id: `0x${'1f'.repeat(32)}`,
        transaction_index: 0,
      };
      const again = { ...(record as LedgerRecord), appended_again: [place] } as LedgerRecord;
      const payload = encodePayload(again);
      expect(payload[0]).to.equal(3);
      expect(decodePayload(payload)).to.deep.equal(again);
      expect(decodePayload(Buffer.concat([Uint8Array.of(1), payload.subarray(1)]))).to.equal(undefined);
    });
  }

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

  it('do not decode to a contribution that creates an asset, or has settings', () => {
    const creation = { behaviour: 'AssetCreator', operation: 'NewAsset' };
    expect(decodeAny({ ...aContribution(ALPHA), ...creation })).to.equal(undefined);
    expect(decodeAny({ ...aContribution(ALPHA), asset_settings: {} })).to.equal(undefined);
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
    for (const version of [0, 2, 3, 0x7b, 255]) {
      expect(decodePayload(Buffer.concat([Uint8Array.of(version), payload.subarray(1)]))).to.equal(undefined);
    }
    expect(decodePayload(new Uint8Array())).to.equal(undefined);
    expect(decodePayload(Uint8Array.of(1))).to.equal(undefined);
  });

  it('have the version 0x03 exactly where a record has a member that 0x01 does not', () => {
    const plain = [aPolicyRecord(1), anAccessPolicyRecord(1)];
    for (const record of plain) {
      const added = { ...record, condition_syntax: 'escaped' as const };
      expect([encodePayload(record)[0], encodePayload(added)[0]]).to.eql([1, 3]);
      expect(decodePayload(encodePayload(added))).to.eql(added);
      const decode = (version: number, value: object) =>
        decodePayload(Buffer.concat([Uint8Array.of(version), encodeCanonicalJson(value as unknown as JsonValue)]));
      expect(decode(1, added)).to.equal(undefined);
      expect(decode(3, record)).to.equal(undefined);
      for (const wrong of ['other', '', null, 1])
        expect(decode(3, { ...record, condition_syntax: wrong })).to.equal(undefined);
      expect(decode(3, { ...added, unknown: 'x' })).to.equal(undefined);
      expect(decode(3, without(added, 'identity'))).to.equal(undefined);
    }
    const event = { ...anEvent(), condition_syntax: 'escaped' };
    for (const version of [1, 3])
      expect(decodePayload(Buffer.concat([Uint8Array.of(version), encodeAny(event).subarray(1)]))).to.equal(undefined);
  });

  it('have the role policies of an application as an addition, once', () => {
    const record = anApplicationRecord(1, toRecordedRoles(['administrator', 'policies', 'writer']));
    expect([record.roles, record.added_roles]).to.eql([['administrator', 'writer'], ['policies']]);
    expect([encodePayload(record)[0], decodePayload(encodePayload(record))]).to.eql([3, record]);
    expect(toApplication(record)!.roles).to.eql(['writer', 'policies', 'administrator']);
    for (const wrong of [[], ['writer'], ['policies', 'policies'], 'policies', null]) {
      const payload = encodeAny({ ...record, added_roles: wrong });
      expect(decodePayload(Buffer.concat([Uint8Array.of(3), payload.subarray(1)]))).to.equal(undefined);
    }
    const first = anApplicationRecord(1, toRecordedRoles(['administrator', 'writer']));
    expect([encodePayload(first)[0], toApplication(first)!.roles]).to.eql([1, ['administrator', 'writer']]);
  });

  it('are of newer code with another version, or with members that are unknown', () => {
    const added = encodePayload({ ...aPolicyRecord(1), condition_syntax: 'escaped' });
    const unknown = encodeAny({ ...aPolicyRecord(1), unknown: 'x' });
    for (const known of [new Uint8Array(), encodePayload(anEvent()), unknown, added])
      expect(isOfNewerCode(known)).to.equal(false);
    for (const newer of [Uint8Array.of(2), Uint8Array.of(4), Buffer.concat([Uint8Array.of(3), unknown.subarray(1)])])
      expect(isOfNewerCode(newer)).to.equal(true);
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
