import { expect } from 'chai';
import { findUnmeetable } from '../../../ledger/compliance/unmeetable.ts';
import type { Alternatives } from '../../../ledger/records/policy.ts';

const isUnmeetable = (...lists: readonly string[][]): boolean =>
  findUnmeetable(
    'asset_filter',
    lists.map((or): Alternatives => ({ or })),
  ).length > 0;

describe('an asset filter that no asset can meet', () => {
  it('has lists about one attribute that contradict each other', () => {
    for (const lists of [
      [['a=b'], ['a=c']],
      [
        ['a=b', 'a=c'],
        ['a=d', 'attributes.a:e'],
      ],
      [['a=b'], ['a!=b']],
      [['a=*'], ['a!=*']],
      [['a=b'], ['a!=*']],
      [['x=y'], ['a!=b', 'a!=b'], ['a=b']],
      [['__proto__=b'], ['__proto__=c']],
      [['a.b=c'], ['a.b!=c']],
      [['a.b=*'], ['a.b!=*']],
      [['a.b=c'], ['a.b=d'], ['a.b!=*']],
    ])
      expect(isUnmeetable(...lists), JSON.stringify(lists)).to.equal(true);
  });

  it('is no other one', () => {
    for (const lists of [
      [],
      [['a=b']],
      [['a=b'], ['a=b']],
      [['a=b'], ['c=d']],
      [
        ['a=b', 'a=c'],
        ['a=c', 'a=d'],
      ],
      [['a=b', 'x=y'], ['a=c']],
      [['a!=b'], ['a!=c']],
      [['a!=b', 'a!=c'], ['a=b']],
      [['a=*'], ['a!=b'], ['a!=*', 'a=c']],
      [['a!=b'], ['a!=*']],
      [['a.b=c'], ['a.b=d']],
      [['a.b=c'], ['a.b=*'], ['a.b!=d']],
      [['a.b!=c'], ['a.b!=*']],
    ])
      expect(isUnmeetable(...lists), JSON.stringify(lists)).to.equal(false);
  });
});
