import { expect } from 'chai';
import { encodeRlp as encodeWithEthers, hexlify } from 'ethers';
import fc from 'fast-check';
import { fromHex, toHex } from '../../../ledger/encoding/hex.ts';
import {
  decodeRlp,
  encodeRlp,
  fromRlpNumber,
  isRlpNumber,
  type RlpItem,
  toRlpNumber,
} from '../../../ledger/evidence/rlp.ts';
import { runs } from '../../support/propertyRuns.ts';
import { isUnreadable } from '../../support/unreadable.ts';

type Structured = string | Structured[];

const toStructured = (item: RlpItem): Structured =>
  item instanceof Uint8Array ? hexlify(item) : item.map(toStructured);

const { item: items } = fc.letrec<{ item: RlpItem }>((tie) => ({
  item: fc.oneof(
    { depthSize: 'small', maxDepth: 6 },
    fc.uint8Array({ maxLength: 70 }),
    fc.uint8Array({ minLength: 250, maxLength: 300 }),
    fc.array(tie('item'), { maxLength: 20 }) as fc.Arbitrary<RlpItem>,
  ),
}));

const refuses = (hex: string): boolean => isUnreadable(() => decodeRlp(new Uint8Array(fromHex(hex))));

describe('RLP', () => {
  it('is encoded as ethers does, and decodes to what it was encoded from', () => {
    const check = fc.property(items, (item) => {
      const encoded = encodeRlp(item);
      expect(toHex(encoded)).to.equal(encodeWithEthers(toStructured(item)));
      expect(toStructured(decodeRlp(encoded))).to.deep.equal(toStructured(item));
    });
    fc.assert(check);
  });

  it('is encoded as ethers does at the lengths where the form changes', () => {
    for (const length of [0, 1, 2, 55, 56, 255, 256, 65_535, 65_536, 70_000]) {
      for (const fill of [0, 0x7f, 0x80]) {
        const bytes = new Uint8Array(length).fill(fill);
        expect(toHex(encodeRlp(bytes))).to.equal(encodeWithEthers(hexlify(bytes)));
        expect(toHex(encodeRlp([bytes]))).to.equal(encodeWithEthers([hexlify(bytes)]));
        expect(decodeRlp(encodeRlp(bytes))).to.deep.equal(bytes);
      }
    }
  });

  it('has one encoding: any bytes are unreadable, or the encoding of what they decode to', () => {
    const bytes = fc.array(
      fc.oneof(fc.constantFrom(0, 1, 0x7f, 0x80, 0x81, 0xb7, 0xb8, 0xc0, 0xc1, 0xf8), fc.nat(255)),
    );
    const check = fc.property(bytes, (numbers) => {
      const input = Uint8Array.from(numbers);
      let item: RlpItem | undefined;
      if (!isUnreadable(() => (item = decodeRlp(input)))) expect(encodeRlp(item!)).to.deep.equal(input);
    });
    fc.assert(check, runs(5000));
  });

  const wrong: readonly [string, string][] = [
    ['no bytes', '0x'],
    ['a byte that needs no prefix', '0x8100'],
    ['the largest byte that needs no prefix', '0x817f'],
    ['a short string in long form', '0xb80100'],
    ['a string of 55 bytes in long form', `0xb837${'aa'.repeat(55)}`],
    ['a length with a leading zero', `0xb90038${'aa'.repeat(56)}`],
    ['a short list in long form', '0xf801c0'],
    ['a length of a list with a leading zero', `0xf90038${'c0'.repeat(56)}`],
    ['a string that ends early', '0x83aabb'],
    ['a long string that ends early', `0xb838${'aa'.repeat(55)}`],
    ['a list that ends early', '0xc3c0c0'],
    ['an item that exceeds its list', '0xc182aabb'],
    ['a length that is cut off', '0xb9ff'],
    ['a length of eight bytes', `0xbf${'ff'.repeat(8)}`],
    ['a length of 2^32', '0xbb01000000000000'],
    ['bytes after the item', '0xc000'],
    ['17 levels of lists', `0x${Array.from({ length: 17 }, (_, at) => (0xd0 - at).toString(16)).join('')}`],
  ];
  for (const [name, hex] of wrong) {
    it(`is unreadable with ${name}`, () => expect(refuses(hex)).to.equal(true));
  }

  it('is unreadable with too many bytes, items or levels', () => {
    expect(isUnreadable(() => decodeRlp(new Uint8Array(16 * 1024 * 1024 + 1)))).to.equal(true);
    expect(isUnreadable(() => decodeRlp(encodeRlp(new Uint8Array(16 * 1024 * 1024 - 4))))).to.equal(false);
    const zeros = new Uint8Array(16 * 1024 * 1024).fill(0x01);
    zeros.set([0xfa, 0xff, 0xff, 0xfc]);
    expect(
      isUnreadable(() => decodeRlp(zeros)),
      'items',
    ).to.equal(true);
    const lists = new Uint8Array(16 * 1024 * 1024).fill(0xff);
    expect(
      isUnreadable(() => decodeRlp(lists)),
      'lists',
    ).to.equal(true);
  });

  it('is readable with 16 levels of lists', () => {
    expect(refuses(`0x${Array.from({ length: 16 }, (_, at) => (0xcf - at).toString(16)).join('')}`)).to.equal(false);
  });

  it('has numbers without leading zeros', () => {
    for (const [value, hex] of [
      [0, '0x'],
      [1, '0x01'],
      [255, '0xff'],
      [256, '0x0100'],
      [Number.MAX_SAFE_INTEGER, '0x1fffffffffffff'],
      [2n ** 256n - 1n, `0x${'ff'.repeat(32)}`],
    ] as const) {
      expect(toHex(toRlpNumber(value))).to.equal(hex);
    }
    fc.assert(fc.property(fc.maxSafeNat(), (value) => fromRlpNumber(toRlpNumber(value)) === value));
    for (const value of [-1, -1n, 0.5, Number.NaN, 2 ** 53, Number.POSITIVE_INFINITY]) {
      expect(
        isUnreadable(() => toRlpNumber(value)),
        `${value}`,
      ).to.equal(true);
    }
    for (const hex of ['0x00', '0x0001', '0x20000000000000', `0x01${'00'.repeat(8)}`]) {
      expect(
        isUnreadable(() => fromRlpNumber(fromHex(hex))),
        hex,
      ).to.equal(true);
    }
    expect(isRlpNumber(fromHex(`0x${'ff'.repeat(33)}`), 32)).to.equal(false);
  });
});
