// A changed access policy shows no more than its owner meant: what it keeps is read as before.
import { expect } from 'chai';
import { meets, parseCondition } from '../../../ledger/compliance/assetFilter.ts';
import { restateChanges, toNextAccessPolicy } from '../../../ledger/sharing/accessPolicySyntax.ts';

const DOTTED = 'attributes.a.b=c';
const NESTED = { a: { b: 'c' } };

describe('a changed access policy', () => {
  const change = (syntax: 'escaped' | undefined, filters: { or: string[] }[]) => {
    const policy = {
      display_name: '',
      description: '',
      filters: [{ or: [DOTTED] }],
      access_permissions: [],
      ...(syntax === undefined ? {} : { condition_syntax: syntax }),
    };
    return toNextAccessPolicy(policy, restateChanges(policy, { filters }));
  };
  const isMet = ({ filters, condition_syntax: syntax }: ReturnType<typeof change>): boolean =>
    filters.every(({ or }) => or.some((text) => meets(parseCondition(text, syntax)!, NESTED)));

  for (const syntax of [undefined, 'escaped'] as const) {
    it(`of the syntax ${syntax} reads the conditions that it keeps as before`, () => {
      expect(isMet(change(syntax, [{ or: [DOTTED, 'attributes.z=1'] }]))).to.equal(false);
      expect(isMet(change(syntax, [{ or: ['attributes.z=1', DOTTED] }, { or: [DOTTED] }]))).to.equal(false);
    });

    it(`of the syntax ${syntax} reads new conditions by the newest`, () => {
      expect(isMet(change(syntax, [{ or: ['attributes.a.x=1'] }]))).to.equal(false);
      expect(change(syntax, [{ or: ['attributes.a.x=1'] }]).condition_syntax).to.equal('paths');
    });
  }
});
