import { expect } from 'chai';
import { findExceeded, hasContent } from '../../../ledger/encoding/jsonForm.ts';

const exceeded = (text: string, depthMax: number, partsMax?: number): string | undefined =>
  findExceeded(Buffer.from(text), partsMax === undefined ? { depthMax } : { depthMax, partsMax });

describe('findExceeded', () => {
  it('counts arrays and objects within each other', () => {
    expect(exceeded('[{"a":[1]},[]]', 3)).to.equal(undefined);
    expect(exceeded('[{"a":[1]},[]]', 2)).to.equal('depthMax');
  });

  it('counts arrays, objects and commas', () => {
    expect(exceeded('[{"a":1,"b":2},[]]', 9, 5)).to.equal(undefined);
    expect(exceeded('[{"a":1,"b":2},[]]', 9, 4)).to.equal('partsMax');
  });

  it('counts nothing in strings, however long they are', () => {
    for (const length of [0, 65_533, 65_534, 65_535, 65_536, 200_000])
      for (const escaped of ['', '\\"', '\\\\']) {
        const text = `["${'['.repeat(length)}${escaped}[,{",[]]`;
        expect(exceeded(text, 2, 3)).to.equal(undefined);
        expect(exceeded(text, 1)).to.equal('depthMax');
        expect(exceeded(text, 2, 2)).to.equal('partsMax');
      }
  });
});

describe('hasContent', () => {
  it('finds anything but null, empty texts, and lists and maps of nothing else', () => {
    for (const nothing of [null, undefined, '', [], {}, [null, ''], { a: [{}, { b: '' }] }])
      expect(hasContent(nothing), JSON.stringify(nothing)).to.equal(false);
    for (const content of ['x', ' ', 0, false, [0], { a: [{}, { b: 'x' }] }, { __proto__: null, a: true }])
      expect(hasContent(content), JSON.stringify(content)).to.equal(true);
  });

  it('looks into values of any depth', () => {
    const deep = (inner: string): unknown => JSON.parse(`${'['.repeat(100_000)}${inner}${']'.repeat(100_000)}`);
    expect([hasContent(deep('')), hasContent(deep('1'))]).to.eql([false, true]);
  });
});
