import { expect } from 'chai';
import fc from 'fast-check';
import { findMistakenFilter, readListFilter, writeListFilter } from '../../../ledger/compliance/listFilter.ts';
import { runs } from '../../support/propertyRuns.ts';

const texts = fc
  .array(fc.constantFrom('a', '\\', '=', '!', '<', '>', '*', ':', '\n'), { minLength: 1, maxLength: 6 })
  .map((parts) => parts.join(''));

describe('a filter of a list', () => {
  it('is read and written in linear time', () => {
    // In quadratic time, none of these would end.
    const name = `${'\\'.repeat(2 ** 21)}a`;
    expect(readListFilter(name, 'b')).to.deep.equal({ name, isDenied: false, value: 'b' });
    expect(findMistakenFilter(name, 'b')).to.equal(undefined);
    expect(writeListFilter({ name, isDenied: true, value: 'b' })).to.deep.equal([`${name}!`, 'b']);
  });

  it('denies its value with a ! at the end of the name, and has * for any value', () => {
    const cases = [
      ['a', 'b', 'a', false, 'b'],
      ['a!', 'b', 'a', true, 'b'],
      ['a', '*', 'a', false, undefined],
      ['a!', '*', 'a', true, undefined],
      ['a!!', 'b', 'a!', true, 'b'],
      ['a\\!', 'b', 'a!', false, 'b'],
      ['a\\>', 'b', 'a>', false, 'b'],
      ['a\\<!', 'b', 'a<', true, 'b'],
      ['ex:site', 'A:B', 'ex:site', false, 'A:B'],
      ['a', '\\*', 'a', false, '*'],
      ['a', '=b', 'a', false, '=b'],
      ['a', '\\=b', 'a', false, '\\=b'],
      ['a', 'C:\\*.txt', 'a', false, 'C:\\*.txt'],
      ['a\\', 'b\\', 'a\\', false, 'b\\'],
    ] as const;
    for (const [given, text, name, isDenied, value] of cases)
      expect(readListFilter(given, text), given).to.deep.equal({ name, isDenied, value });
  });

  it('is written so that it is read as it was meant, and is no mistake', () => {
    const check = fc.property(texts, fc.boolean(), fc.option(texts, { nil: undefined }), (name, isDenied, value) => {
      const written = writeListFilter({ name, isDenied, value });
      expect(readListFilter(...written)).to.eql({ name, isDenied, value });
      expect(findMistakenFilter(...written)).to.equal(undefined);
    });
    fc.assert(check, runs(500));
  });

  it('is a mistake where another comparison is meant', () => {
    for (const [name, value] of [
      ['temp>', '8'],
      ['temp<', '8'],
      ['temp\\\\>', '8'],
      ['temp>8', ''],
      ['temp:8', ''],
    ] as const)
      expect(findMistakenFilter(name, value), `${name}=${value}`).to.include('lists compare with = and != alone');
    expect(findMistakenFilter('a', '=b', true)).to.include('has ==');
    for (const [name, value] of [
      ['a', '=b'],
      ['temp', '>8'],
      ['a>b', '8'],
      ['a\\>', '8'],
      ['a', ''],
    ] as const)
      expect(findMistakenFilter(name, value), `${name}=${value}`).to.equal(undefined);
  });
});
