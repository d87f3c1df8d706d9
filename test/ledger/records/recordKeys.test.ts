// The keys and the stream of a record.
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'chai';
import fc from 'fast-check';
import { toHex } from '../../../ledger/encoding/hex.ts';
import { toKey, toStreamIdentityOf } from '../../../ledger/identity.ts';
import { decodeKeyedPayload, encodePayload, type LedgerRecord } from '../../../ledger/records/record.ts';
import { ledgerRecords } from '../../support/arbitraries.ts';
import {
  ALPHA,
  aBlobRecord,
  aLocationRecord,
  anApplicationRecord,
  anEvent,
  assetOf,
  aTenantRecord,
  eventOf,
  uuidOf,
} from '../../support/records.ts';

describe('payloads under keys', () => {
  const keysOf = (record: LedgerRecord) => ({
    streamKey: toHex(toKey(toStreamIdentityOf(record))),
    recordKey: toHex(toKey(record.identity)),
  });

  it('decode to the record that the keys name', () => {
    const check = fc.property(ledgerRecords, (record) => {
      const said = decodeKeyedPayload(encodePayload(record), keysOf(record));
      expect(isDeepStrictEqual(said, record)).to.equal(true);
    });
    fc.assert(check);
  });

  it('do not decode under the keys of another record or stream, nor when they are not a payload', () => {
    const payload = encodePayload(anEvent());
    const own = keysOf(anEvent());
    const other = keysOf(anEvent({ identity: eventOf(2, 2) }));
    expect(decodeKeyedPayload(payload, { ...own, recordKey: other.recordKey })).to.equal(undefined);
    expect(decodeKeyedPayload(payload, { ...own, streamKey: other.streamKey })).to.equal(undefined);
    expect(decodeKeyedPayload(Uint8Array.of(2, 3), own)).to.equal(undefined);
  });
});

describe('stream of a record', () => {
  it('is the asset of an event, and the resource of a version', () => {
    const records = [anEvent(), aTenantRecord(ALPHA), anApplicationRecord(7), aLocationRecord(8), aBlobRecord(9)];
    expect(records.map(toStreamIdentityOf)).to.deep.equal([
      assetOf(1),
      ALPHA,
      `applications/${uuidOf(7)}`,
      `locations/${uuidOf(8)}`,
      `blobs/${uuidOf(9)}`,
    ]);
  });

  it('does not exist for texts that are not the identity of a record', () => {
    expect(() => toStreamIdentityOf(anEvent({ identity: assetOf(1) }))).to.throw(TypeError);
  });
});
