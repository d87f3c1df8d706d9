// Which error a refusal by the chain is, where no status could show it.
import { expect } from 'chai';
import { appendConfirmed, type VersionDeps } from '../../../server/records/appendVersion.ts';
import { anApplicationRecord } from '../../support/records.ts';
import { rejectionOf } from '../../support/refusals.ts';

describe('a version that the chain refuses', () => {
  const failWith = (failure_reason: 'AUTHOR_UNAVAILABLE' | 'TRANSACTION_REFUSED'): VersionDeps => ({
    writer: {
      append: async () => ({ confirmation_status: 'FAILED', failure_reason }),
    } as unknown as VersionDeps['writer'],
    view: { isConflicting: async () => false },
  });

  it('is an error that names a removed key, or the refusal', async () => {
    for (const code of ['AUTHOR_UNAVAILABLE', 'TRANSACTION_REFUSED'] as const) {
      const appending = appendConfirmed(failWith(code), 'tenant/1', anApplicationRecord(1));
      expect(await rejectionOf(appending)).to.equal(code);
    }
  });
});
