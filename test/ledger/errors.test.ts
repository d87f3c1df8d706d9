import { expect } from 'chai';
import { LedgerError, refuseField } from '../../ledger/errors.ts';

describe('refusals', () => {
  it('have their code, fields and cause', () => {
    const cause = new Error('foreign');
    const error = new LedgerError('CHAIN_UNAVAILABLE', { cause });
    expect([error.code, error.violations, error.cause]).to.deep.equal(['CHAIN_UNAVAILABLE', [], cause]);
    expect(Object.hasOwn(new LedgerError('FORBIDDEN'), 'cause')).to.equal(false);
    expect(refuseField('ATTRIBUTE_INVALID', 'attributes/a', 'no')).to.deep.include({
      code: 'ATTRIBUTE_INVALID',
      violations: [{ field: 'attributes/a', description: 'no' }],
    });
  });
});
