import { expect } from 'chai';
import { createTermCache } from '../../../indexer/projection/termCache.ts';

describe('the cache of terms', () => {
  const create = (sizeMax: number) => {
    const made: string[] = [];
    const cache = createTermCache(sizeMax, (list, value) => {
      made.push(`${list} ${value}`);
      return `${list}:${value}`;
    });
    return { cache, made };
  };

  it('creates each term once, and a separate one for each list', () => {
    const { cache, made } = create(100);
    for (let round = 0; round < 3; round += 1) {
      expect(cache.find('colour', 'red')).to.equal('colour:red');
      expect(cache.find('size', 'red')).to.equal('size:red');
    }
    expect(made).to.deep.equal(['colour red', 'size red']);
  });

  it('holds no more than its limit and one step for any number of lists and values, and stays correct', () => {
    const { cache } = create(50);
    for (let value = 0; value < 1_000; value += 1) {
      expect(cache.find('one list', String(value))).to.equal(`one list:${value}`);
      expect(cache.find(`list ${value}`, 'one value')).to.equal(`list ${value}:one value`);
      expect(cache.size()).to.be.at.most(51);
    }
  });
});
