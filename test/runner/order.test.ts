// In which order files run, and which.
import { expect } from 'chai';
import { dearestFirst, shuffle } from './order.ts';
import { isLong, listTestFiles, selectPaths, selectTier } from './tiers.ts';

describe('the order of files of tests', () => {
  it('begins with the dearest; a file that was never measured counts as a middling one', () => {
    const recorded = { a: 1, b: 30, c: 2 };
    expect(dearestFirst(['a', 'b', 'c', 'new'], recorded)).to.deep.equal(['b', 'c', 'new', 'a']);
    expect(dearestFirst(['b', 'a'], {})).to.deep.equal(['a', 'b']);
  });

  it('is another one for each seed, and the same for the same seed', () => {
    const files = Array.from({ length: 20 }, (_, at) => `file ${at}`);
    expect(shuffle(files, 7)).to.deep.equal(shuffle(files, 7)).and.not.to.deep.equal(shuffle(files, 8));
    expect(shuffle(files, 7)).to.have.members(files);
  });
});

describe('the tiers of tests', () => {
  const files = [
    'test/contracts/a.test.ts',
    'test/ledger/a.test.ts',
    'test/ledger/b.long.test.ts',
    'test/tidy.test.ts',
  ];

  it('have the long files in the second one alone, and the contract in both', () => {
    expect(selectTier(files, 'default')).to.deep.equal([
      'test/contracts',
      'test/ledger/a.test.ts',
      'test/tidy.test.ts',
    ]);
    expect(selectTier(files, 'all')).to.deep.equal(['test/contracts', ...files.slice(1)]);
  });

  it('do not matter for a file or folder that is named', () => {
    expect(selectPaths(files, ['test/ledger/'])).to.deep.equal(files.slice(1, 3));
    expect(selectPaths(files, ['./test/ledger/b.long.test.ts', 'test/ledger'])).to.have.members(files.slice(1, 3));
    expect(selectPaths(files, ['test/contracts'])).to.deep.equal(['test/contracts']);
    expect(selectPaths(files, ['test/contracts/a.test.ts'])).to.deep.equal([files[0]]);
    expect(selectPaths(files, ['.'])).to.have.members(['test/contracts', ...files.slice(1)]);
  });

  it('refuse a path that names no test', () => {
    for (const path of ['test/ledger/c.test.ts', 'test/led', 'ledger', '../test', ''])
      expect(() => selectPaths(files, [path])).to.throw(RangeError, path);
  });

  it('both hold files of this repository', () => {
    const all = listTestFiles();
    expect(all).to.include('test/runner/order.test.ts');
    expect(all.filter(isLong).length).to.be.greaterThan(10);
  });
});
