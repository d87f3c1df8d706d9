import { expect } from 'chai';
import { createRecordQuota, type RecordQuota } from '../../../chain/writing/recordQuota.ts';
import type { LedgerError } from '../../../ledger/errors.ts';
import { ALPHA, BETA } from '../../support/records.ts';

const HOUR_MS = 3_600_000;
const NOON_MS = 12 * HOUR_MS;

describe('the quota of record bytes', () => {
  let nowMs = NOON_MS;
  let stored: Record<string, number> = {};
  let quota: RecordQuota;
  beforeEach(() => {
    nowMs = NOON_MS;
    stored = {};
    quota = createRecordQuota({ bytesMax: 1_000, readBytes: (tenant) => stored[tenant] ?? 0, now: () => nowMs });
  });
  const take = (bytes: number, tenant = ALPHA) => quota.take(tenant, 'event', bytes);
  const refusalOf = (run: () => unknown): LedgerError | undefined => {
    try {
      run();
      return undefined;
    } catch (error) {
      return error as LedgerError;
    }
  };

  it('is exact at its edge, for each tenant, until the day ends', () => {
    take(999);
    take(1);
    expect(refusalOf(() => take(1))).to.include({ code: 'RECORD_QUOTA_REACHED', retryAfterMs: 12 * HOUR_MS });
    take(1_000, BETA);
    nowMs += 12 * HOUR_MS;
    take(1_000);
  });

  it('gets back what was refused elsewhere, at once and only once', () => {
    const giveBack = take(600);
    take(400);
    giveBack();
    giveBack();
    take(600);
    expect(refusalOf(() => take(1))?.code).to.equal('RECORD_QUOTA_REACHED');
  });

  it('gets back what was taken before a reading that no longer has it', () => {
    const giveBack = take(600);
    nowMs += HOUR_MS;
    take(400);
    giveBack();
    take(600);
    expect(refusalOf(() => take(1))?.code).to.equal('RECORD_QUOTA_REACHED');
  });

  it('counts what this process took, whatever day its blocks have', () => {
    for (let count = 0; count < 10; count += 1) {
      take(100);
      nowMs += 5 * 60_000;
    }
    expect(refusalOf(() => take(1))?.code).to.equal('RECORD_QUOTA_REACHED');
  });

  it('counts what other servers recorded, a minute later at most', () => {
    take(100);
    stored[ALPHA] = 900;
    nowMs += 60_000;
    take(100);
    expect(refusalOf(() => take(1))?.code).to.equal('RECORD_QUOTA_REACHED');
  });

  it('leaves a mebibyte for records by which rights are withdrawn', () => {
    take(1_000);
    for (const type of ['application', 'tenant', 'access_policy', 'subject'] as const) quota.take(ALPHA, type, 2 ** 18);
    expect(refusalOf(() => quota.take(ALPHA, 'application', 1))?.code).to.equal('RECORD_QUOTA_REACHED');
    expect(refusalOf(() => take(1))?.code).to.equal('RECORD_QUOTA_REACHED');
  });

  it('leaves the mebibyte also when the tenant had recorded far more before the quota was lowered', () => {
    stored[ALPHA] = 2 ** 22;
    expect(refusalOf(() => take(1))?.code).to.equal('RECORD_QUOTA_REACHED');
    const giveBack = quota.take(ALPHA, 'application', 2 ** 20);
    expect(refusalOf(() => quota.take(ALPHA, 'access_policy', 1))?.code).to.equal('RECORD_QUOTA_REACHED');
    giveBack();
    quota.take(ALPHA, 'access_policy', 2 ** 20);
    expect(refusalOf(() => take(1))?.code).to.equal('RECORD_QUOTA_REACHED');
    nowMs += 12 * HOUR_MS;
    quota.take(ALPHA, 'subject', 2 ** 20);
  });
});
