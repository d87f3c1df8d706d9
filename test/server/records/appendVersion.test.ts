// Which error a refusal by the chain is, where no status could show it.
import { expect } from 'chai';
import { toPrincipal } from '../../../ledger/principal.ts';
import { createAcceptanceClock } from '../../../server/acceptanceClock.ts';
import { appendConfirmed, type VersionDeps } from '../../../server/records/appendVersion.ts';
import { anApplicationRecord } from '../../support/records.ts';
import { rejectionOf } from '../../support/refusals.ts';

const CALLER = { tenantIdentity: 'tenant/1', principal: toPrincipal({ issuer: 'i', subject: 's' }) };

describe('a version that the chain refuses', () => {
  const failWith = (failure_reason: 'AUTHOR_UNAVAILABLE' | 'TRANSACTION_REFUSED'): VersionDeps => ({
    writer: {
      begin: async () => ({ confirmation_status: 'FAILED', failure_reason }),
    } as unknown as VersionDeps['writer'],
    clock: createAcceptanceClock(() => 0),
    isEmailOmitted: false,
    view: { isConflicting: async () => false },
  });

  it('is an error that names a removed key, or the refusal', async () => {
    for (const code of ['AUTHOR_UNAVAILABLE', 'TRANSACTION_REFUSED'] as const) {
      const appending = appendConfirmed(failWith(code), CALLER, () => anApplicationRecord(1));
      expect(await rejectionOf(appending)).to.equal(code);
    }
  });
});
