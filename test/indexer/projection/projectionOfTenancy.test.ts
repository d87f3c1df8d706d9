// The projection of versions of tenants and applications.
import { expect } from 'chai';
import * as keys from '../../../indexer/keys.ts';
import { decodeRecord } from '../../../indexer/rows/recordRow.ts';
import { keccak256 } from '../../../ledger/encoding/keccak.ts';
import { toApplicationIdentity, toKey, toVersionIdentity } from '../../../ledger/identity.ts';
import { createIndexModel, type IndexModel } from '../../support/indexModel.ts';
import { toRecordLog, type WrittenRecord } from '../../support/recordLogs.ts';
import { ALPHA, anApplicationRecord, aSuccessionRecord, aTenantRecord, BETA, uuidOf } from '../../support/records.ts';

const alpha = toKey(ALPHA);
const TENANT: WrittenRecord = { record: aTenantRecord(ALPHA) };

const indexOf = (...written: WrittenRecord[]): IndexModel => {
  const index = createIndexModel();
  for (const [at, each] of written.entries()) index.take(toRecordLog(each, at + 1));
  return index;
};

describe('projection of tenancy', () => {
  const nameKey = (name: string) => keys.tenantNameKey(keccak256(Buffer.from(name)));
  const named = (tenant: string, display_name: string, version = 1): WrittenRecord => ({
    tenantIdentity: tenant,
    record: aTenantRecord(tenant, { display_name, identity: toVersionIdentity(tenant, uuidOf(version)) }),
  });
  const application = (tenant: string, version: number, display_name: string): WrittenRecord => ({
    tenantIdentity: tenant,
    record: anApplicationRecord(1, {
      display_name,
      identity: toVersionIdentity(toApplicationIdentity(uuidOf(1)), uuidOf(version)),
    }),
  });
  const streamKey = toKey(toApplicationIdentity(uuidOf(1)));
  const readApplication = (index: IndexModel): unknown[] => [
    index.read(keys.applicationTenantKey(streamKey)),
    ...[ALPHA, BETA].map((tenant) => index.read(keys.namedKey(toKey(tenant), 'applications', streamKey))),
  ];

  it('holds the newest version of a tenant', () => {
    const index = indexOf(named(ALPHA, 'first'), named(ALPHA, 'second', 2));
    expect(index.read(keys.tenantRowKey(alpha))).to.deep.equal({
      identity: ALPHA,
      tenant: named(ALPHA, 'second', 2).record,
    });
    expect(index.read(nameKey('second'))).to.equal(ALPHA);
  });

  it('leaves a name with the first tenant that used it', () => {
    const index = indexOf(named(ALPHA, 'mint'), named(BETA, 'mint'), named(BETA, 'mint', 2));
    expect(index.read(nameKey('mint'))).to.equal(ALPHA);
  });

  it('leaves a name with the first tenant that used it, even after that tenant is renamed', () => {
    const index = indexOf(named(ALPHA, 'mint'), named(ALPHA, 'sage', 2), named(BETA, 'mint'));
    expect([index.read(nameKey('mint')), index.read(nameKey('sage'))]).to.deep.equal([ALPHA, ALPHA]);
  });

  it('stores a succession, which comes before its tenant, under its identity alone', () => {
    const record = aSuccessionRecord();
    const rowKey = keys.recordKey(alpha, toKey(record.identity));
    for (const before of [[], [TENANT]]) {
      const index = indexOf(...before);
      const writes = index.take(toRecordLog({ record }, 2));
      expect(writes.map(({ key }) => key)).to.deep.equal([rowKey]);
      expect(decodeRecord(index.read(rowKey) as Uint8Array)).to.deep.equal(record);
    }
  });

  it('holds the newest version of an application', () => {
    const index = indexOf(TENANT, application(ALPHA, 1, 'old'), application(ALPHA, 2, 'new'));
    expect(readApplication(index)).to.deep.equal([
      ALPHA,
      { number: 0, record: application(ALPHA, 2, 'new').record },
      undefined,
    ]);
  });

  it('leaves an application with the first tenant that used its client id', () => {
    const index = indexOf(
      TENANT,
      named(BETA, 'thief'),
      application(ALPHA, 1, 'mine'),
      application(BETA, 2, 'mine too'),
    );
    expect(readApplication(index)).to.deep.equal([
      ALPHA,
      { number: 0, record: application(ALPHA, 1, 'mine').record },
      undefined,
    ]);
  });
});
