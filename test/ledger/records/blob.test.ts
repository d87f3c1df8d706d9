import { expect } from 'chai';
import { toBlobResource } from '../../../ledger/records/blob.ts';
import { ALPHA, aBlobRecord, aPrincipal, blobOf, hashOf } from '../../support/records.ts';

describe('toBlobResource', () => {
  it('has every documented field', () => {
    expect(toBlobResource(aBlobRecord(5), ALPHA)).to.deep.equal({
      identity: blobOf(5),
      hash: { alg: 'SHA256', value: hashOf(5) },
      mime_type: 'image/png',
      size: 1_024,
      timestamp_accepted: '2026-11-20T12:00:00.000Z',
      issuer: aPrincipal().issuer,
      subject: aPrincipal().subject,
      tenantid: ALPHA,
      scanned_status: 'NOT_SCANNED',
      scanned_timestamp: '',
      scanned_bad_reason: '',
    });
  });
});
