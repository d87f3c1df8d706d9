import { expect } from 'chai';
import fc from 'fast-check';
import { toPolicyContent } from '../../../server/records/newPolicy.ts';
import { decimalTexts } from '../../support/decimalTexts.ts';
import { runs } from '../../support/propertyRuns.ts';
import { fieldsOf } from '../../support/refusals.ts';

const contentOf = (given: Partial<Parameters<typeof toPolicyContent>[0]>) =>
  toPolicyContent({ compliance_type: 'COMPLIANCE_SINCE', display_name: '', description: '', ...given });

describe('the numbers of a new policy', () => {
  it('are whole seconds of 64 bits if the text has no sign, no exponent and no fraction but zeros', () => {
    const check = fc.property(decimalTexts, (text) => {
      const digits = /^0*(\d{1,19})(?:\.0+)?$/.exec(text)?.[1];
      const isInteger = digits !== undefined && BigInt(digits) < 2n ** 63n;
      if (isInteger) expect(contentOf({ time_period_seconds: text }).time_period_seconds).to.equal(digits);
      else
        expect(
          fieldsOf(() => contentOf({ dynamic_window: text })),
          text,
        ).to.deep.equal(['dynamic_window']);
    });
    fc.assert(check, runs(1_000));
  });

  it('are decimal numbers with digits on both sides of a point, which a double keeps', () => {
    const toValue = (text: string): string => {
      const [, whole = '', fraction = '', exponent = '0'] = /^[+-]?(\d+)(?:\.(\d+))?(?:[eE](.*))?$/.exec(text) ?? [];
      const significant = `${whole}${fraction}`.replace(/^0+/, '');
      const kept = significant.replace(/0+$/, '');
      const power = BigInt(exponent) - BigInt(fraction.length) + BigInt(significant.length - kept.length);
      return kept === '' ? '0' : `${kept}e${power}`;
    };
    const check = fc.property(decimalTexts, (text) => {
      const isDecimal = /^[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text);
      const isKept = isDecimal && Number.isFinite(Number(text)) && toValue(text) === toValue(String(Number(text)));
      if (isKept) expect(contentOf({ dynamic_variability: text }).dynamic_variability).to.equal(Number(text) + 0);
      else
        expect(
          fieldsOf(() => contentOf({ dynamic_variability: text })),
          text,
        ).to.deep.equal(['dynamic_variability']);
    });
    fc.assert(check, runs(1_000));
  });
});
