import { expect } from 'chai';
import { createBoundedMap } from '../../indexer/boundedMap.ts';

describe('a map with a bound', () => {
  it('removes the oldest values that were not used, as many as the bound requires', () => {
    const map = createBoundedMap<string>(10);
    map.set('a', 'A', 4);
    map.set('b', 'B', 3);
    map.set('c', 'C', 3);
    expect(map.get('a')).to.equal('A');
    map.set('d', 'D', 5);
    expect(['a', 'b', 'c', 'd'].map(map.get)).to.deep.equal(['A', undefined, undefined, 'D']);
  });

  it('counts the weight of a replaced or deleted value no longer', () => {
    const map = createBoundedMap<string>(10);
    map.set('a', 'A', 9);
    map.set('a', 'B', 5);
    map.set('b', 'B', 5);
    expect(['a', 'b'].map(map.get)).to.deep.equal(['B', 'B']);
    map.delete('a');
    map.set('c', 'C', 5);
    expect(['a', 'b', 'c'].map(map.get)).to.deep.equal([undefined, 'B', 'C']);
  });

  it('removes a value that was used once when its next turn comes', () => {
    const map = createBoundedMap<string>(2);
    map.set('a', 'A', 1);
    map.get('a');
    for (const key of ['b', 'c', 'd', 'e']) map.set(key, key, 1);
    expect(['a', 'd', 'e'].map(map.get)).to.deep.equal([undefined, 'd', 'e']);
  });

  it('removes values when all of them were used', () => {
    const map = createBoundedMap<string>(2);
    for (const key of ['a', 'b']) map.set(key, key, 1);
    for (const key of ['a', 'b']) map.get(key);
    map.set('c', 'c', 2);
    expect(['a', 'b', 'c'].map(map.get)).to.deep.equal([undefined, undefined, 'c']);
  });

  it('does not keep a value above the bound, and keeps the others', () => {
    const map = createBoundedMap<string>(10);
    map.set('a', 'A', 10);
    map.set('b', 'B', 11);
    expect(['a', 'b'].map(map.get)).to.deep.equal(['A', undefined]);
  });
});
