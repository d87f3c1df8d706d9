import { expect } from 'chai';
import fc from 'fast-check';
import { parseCondition, writeCondition } from '../../../ledger/compliance/assetFilter.ts';
import { restateLists, toPolicySyntax } from '../../../ledger/compliance/conditionSyntax.ts';
import { findReadings } from '../../../ledger/compliance/escapes.ts';
import { type Assertion, parseAssertion, writeAssertion } from '../../../ledger/compliance/rules/assertion.ts';
import { parseUserClaim, writeUserClaim } from '../../../ledger/sharing/userClaim.ts';
import { runs } from '../../support/propertyRuns.ts';

// Texts of what the syntax is about.
const texts = fc
  .array(fc.constantFrom('a', '\\', ':', '=', '!', '<', '>', '*', 'attributes.', ' ', '\n', '\u{1f600}'), {
    minLength: 1,
    maxLength: 6,
  })
  .map((parts) => parts.join(''));

describe('escaped texts', () => {
  it('are read and written in linear time', () => {
    // In quadratic time, none of these would end.
    const run = '\\'.repeat(2 ** 21);
    expect(parseCondition(`${run}.=A`, 'escaped')).to.deep.equal({ name: `${run}.`, isDenied: false, value: 'A' });
    expect(parseCondition(`a=${run}`, 'escaped')?.value).to.equal(run);
    expect(writeCondition({ name: `${run}:a`, isDenied: false, value: 'A' })).to.have.length.above(run.length);
  });

  it('have signs in names and values', () => {
    const cases = [
      [String.raw`attributes.ex\:site=A`, 'ex:site', false, 'A'],
      [String.raw`attributes.ex:site\=A`, 'ex', false, 'site=A'],
      [String.raw`ex\:site!=A`, 'ex:site', true, 'A'],
      [String.raw`a\=b:c`, 'a=b', false, 'c'],
      [String.raw`a\!=b`, 'a!', false, 'b'],
      [String.raw`a!\=b=c`, 'a!=b', false, 'c'],
      [String.raw`a=\*`, 'a', false, '*'],
      ['a=*', 'a', false, undefined],
      [String.raw`a\\=b`, 'a\\', false, 'b'],
      [String.raw`a\\\=b=c`, 'a\\=b', false, 'c'],
    ] as const;
    for (const [text, name, isDenied, value] of cases)
      expect(parseCondition(text, 'escaped'), text).to.deep.equal({ name, isDenied, value });
    expect(parseAssertion(String.raw`a\<b<=\=7`, 'escaped')).to.eql({ attribute: 'a<b', operator: '<=', value: '=7' });
    expect(parseAssertion('ex:temp<8', 'escaped')).to.eql({
      attribute: 'ex:temp',
      operator: '<',
      value: '8',
    });
  });

  it('have backslashes that are themselves elsewhere', () => {
    for (const value of [String.raw`C:\temp`, String.raw`\\server\share`, '\\', String.raw`a\b\\`])
      expect(parseCondition(`path=${value}`, 'escaped')).to.eql({ name: 'path', isDenied: false, value });
  });

  it('are what earlier policies have where nothing is escaped', () => {
    const check = fc.property(texts, (text) => {
      if (text.includes('\\')) return;
      expect(parseCondition(text, 'escaped')).to.eql(parseCondition(text, undefined));
      expect(parseAssertion(text, 'escaped')).to.eql(parseAssertion(text, undefined));
    });
    fc.assert(check, runs(300));
  });

  it('are written so that they are read as they were meant, and in one way', () => {
    const operators = fc.constantFrom<Assertion['operator']>('=', '!=', '<', '>', '<=', '>=');
    const check = fc.property(texts, fc.option(texts, { nil: undefined }), operators, (name, value, operator) => {
      for (const isDenied of [false, true]) {
        const condition = { name, isDenied, value };
        expect(parseCondition(writeCondition(condition), 'escaped')).to.eql(condition);
        expect(findReadings(writeCondition(condition))).to.equal(undefined);
      }
      if (value === undefined) return;
      const assertion = { attribute: name, operator, value };
      expect(parseAssertion(writeAssertion(assertion), 'escaped')).to.eql(assertion);
      expect(parseUserClaim(writeUserClaim({ name, value }), 'escaped')).to.eql({ name, value });
    });
    fc.assert(check, runs(500));
    expect(writeCondition({ name: 'a', isDenied: false, value: 'https://b' })).to.equal('attributes.a=https://b');
    expect(writeUserClaim({ name: 'ex:group', value: 'a=b' })).to.equal(String.raw`ex\:group=a=b`);
  });

  it('have two readings where a colon comes before an equals sign', () => {
    expect(findReadings('attributes.ex:site=A')).to.eql([
      String.raw`attributes.ex:site\=A`,
      String.raw`attributes.ex\:site=A`,
    ]);
    for (const text of ['ex:site!=A', 'a:b:c=d', 'url:https://x?y=z', 'a::=b']) {
      for (const reading of findReadings(text)!) {
        expect(findReadings(reading), reading).to.equal(undefined);
        expect(parseCondition(reading, 'escaped'), reading).to.not.equal(undefined);
      }
    }
    for (const text of ['a=b:c', 'a:b', 'a:b:c', 'a:b=', ':a=b', 'a=b=c', 'a!=b:c=d', String.raw`a\:b=c`])
      expect(findReadings(text), text).to.equal(undefined);
  });

  it('are named by a policy only if one of them needs that', () => {
    const name = (condition: string, assertion = 'a<7') =>
      toPolicySyntax({ asset_filter: [{ or: ['b=c', condition] }], richness_assertions: [{ or: [assertion] }] });
    for (const plain of ['a=b', 'a:b', 'a!=*', String.raw`path=C:\temp`]) expect(name(plain)).to.eql({});
    for (const escaped of [String.raw`a\:b=c`, String.raw`a=\*`, String.raw`a=b\=c`])
      expect(name(escaped)).to.eql({ condition_syntax: 'escaped' });
    expect(name('a=b', String.raw`a\=b<7`)).to.eql({ condition_syntax: 'escaped' });
  });

  it('restate earlier ones with the same meaning', () => {
    const restate = (text: string) => restateLists([{ or: [text] }], parseUserClaim, writeUserClaim)[0]!.or;
    expect(restate('group=a:b')).to.eql(['group=a:b']);
    expect(restate('ex:group=a')).to.eql([String.raw`ex\:group=a`]);
    expect(restate('group:nobody')).to.eql([]);
    const check = fc.property(texts, (text) => {
      const [restated] = restateLists([{ or: [text] }], parseCondition, writeCondition)[0]!.or;
      const read = restated === undefined ? undefined : parseCondition(restated, 'escaped');
      expect(read).to.eql(parseCondition(text, undefined));
    });
    fc.assert(check, runs(300));
  });
});
