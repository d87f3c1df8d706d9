import { expect } from 'chai';
import { createJudge, judge } from '../../../ledger/compliance/judge.ts';
import { aPolicy, fails, PASSES, toHistory } from './policies.ts';

const T0 = Date.parse('2026-01-01T00:00:00.000Z');

describe('COMPLIANCE_RICHNESS', () => {
  const policyOf = (...lists: readonly string[][]) =>
    aPolicy('COMPLIANCE_RICHNESS', { richness_assertions: lists.map((or) => ({ or })) });

  it('judges the acceptance examples', () => {
    const radiation = policyOf(['rad<7', 'rad=10']);
    const isCompliant = (rad: string) => judge(radiation, toHistory([]), { rad }, T0).compliant;
    expect(['6', '8', '10', '7'].map(isCompliant)).to.deep.equal([true, false, true, false]);
    const judgePolicy = createJudge(toHistory([]), { radiation_level: '9', weight: '8' }, T0);
    expect(judgePolicy(policyOf(['radiation_level<7'])).compliant).to.equal(false);
    expect(judgePolicy(policyOf(['weight<=10'])).compliant).to.equal(true);
  });

  it('names the first list that fails, and what the asset has instead', () => {
    const policy = policyOf(['a=1'], ['a<1', 'b=2', 'c!=3'], ['c=3']);
    expect(judge(policy, toHistory([]), { a: '1', b: '3' }, T0)).to.deep.equal({
      ...fails('No assertion holds: a<1 or b=2 or c!=3'),
      evidence: {
        events: [],
        events_total: 0,
        assertions: ['a<1', 'b=2', 'c!=3'],
        attributes: { a: '1', b: '3' },
        missing: ['c'],
        not_texts: [],
      },
    });
    expect(judge(policyOf(['a=2', 'a=1'], ['b>2', 'b>1']), toHistory([]), { a: '1', b: '3' }, T0)).to.deep.equal({
      ...PASSES,
      evidence: {
        events: [],
        events_total: 0,
        assertions: ['a=1', 'b>2'],
        attributes: { a: '1', b: '3' },
        missing: [],
        not_texts: [],
      },
    });
  });

  it('holds nothing of an attribute that is missing or no text', () => {
    for (const operator of ['=', '!=', '<', '>', '<=', '>=']) {
      const verdictOf = (name: string) =>
        judge(policyOf([`${name}${operator}1`]), toHistory([]), { map: { a: '1' }, list: [] }, T0);
      for (const name of ['map', 'list', 'none', 'toString', '__proto__'])
        expect(verdictOf(name).compliant).to.equal(false);
      expect(verdictOf('map').evidence).to.deep.include({ missing: [], not_texts: ['map'] });
      expect(verdictOf('toString').evidence).to.deep.include({ missing: ['toString'], not_texts: [] });
    }
  });
});
