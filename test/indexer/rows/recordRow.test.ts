import { expect } from 'chai';
import fc from 'fast-check';
import {
  decodeCommitment,
  decodePayloadRow,
  decodeRecordRow,
  encodeRecordRow,
  isPlainRow,
  isRecordRow,
  isRowOfPayload,
  toCommitment,
} from '../../../indexer/rows/recordRow.ts';
import { encodeRow } from '../../../indexer/rows/rows.ts';
import { toHex } from '../../../ledger/encoding/hex.ts';
import { toTenantIdentity } from '../../../ledger/identity.ts';
import { encodePayload } from '../../../ledger/records/record.ts';
import { attributeMaps, ledgerRecords } from '../../support/arbitraries.ts';
import { bytesOf, uuids } from '../../support/recordParts.ts';

const places = fc.record({
  blockNumber: fc.nat({ max: 2 ** 48 - 1 }),
  logIndex: fc.nat({ max: 2 ** 32 - 1 }),
  transactionIndex: fc.nat({ max: 2 ** 32 - 1 }),
  blockTimestampSeconds: fc.nat({ max: 253_402_300_799 }),
  transactionHash: bytesOf(32).map(toHex),
  author: bytesOf(20).map(toHex),
});
const attachments = fc.option(
  attributeMaps.map((attributes) => Object.values(attributes)[0]),
  { nil: undefined },
);

const additions = fc.record({
  attachmentsAfter: attachments,
  writer: fc.option(uuids.map(toTenantIdentity), { nil: undefined }),
});

describe('row of a record', () => {
  it('decodes to what was encoded', () => {
    const check = fc.property(ledgerRecords, places, additions, (record, place, added) => {
      const payload = encodePayload(record);
      const row = encodeRecordRow(place, payload, added);
      const read = decodeRecordRow(row);
      expect(read).to.deep.equal({ record, commitment: toCommitment(place), ...added });
      expect(isRecordRow(row)).to.equal(true);
      expect(isPlainRow(row)).to.equal(added.attachmentsAfter === undefined && added.writer === undefined);
      expect(decodePayloadRow(row)?.place).to.deep.equal(place);
      expect(decodeCommitment(row)).to.deep.equal(read.commitment);
      expect(toHex(encodePayload(read.record))).to.equal(toHex(payload));
      expect(isRowOfPayload(row, payload)).to.equal(true);
      expect(isRowOfPayload(row, payload.subarray(1))).to.equal(false);
      expect(encodeRow(row)[0]).to.be.lessThan(0x20);
    });
    fc.assert(check);
  });
});
