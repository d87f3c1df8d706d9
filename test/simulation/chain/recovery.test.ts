import { expect } from 'chai';
import { recover, signRecoverable as signReally } from 'tiny-secp256k1';
import { toHex } from '../../../ledger/encoding/hex.ts';
import { keccak256 } from '../../../ledger/encoding/keccak.ts';
import { recoverSigner } from './recovery.ts';
import { signRecoverable } from './secp256k1.ts';
import { walletOf } from './support/chainPair.ts';

const digestOf = (text: string): Uint8Array => keccak256(Buffer.from(text));
const KEY = new Uint8Array(32).fill(9);

describe('recovery of signers', () => {
  it('finds the signer that the stand-in for the package remembers, as recovery would', () => {
    for (let number = 0; number < 20; number += 1) {
      const digest = digestOf(`digest ${number}`);
      const signed = signRecoverable(digest, KEY);
      expect(signed).to.deep.equal(signReally(digest, KEY));
      const key = recover(digest, signed.signature, signed.recoveryId, false)!;
      const yParity = signed.recoveryId === 1 ? 1 : 0;
      const signer = recoverSigner({ digest, signature: signed.signature, yParity });
      expect(signer).to.equal(toHex(keccak256(key.subarray(1)).subarray(12)));
      expect(signer).to.equal(walletOf(9).address);
    }
  });

  it('finds another signer or none for another digest, parity or signature', () => {
    const digest = digestOf('a digest');
    const { signature, recoveryId } = signRecoverable(digest, KEY);
    const yParity = recoveryId === 1 ? 1 : 0;
    const others = [
      { digest: digestOf('another'), signature, yParity },
      { digest, signature, yParity: yParity === 1 ? 0 : 1 },
      { digest, signature: signature.with(3, signature[3]! ^ 1), yParity },
    ] as const;
    for (const other of others) expect(recoverSigner(other)).to.not.equal(walletOf(9).address);
  });

  it('finds none for numbers out of range', () => {
    const digest = digestOf('a digest');
    for (const signature of [new Uint8Array(64), new Uint8Array(64).fill(0xff), new Uint8Array(64).fill(0xff, 0, 32)])
      expect(recoverSigner({ digest, signature, yParity: 0 })).to.equal(undefined);
  });
});
