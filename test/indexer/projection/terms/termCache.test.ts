import { expect } from 'chai';
import { createTermCache } from '../../../../indexer/projection/terms/termCache.ts';

describe('the cache of terms', () => {
  const create = (sizeMax: number) => {
    const made: string[] = [];
    const cache = createTermCache(sizeMax);
    const make = (text: string): string => {
      made.push(text);
      return `term ${text}`;
    };
    return { cache, made, make };
  };

  it('computes each result once, separately for each function', () => {
    const { cache, made, make } = create(100);
    const [findColour, findSize] = [cache.keep((value) => make(`colour ${value}`)), cache.keep(make)];
    for (let round = 0; round < 3; round += 1) {
      expect(findColour('red')).to.equal('term colour red');
      expect(findSize('red')).to.equal('term red');
    }
    expect(made).to.deep.equal(['colour red', 'red']);
  });

  it('computes each result of a result once', () => {
    const { cache, made, make } = create(100);
    const findName = cache.keep((name) => cache.keepWithin((value) => make(`${name} ${value}`)));
    for (let round = 0; round < 3; round += 1) {
      for (const name of ['colour', 'size']) expect(findName(name)('red')).to.equal(`term ${name} red`);
    }
    expect(made).to.deep.equal(['colour red', 'size red']);
    expect(cache.size()).to.equal(4);
  });

  it('holds no more than its limit for any number of names and values, and stays correct', () => {
    const { cache, made, make } = create(50);
    const findField = cache.keep(make);
    const findName = cache.keep((name) => cache.keepWithin((value) => make(`${name} ${value}`)));
    for (let value = 0; value < 1_000; value += 1) {
      expect(findField(String(value))).to.equal(`term ${value}`);
      expect(findName('one name')(String(value))).to.equal(`term one name ${value}`);
      expect(findName(`name ${value}`)('one value')).to.equal(`term name ${value} one value`);
      expect(cache.size()).to.be.at.most(50);
    }
    expect(made.length).to.equal(3_000);
    findField('0');
    expect(made.length, 'an emptied cache computes again').to.equal(3_001);
  });
});
