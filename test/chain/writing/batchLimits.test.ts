// The largest batches must fit into a transaction of the chain, whatever its limits are.
import { expect } from 'chai';
import fc from 'fast-check';
import { encodeAppendSignedCall } from '../../../chain/writing/appendCalls.ts';
import { toAppendGasLimit, toBatchLimits } from '../../../chain/writing/submission.ts';
import { LEDGER_LIMITS } from '../../../host/settings/installationLimits.ts';

const WORD = new Uint8Array(32);
const ADDRESS = new Uint8Array(20);

/** Calldata of a tenant's batch of the largest allowed size. */
const encodeLargest = ({ batchRecordsMax, batchBytesMax }: ReturnType<typeof toBatchLimits>): Uint8Array => {
  const least = Math.floor(batchBytesMax / batchRecordsMax);
  const more = batchBytesMax % batchRecordsMax;
  const records = Array.from({ length: batchRecordsMax }, (_, at) => ({
    tenantKey: WORD,
    streamKey: WORD,
    recordKey: WORD,
    author: ADDRESS,
    payload: new Uint8Array(at < more ? least + 1 : least),
  }));
  return encodeAppendSignedCall([{ tenantKey: WORD, author: ADDRESS, signature: new Uint8Array(65), records }]);
};

describe('the limits of a batch', () => {
  it("are those of the settings where the chain's limits are high enough", () => {
    const chain = { transactionGasMax: 10 ** 9, transactionBytesMax: 10 ** 8 };
    expect(toBatchLimits(chain, LEDGER_LIMITS)).to.include({
      batchRecordsMax: LEDGER_LIMITS.batchRecordsMax,
      batchBytesMax: LEDGER_LIMITS.batchBytesMax,
    });
  });

  it("result in a transaction within the chain's limits, in gas and in bytes", () => {
    const chains = fc.record({
      transactionGasMax: fc.integer({ min: 10 ** 6, max: 10 ** 8 }),
      transactionBytesMax: fc.integer({ min: 65_536, max: 10 ** 6 }),
    });
    const check = fc.property(chains, (chain) => {
      const limits = toBatchLimits(chain, { batchRecordsMax: 200, batchBytesMax: 10 ** 7 });
      const { length } = encodeLargest(limits);
      expect(length).to.be.at.most(chain.transactionBytesMax);
      expect(toAppendGasLimit(limits.batchRecordsMax, length)).to.be.at.most(chain.transactionGasMax);
    });
    fc.assert(check);
  });

  it("allow one record, however low the chain's limits", () => {
    const chain = { transactionGasMax: 200_000, transactionBytesMax: 65_536 };
    expect(toBatchLimits(chain, LEDGER_LIMITS).batchRecordsMax).to.equal(1);
  });
});
