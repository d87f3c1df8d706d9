import { expect } from 'chai';
import { createBoundedMap } from '../../indexer/boundedMap.ts';

describe('a map with a bound', () => {
  it('removes the values that were not used, and keeps the others', () => {
    const map = createBoundedMap<string>(10);
    map.set('a', 'A', 2);
    map.set('b', 'B', 3);
    map.set('c', 'C', 3);
    expect(map.get('a')).to.equal('A');
    map.set('d', 'D', 3);
    expect(['a', 'b', 'c', 'd'].map(map.get)).to.deep.equal(['A', undefined, 'C', 'D']);
  });

  it('has no more than the bound, whatever is used', () => {
    const map = createBoundedMap<string>(100);
    const names = Array.from({ length: 1_000 }, (_, at) => `${at}`);
    for (const [at, name] of names.entries()) {
      map.set(name, name, 1 + (at % 7));
      map.get(names[at >> 1]!);
      map.get(names[Math.max(0, at - 5)]!);
    }
    const kept = names.filter((name) => map.get(name) !== undefined);
    const weight = kept.reduce((sum, name) => sum + 1 + (Number(name) % 7), 0);
    expect(weight).to.be.within(40, 100);
  });

  it('counts the weight of a replaced or deleted value no longer', () => {
    const map = createBoundedMap<string>(20);
    map.set('a', 'A', 9);
    map.set('a', 'B', 5);
    map.set('b', 'B', 5);
    expect(['a', 'b'].map(map.get)).to.deep.equal(['B', 'B']);
    map.delete('a');
    map.set('c', 'C', 5);
    map.set('d', 'D', 6);
    expect(['a', 'b'].map(map.get)).to.deep.equal([undefined, 'B']);
  });

  it('returns the new value of a key that was replaced a generation later', () => {
    const map = createBoundedMap<string>(4);
    map.set('a', 'old', 1);
    map.set('b', 'B', 2);
    map.set('a', 'new', 1);
    map.set('c', 'C', 1);
    expect(map.get('a')).to.equal('new');
    map.delete('a');
    expect(map.get('a')).to.equal(undefined);
  });

  it('does not keep a value of more than half the bound, and keeps the others', () => {
    const map = createBoundedMap<string>(10);
    map.set('a', 'A', 5);
    map.set('b', 'B', 6);
    expect(['a', 'b'].map(map.get)).to.deep.equal(['A', undefined]);
  });
});
