// Gas limits against what real transactions use, and what receipts change.
import { expect } from 'chai';
import fc from 'fast-check';
import { createAppendGas, GAS_OF_LARGEST_RECORD } from '../../../chain/writing/appendGas.ts';
import type { SubmittedRecord } from '../../../chain/writing/submission.ts';

const CHAIN = { batchGasMax: 16_777_216, transactionBytesMax: 131_072 };
const SIZE = { tenants: 1, records: 10, calldataBytes: 10_000 };

const recordOf = (bytes: number, tenant = 1): SubmittedRecord =>
  ({ tenantIdentity: `tenant/${tenant}`, payload: new Uint8Array(bytes) }) as SubmittedRecord;

describe('the gas of a batch', () => {
  it('grows with what receipts show, up to ten times, and never shrinks', () => {
    const gas = createAppendGas(CHAIN);
    const before = gas.toLimit(SIZE);
    gas.learn(SIZE, undefined);
    gas.learn(SIZE, before / 2);
    expect(gas.toLimit(SIZE)).to.equal(before);
    gas.learn(SIZE, before * 2);
    expect(gas.toLimit(SIZE)).to.be.within(before * 2.1, before * 2.3);
    gas.learn(SIZE, before * 1_000);
    expect(gas.toLimit(SIZE)).to.equal(before * 10);
  });

  it('is enough for the floor of EIP-7623 where nearly all is payload', () => {
    const size = { tenants: 1, records: 1, calldataBytes: 66_000 };
    expect(createAppendGas(CHAIN).toLimit(size)).to.be.above(21_000 + 40 * size.calldataBytes);
    expect(GAS_OF_LARGEST_RECORD).to.be.below(3_000_000);
  });

  it('and the bytes of a transaction bound its records', () => {
    const sizes = fc.array(fc.record({ bytes: fc.integer({ min: 1, max: 20_000 }), tenant: fc.nat(3) }), {
      minLength: 1,
      maxLength: 400,
    });
    fc.assert(
      fc.property(sizes, (records) => {
        const gas = createAppendGas(CHAIN);
        const fits = gas.measureTransaction();
        const taken = records.findIndex(({ bytes, tenant }) => !fits(recordOf(bytes, tenant)));
        const batch = records.slice(0, taken === -1 ? records.length : taken);
        const calldataBytes = batch.reduce((sum, { bytes }) => sum + bytes + 224 + 32, 0);
        const tenants = new Set(batch.map(({ tenant }) => tenant)).size;
        expect(calldataBytes).to.be.below(CHAIN.transactionBytesMax);
        expect(gas.toLimit({ tenants, records: batch.length, calldataBytes })).to.be.at.most(CHAIN.batchGasMax);
      }),
    );
  });
});
