// The access policies of a tenant that were in effect at a time.
import { expect } from 'chai';
import { toAccessPolicyIdentity, toVersionIdentity } from '../../../../ledger/identity.ts';
import type { LedgerRecord } from '../../../../ledger/records/record.ts';
import { toRecordLog } from '../../../support/recordLogs.ts';
import { ALPHA, anAccessPolicyRecord, aTenantRecord, uuidOf } from '../../../support/records.ts';
import { useIndex } from '../../../support/viewFixture.ts';

const FIRST_MS = Date.parse('2026-11-20T12:00:00.000Z');
const acceptedAt = (second: number): string => new Date(FIRST_MS + second * 1_000).toISOString();

describe('access policies at a time', () => {
  const index = useIndex();
  const version = (policy: number, second: number, follows?: number): LedgerRecord => {
    const stream = toAccessPolicyIdentity(uuidOf(policy));
    return anAccessPolicyRecord(policy, {
      identity: toVersionIdentity(stream, uuidOf(second)),
      follows: follows === undefined ? '' : toVersionIdentity(stream, uuidOf(follows)),
      display_name: `${second}`,
      timestamp_accepted: acceptedAt(second),
    });
  };
  const readAt = async (second: number) => {
    const found = await index().view.readAccessPoliciesAt(ALPHA, FIRST_MS + second * 1_000);
    return found.map(({ policy, createdMs }) => [policy.display_name, (createdMs - FIRST_MS) / 1_000]);
  };

  it("are those that were created after the tenant's own record, in the versions that took effect", async () => {
    const records = [
      version(1, 1),
      version(2, 2),
      aTenantRecord(ALPHA),
      version(3, 3),
      version(1, 4),
      version(1, 5, 4),
    ];
    const sequences = [1, 1, 1, 1, 2, 3];
    await index().take(
      records.map((record, at) => toRecordLog({ record, changed: { sequence: sequences[at]! } }, at + 1)),
    );
    expect(await readAt(2)).to.deep.equal([]);
    expect(await readAt(3)).to.deep.equal([['3', 3]]);
    expect(await readAt(9)).to.deep.equal([
      ['5', 4],
      ['3', 3],
    ]);
  });
});
