import { expect } from 'chai';
import fc from 'fast-check';
import { recoverPublicKey } from '../../../chain/nodeReport/consensus/publicKey.ts';
import { recoverSealKey } from '../../../ledger/evidence/recoverSealKey.ts';
import { runs } from '../../support/propertyRuns.ts';
import { validator } from '../../support/sealedHeaders.ts';

const digests = fc.uint8Array({ minLength: 32, maxLength: 32 });
const toSeal = (n: number, digest: Uint8Array): Uint8Array => {
  const { r, s, yParity } = validator(n).key.sign(digest);
  return new Uint8Array(Buffer.from(`${r.slice(2)}${s.slice(2)}0${yParity}`, 'hex'));
};
const hexOf = (key: Uint8Array | undefined): string | undefined => key && Buffer.from(key).toString('hex');
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const toWord = (value: bigint): Buffer => Buffer.from(value.toString(16).padStart(64, '0'), 'hex');

describe('the key that made a seal', () => {
  it('is recovered', () => {
    const check = fc.property(fc.integer({ min: 1, max: 99 }), digests, (n, digest) => {
      expect(hexOf(recoverSealKey(digest, toSeal(n, digest)))).to.equal(validator(n).publicKey);
    });
    fc.assert(check, runs(20));
  });

  it('is the one that libsecp256k1 recovers, from any bytes', () => {
    const seals = fc.tuple(fc.uint8Array({ minLength: 64, maxLength: 64 }), fc.nat(3));
    const check = fc.property(digests, seals, (digest, [signature, id]) => {
      const seal = Uint8Array.of(...signature, id);
      expect(hexOf(recoverSealKey(digest, seal))).to.equal(hexOf(recoverPublicKey(digest, seal)));
    });
    fc.assert(check, runs(50));
  });

  it('is the one that libsecp256k1 recovers, at the ends of the range', () => {
    const digest = new Uint8Array(32).fill(7);
    const seal = toSeal(1, digest);
    const [r, s] = [Buffer.from(seal.subarray(0, 32)), BigInt(`0x${hexOf(seal.subarray(32, 64))}`)];
    const cases: readonly (readonly [string, Buffer, Buffer])[] = [
      ['r of 0', toWord(0n), toWord(s)],
      ['s of 0', r, toWord(0n)],
      ['r of the order', toWord(ORDER), toWord(s)],
      ['s of the order', r, toWord(ORDER)],
      ['high s', r, toWord(ORDER - s)],
      ['s of the order less one', r, toWord(ORDER - 1n)],
      ['all ones', Buffer.alloc(32, 0xff), Buffer.alloc(32, 0xff)],
    ];
    for (const [name, first, second] of cases) {
      for (const id of [0, 1]) {
        const changed = new Uint8Array(Buffer.concat([first, second, Buffer.of(id)]));
        expect(hexOf(recoverSealKey(digest, changed)), name).to.equal(hexOf(recoverPublicKey(digest, changed)));
      }
    }
  });

  it('is unknown for another length or recovery id', () => {
    const digest = new Uint8Array(32).fill(7);
    const seal = toSeal(1, digest);
    expect(recoverSealKey(digest, seal.subarray(1))).to.equal(undefined);
    expect(recoverSealKey(digest, Uint8Array.of(...seal, 0))).to.equal(undefined);
    expect(recoverSealKey(digest.subarray(1), seal)).to.equal(undefined);
    // With these, x is r plus the order, which is a point for about half of them.
    for (let r = 1n; r <= 20n; r += 1n) {
      const small = new Uint8Array(Buffer.concat([toWord(r), toWord(1n), Buffer.of(2)]));
      expect(recoverSealKey(digest, small), `${r}`).to.equal(undefined);
    }
    for (const id of [2, 3, 27, 28]) {
      expect(recoverSealKey(digest, Uint8Array.of(...seal.subarray(0, 64), id)), `${id}`).to.equal(undefined);
    }
  });
});
