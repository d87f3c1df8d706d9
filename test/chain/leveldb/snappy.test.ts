// Snappy's format as github.com/google/snappy describes it: literals, copies that may overlap, and no byte outside.
import { expect } from 'chai';
import { DamagedBytes } from '../../../chain/leveldb/byteReader.ts';
import { uncompressSnappy } from '../../../chain/leveldb/snappy.ts';

const literal = (text: string): number[] => [(text.length - 1) << 2, ...Buffer.from(text)];

// A literal whose length has two bytes of its own.
const longLiteral = (text: string): number[] => [
  61 << 2,
  (text.length - 1) & 0xff,
  text.length >> 8,
  ...Buffer.from(text),
];

const copies = {
  'one byte of distance': (distance: number, length: number) => [((length - 4) << 2) | 1, distance],
  'two bytes of distance': (distance: number, length: number) => [((length - 1) << 2) | 2, distance, 0],
  'four bytes of distance': (distance: number, length: number) => [((length - 1) << 2) | 3, distance, 0, 0, 0],
};

const uncompress = (...bytes: number[]): string => uncompressSnappy(Buffer.from(bytes), 7).toString();

const TEXT = 'x'.repeat(200).replaceAll(/x/g, (_, at: number) => String.fromCharCode(32 + (at % 90)));

describe('Snappy blocks', () => {
  it('have literals', () => {
    expect(uncompress(0)).to.equal('');
    expect(uncompress(5, ...literal('ab'), ...literal('cde'))).to.equal('abcde');
    expect(uncompress(0xc8, 1, ...longLiteral(TEXT))).to.equal(TEXT);
  });

  for (const [name, copy] of Object.entries(copies)) {
    it(`have copies with ${name}`, () => {
      expect(uncompress(9, ...literal('abcd'), ...copy(4, 4), ...literal('e'))).to.equal('abcdabcde');
      expect(uncompress(10, ...literal('ab'), ...copy(2, 8)), 'overlapping').to.equal('ab'.repeat(5));
    });
  }

  it('have long copies, overlapping or not', () => {
    const copy = copies['two bytes of distance'];
    expect(uncompress(62, ...literal('ab'), ...copy(2, 60))).to.equal('ab'.repeat(31));
    expect(uncompress(0xf0, 1, ...longLiteral(TEXT), ...copy(100, 40))).to.equal(TEXT + TEXT.slice(100, 140));
  });

  const damaged: Record<string, number[]> = {
    'no bytes': [],
    'a size that does not end': [0x80, 0x80, 0x80, 0x80, 0x80, 0x80],
    'a literal that ends too early': [4, 3 << 2, 97],
    'a length that ends too early': [4, 61 << 2, 3],
    'a literal that is longer than the size': [1, ...literal('abc')],
    'a copy that is longer than the size': [5, ...literal('abc'), ...copies['one byte of distance'](3, 4)],
    'a distance of zero': [7, ...literal('abc'), ...copies['one byte of distance'](0, 4)],
    'a distance before the beginning': [7, ...literal('abc'), ...copies['one byte of distance'](4, 4)],
    'a distance that ends too early': [7, ...literal('abc'), 2, 1],
    'fewer bytes than the size': [4, ...literal('abc')],
  };
  for (const [name, bytes] of Object.entries(damaged)) {
    it(`are damaged by ${name}`, () => {
      expect(() => uncompress(...bytes))
        .to.throw(DamagedBytes)
        .with.property('offset', 7);
    });
  }
});
