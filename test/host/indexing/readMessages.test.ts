// Errors of reads in another thread.
import { expect } from 'chai';
import { toFailure, toReadError } from '../../../host/indexing/readMessages.ts';
import { LedgerError, refuseField } from '../../../ledger/errors.ts';

describe('an error of a read in another thread', () => {
  const pass = (error: unknown): Error => toReadError(structuredClone(toFailure(error)));

  it('is the same refusal in the main thread', () => {
    const refusal = refuseField('ASSET_AMBIGUOUS', 'tenant_identity', 'must name the owner');
    for (const error of [refusal, new LedgerError('INDEX_DAMAGED', { message: 'a row' })]) {
      const { code, message, violations } = pass(error) as LedgerError;
      expect({ code, message, violations }).to.deep.equal({
        code: error.code,
        message: error.message,
        violations: error.violations,
      });
    }
  });

  it('is no refusal where it was none', () => {
    for (const error of [new Error('lost'), 'lost']) {
      expect(pass(error)).to.not.be.instanceOf(LedgerError);
      expect(pass(error).message).to.equal('lost');
    }
  });
});
