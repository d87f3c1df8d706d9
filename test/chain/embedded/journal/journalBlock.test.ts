import { expect } from 'chai';
import fc from 'fast-check';
import {
  decodeBlock,
  decodeBlockKey,
  encodeBlock,
  encodeBlockKey,
} from '../../../../chain/embedded/journal/journalBlock.ts';
import { toHex } from '../../../../ledger/encoding/hex.ts';
import { LedgerError } from '../../../../ledger/errors.ts';

describe('journal block', () => {
  const hashes = fc.uint8Array({ minLength: 32, maxLength: 32 }).map(toHex);
  const blocks = fc.record({
    number: fc.nat(),
    timestampSeconds: fc.maxSafeNat(),
    hash: hashes,
    transaction: fc.uint8Array({ minLength: 1, maxLength: 100 }),
  });

  it('decodes to what was encoded', () => {
    const check = fc.property(blocks, (block) => {
      const { transaction, ...rest } = decodeBlock(block.number, encodeBlock(block));
      expect({ ...rest, transaction: Uint8Array.from(transaction) }).to.deep.equal(block);
    });
    fc.assert(check);
  });

  it('has keys that sort by block number', () => {
    const check = fc.property(fc.maxSafeNat(), fc.maxSafeNat(), (a, b) => {
      expect(Math.sign(Buffer.compare(encodeBlockKey(a), encodeBlockKey(b)))).to.equal(Math.sign(a - b));
      expect(decodeBlockKey(encodeBlockKey(a))).to.equal(a);
    });
    fc.assert(check);
  });

  it('refuses malformed entries and keys', () => {
    const refusals = [
      () => decodeBlock(1, new Uint8Array(40)),
      () => decodeBlock(1, new Uint8Array(50).fill(255)),
      () => decodeBlockKey(new Uint8Array(7)),
      () => decodeBlockKey(new Uint8Array(8).fill(255)),
    ];
    for (const refusal of refusals) expect(refusal).to.throw(LedgerError).with.property('code', 'CHAIN_CORRUPT');
  });
});
