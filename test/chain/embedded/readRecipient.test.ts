import { expect } from 'chai';
import { Wallet } from 'ethers';
import fc from 'fast-check';
import { readRecipient } from '../../../chain/embedded/readRecipient.ts';
import { fromHex, toHex } from '../../../ledger/encoding/hex.ts';
import { runs } from '../../support/propertyRuns.ts';

describe('readRecipient', () => {
  const wallet = Wallet.createRandom();

  it('reads what ethers wrote, in every type of transaction', async () => {
    const fields = fc.record({
      type: fc.constantFrom(0, 1, 2),
      gasLimit: fc.nat(2 ** 31 - 1),
      nonce: fc.nat(1000),
      data: fc.uint8Array({ maxLength: 400 }).map(toHex),
      to: fc.option(fc.uint8Array({ minLength: 20, maxLength: 20 }).map(toHex)),
    });
    const check = fc.asyncProperty(fields, async ({ to, ...rest }) => {
      const fees = rest.type === 2 ? { maxFeePerGas: 7, maxPriorityFeePerGas: 0 } : { gasPrice: 12_345_678 };
      const raw = await wallet.signTransaction({ chainId: 5, to, ...fees, ...rest });
      expect(readRecipient(fromHex(raw))).to.equal(to ?? undefined);
    });
    await fc.assert(check, runs(60));
  });

  it('returns an address or undefined for any bytes', () => {
    const check = fc.property(fc.uint8Array({ maxLength: 60 }), (raw) => {
      expect(readRecipient(raw)?.length ?? 42).to.equal(42);
    });
    fc.assert(check, runs(2000));
  });
});
