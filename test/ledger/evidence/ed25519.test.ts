import { createPublicKey, sign } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { isEd25519Signature } from '../../../ledger/evidence/ed25519.ts';
import { privateKey } from '../../support/ed25519Keys.ts';
import { runs } from '../../support/propertyRuns.ts';

const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;

const publicKeyOf = (n: number): Uint8Array =>
  new Uint8Array(createPublicKey(privateKey(n)).export({ format: 'der', type: 'spki' }).subarray(-32));

const fromLittleEndian = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`);
const toLittleEndian = (value: bigint): Uint8Array =>
  new Uint8Array(Buffer.from(value.toString(16).padStart(64, '0'), 'hex').reverse());

describe('an Ed25519 signature', () => {
  it('by OpenSSL is accepted, and no other', () => {
    const check = fc.property(fc.integer({ min: 1, max: 9 }), fc.uint8Array(), fc.nat(511), (n, message, bit) => {
      const signature = new Uint8Array(sign(null, message, privateKey(n)));
      expect(isEd25519Signature(publicKeyOf(n), message, signature)).to.equal(true);
      expect(isEd25519Signature(publicKeyOf(n + 1), message, signature)).to.equal(false);
      expect(isEd25519Signature(publicKeyOf(n), Uint8Array.of(...message, 0), signature)).to.equal(false);
      signature[bit >> 3]! ^= 1 << (bit & 7);
      expect(isEd25519Signature(publicKeyOf(n), message, signature)).to.equal(false);
    });
    fc.assert(check, runs(20));
  });

  it('has one form: s is less than the order', () => {
    const message = Uint8Array.of(1, 2, 3);
    const signature = new Uint8Array(sign(null, message, privateKey(1)));
    const larger = toLittleEndian(fromLittleEndian(signature.subarray(32)) + ORDER);
    const other = Uint8Array.of(...signature.subarray(0, 32), ...larger);
    expect(isEd25519Signature(publicKeyOf(1), message, other)).to.equal(false);
  });

  it('of a key of small order is not accepted, although the equation holds', () => {
    // The neutral element as key and as R, and s of 0, satisfy the equation for every message.
    const neutral = Uint8Array.of(1, ...new Uint8Array(31));
    const signature = Uint8Array.of(...neutral, ...new Uint8Array(32));
    expect(isEd25519Signature(neutral, Uint8Array.of(1), signature)).to.equal(false);
  });

  it('of a key that is no point, or of another length, is not accepted', () => {
    const message = Uint8Array.of(1);
    const signature = new Uint8Array(sign(null, message, privateKey(1)));
    const key = publicKeyOf(1);
    expect(isEd25519Signature(new Uint8Array(32).fill(0xff), message, signature)).to.equal(false);
    expect(isEd25519Signature(Uint8Array.of(2, ...new Uint8Array(31)), message, signature)).to.equal(false);
    expect(isEd25519Signature(key.subarray(1), message, signature)).to.equal(false);
    expect(isEd25519Signature(key, message, signature.subarray(1))).to.equal(false);
    expect(isEd25519Signature(key, message, Uint8Array.of(...signature, 0))).to.equal(false);
  });
});
