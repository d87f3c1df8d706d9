import { expect } from 'chai';
import { Wallet as EthersWallet, recoverAddress, Signature } from 'ethers';
import fc from 'fast-check';
import { createPrivateKey, createWallet, toSignatureBytes } from '../../chain/wallet.ts';
import { fromHex, toHex } from '../../ledger/encoding/hex.ts';
import { runs } from '../support/propertyRuns.ts';
import { bytesOf } from '../support/recordParts.ts';

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const toKey = (scalar: bigint): Uint8Array => fromHex(`0x${scalar.toString(16).padStart(64, '0')}`);
const keys = fc.bigInt({ min: 1n, max: ORDER - 1n }).map(toKey);

describe('wallet', () => {
  it('has the address that ethers computes, also for the smallest and the largest key', () => {
    const all = fc.oneof(keys, fc.constantFrom(toKey(1n), toKey(ORDER - 1n)));
    const check = fc.property(all, (key) => {
      const { address, addressBytes } = createWallet(key);
      expect(address).to.equal(new EthersWallet(toHex(key)).address.toLowerCase());
      expect(toHex(addressBytes)).to.equal(address);
    });
    fc.assert(check, runs(20));
  });

  it('signs digests so that its address can be recovered, with the lower s', () => {
    const check = fc.property(keys, bytesOf(32), (key, digest) => {
      const wallet = createWallet(key);
      const bytes = toSignatureBytes(wallet.sign(digest));
      expect(bytes).to.have.length(65);
      expect(recoverAddress(digest, toHex(bytes)).toLowerCase()).to.equal(wallet.address);
      expect(BigInt(Signature.from(toHex(bytes)).s) <= ORDER / 2n).to.equal(true);
    });
    fc.assert(check, runs(20));
  });

  it('signs the same digest with the same bytes', () => {
    const { sign } = createWallet(toKey(7n));
    expect(toSignatureBytes(sign(new Uint8Array(32)))).to.deep.equal(toSignatureBytes(sign(new Uint8Array(32))));
  });

  for (const [name, key] of [
    ['zero', new Uint8Array(32)],
    ['the order of the curve', toKey(ORDER)],
    ['31 bytes', new Uint8Array(31).fill(1)],
    ['33 bytes', new Uint8Array(33).fill(1)],
    ['nothing', new Uint8Array()],
  ] as const) {
    it(`is not created from ${name}`, () => expect(() => createWallet(key)).to.throw());
  }

  it('is created from any new private key, and no two are the same', () => {
    const addresses = Array.from({ length: 20 }, () => createWallet(createPrivateKey()).address);
    expect(new Set(addresses).size).to.equal(20);
  });
});
