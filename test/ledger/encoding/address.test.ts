// Checksummed addresses compared with those of ethers.
import { expect } from 'chai';
import { getAddress } from 'ethers';
import fc from 'fast-check';
import { toChecksumAddress } from '../../../ledger/encoding/address.ts';
import { type Hex, toHex } from '../../../ledger/encoding/hex.ts';

describe('toChecksumAddress', () => {
  it('agrees with ethers', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 20, maxLength: 20 }), (bytes) => {
        const address: Hex = toHex(bytes);
        expect(toChecksumAddress(address)).to.equal(getAddress(address));
      }),
    );
  });
});
