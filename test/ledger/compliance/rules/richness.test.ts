import { expect } from 'chai';
import { createJudge, evaluate } from '../../../../ledger/compliance/judge.ts';
import { aPolicy, fails, PASSES, toHistory } from '../policies.ts';

const T0 = Date.parse('2026-01-01T00:00:00.000Z');

describe('COMPLIANCE_RICHNESS', () => {
  const policyOf = (...lists: readonly string[][]) =>
    aPolicy('COMPLIANCE_RICHNESS', { richness_assertions: lists.map((or) => ({ or })) });

  it('evaluates the acceptance examples', () => {
    const radiation = policyOf(['rad<7', 'rad=10']);
    const isCompliant = (rad: string) => evaluate(radiation, toHistory([]), { rad }, T0).compliant;
    expect(['6', '8', '10', '7'].map(isCompliant)).to.deep.equal([true, false, true, false]);
    const evaluatePolicy = createJudge(toHistory([]), { radiation_level: '9', weight: '8' }, T0);
    expect(evaluatePolicy(policyOf(['radiation_level<7'])).compliant).to.equal(false);
    expect(evaluatePolicy(policyOf(['weight<=10'])).compliant).to.equal(true);
  });

  it("names the first list that fails, and the asset's values", () => {
    const policy = policyOf(['a=1'], ['a<1', 'b=2', 'c!=3'], ['c=3']);
    expect(evaluate(policy, toHistory([]), { a: '1', b: '3' }, T0)).to.deep.equal({
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
    expect(evaluate(policyOf(['a=2', 'a=1'], ['b>2', 'b>1']), toHistory([]), { a: '1', b: '3' }, T0)).to.deep.equal({
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

  it('names an attribute with and without the prefix', () => {
    for (const name of ['rad', 'attributes.rad']) {
      const { compliant, evidence } = evaluate(policyOf([`${name}<7`]), toHistory([]), { rad: '6' }, T0);
      expect(compliant).to.equal(true);
      expect(evidence).to.deep.include({ attributes: { rad: '6' }, missing: [] });
    }
    const nested = policyOf(['attributes.attributes.rad<7']);
    expect(evaluate(nested, toHistory([]), { 'attributes.rad': '6' }, T0).compliant).to.equal(true);
  });

  it('cuts long values in its evidence, never in half a character', () => {
    const evidenceOf = (rad: string) => evaluate(policyOf(['rad=1']), toHistory([]), { rad }, T0).evidence;
    for (const whole of ['x'.repeat(256), '\u{1f600}'.repeat(256)]) {
      expect(evidenceOf(whole)).to.deep.include({ attributes: { rad: whole } });
      expect(evidenceOf(`${whole}y`)).to.deep.include({ attributes: { rad: `${whole}...` } });
    }
  });

  it('counts an empty value as missing', () => {
    for (const operator of ['=', '!=', '<', '>', '<=', '>=']) {
      const { compliant, evidence } = evaluate(
        policyOf([`rad${operator}7`, 'map=1']),
        toHistory([]),
        { rad: '', map: {} },
        T0,
      );
      expect(compliant).to.equal(false);
      expect(evidence).to.deep.include({ attributes: {}, missing: ['rad'], not_texts: ['map'] });
    }
  });

  it('compares each character for a policy from before the rules on texts', () => {
    const isHeld = (text: string, attributes: Record<string, string>) =>
      evaluate(policyOf([text]), toHistory([]), attributes, T0).compliant;
    expect(isHeld('rad < 7', { rad: '6' })).to.equal(false);
    expect(isHeld('rad < 7', { 'rad ': ' 6' })).to.equal(true);
    expect(isHeld('asset_attributes.rad<7', { rad: '6' })).to.equal(false);
    expect(isHeld('asset_attributes.rad<7', { 'asset_attributes.rad': '6' })).to.equal(true);
  });

  it('finds no assertion true for an attribute that is missing or not a text', () => {
    for (const operator of ['=', '!=', '<', '>', '<=', '>=']) {
      const verdictOf = (name: string) =>
        evaluate(policyOf([`${name}${operator}1`]), toHistory([]), { map: { a: '1' }, list: [] }, T0);
      for (const name of ['map', 'list', 'none', 'toString', '__proto__'])
        expect(verdictOf(name).compliant).to.equal(false);
      expect(verdictOf('map').evidence).to.deep.include({ missing: [], not_texts: ['map'] });
      expect(verdictOf('toString').evidence).to.deep.include({ missing: ['toString'], not_texts: [] });
    }
  });
});
