import { expect } from 'chai';
import { parseCondition } from '../../../ledger/compliance/assetFilter.ts';
import type { Attributes } from '../../../ledger/records/attributes.ts';
import { matchesFilter } from './policies.ts';

const matches = (text: string, attributes: Attributes): boolean => matchesFilter([{ or: [text] }], attributes);

describe('the asset filter', () => {
  it('matches as in the acceptance example', () => {
    const filter = [
      { or: ['type=Pump', 'type=Valve'] },
      { or: ['vendor=Synsation'] },
      { or: ['loc=West', 'loc=East'] },
    ];
    const isNamed = (type: string, vendor: string, loc: string) => matchesFilter(filter, { type, vendor, loc });
    expect(isNamed('Valve', 'Synsation', 'East')).to.equal(true);
    expect(isNamed('Pump', 'Synsation', 'South')).to.equal(false);
    expect(isNamed('Pump', 'Other', 'West')).to.equal(false);
    expect(isNamed('Door', 'Synsation', 'West')).to.equal(false);
  });

  it('matches every asset when empty', () => {
    expect(matchesFilter([], {})).to.equal(true);
  });

  it('splits at the first separator, with or without the prefix', () => {
    const cases = [
      ['attributes.arc_display_type:Pump', 'arc_display_type', false, 'Pump'],
      ['attributes.a=b', 'a', false, 'b'],
      ['a:b=c', 'a', false, 'b=c'],
      ['a=b:c', 'a', false, 'b:c'],
      ['a!=b', 'a', true, 'b'],
      ['a:!=b', 'a', false, '!=b'],
      ['a!:b', 'a!', false, 'b'],
      ['attributes.a.b=*', 'a.b', false, undefined],
      ['attributes.attributes.a=1', 'attributes.a', false, '1'],
      ['a b!=*', 'a b', true, undefined],
    ] as const;
    for (const [text, name, isDenied, value] of cases) {
      expect(parseCondition(text, undefined), text).to.deep.equal({ name, isDenied, value });
    }
  });

  it('has a name, a separator and a value', () => {
    for (const text of [
      '',
      'a',
      'a=',
      'a:',
      'a!=',
      '=b',
      ':b',
      '!=b',
      'attributes.a',
      'attributes.',
      'attributes.=b',
      'a>1',
    ]) {
      expect(parseCondition(text, undefined), text).to.equal(undefined);
      expect(matches(text, { a: 'b' }), text).to.equal(false);
    }
  });

  it('compares values exactly, and only texts', () => {
    expect(matches('a=b', { a: 'b' })).to.equal(true);
    expect(matches('a=B', { a: 'b' })).to.equal(false);
    expect(matches('a=1.0', { a: '1' })).to.equal(false);
    expect(matches('a=b', { a: { b: 'b' } })).to.equal(false);
    expect(matches('toString=b', {})).to.equal(false);
  });

  it('matches attributes that are present and not empty', () => {
    for (const value of ['b', { b: '' }, [{}]]) expect(matches('a=*', { a: value })).to.equal(true);
    for (const value of ['', {}, []]) expect(matches('a=*', { a: value })).to.equal(false);
    expect(matches('toString=*', {})).to.equal(false);
  });

  it('negates a condition exactly', () => {
    for (const attributes of [{}, { a: 'b' }, { a: 'c' }, { a: '' }, { a: {} }, { a: [{ b: 'b' }] }]) {
      for (const value of ['b', '*'])
        expect(matches(`a!=${value}`, attributes)).to.equal(!matches(`a=${value}`, attributes));
    }
  });
});
