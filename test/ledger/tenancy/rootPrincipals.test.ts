import { expect } from 'chai';
import fc from 'fast-check';
import type { LedgerError } from '../../../ledger/errors.ts';
import { toPrincipal } from '../../../ledger/principal.ts';
import { assertRootPrincipals, isSameSubject } from '../../../ledger/tenancy/rootPrincipals.ts';
import { runs } from '../../support/propertyRuns.ts';

const principals = fc
  .record({ issuer: fc.constantFrom('', 'i', 'I', 'j'), subject: fc.constantFrom('', 's', 't', 'u') })
  .map(toPrincipal);
const lists = fc.array(principals, { maxLength: 4 });

const isTaken = (...requested: Parameters<typeof assertRootPrincipals>): boolean => {
  try {
    assertRootPrincipals(...requested);
    return true;
  } catch (error) {
    expect((error as LedgerError).code).to.equal('ROOT_PRINCIPALS_INVALID');
    expect((error as LedgerError).violations).not.to.eql([]);
    return false;
  }
};

describe('root principals', () => {
  it('are a list that contains the caller, each principal once, of known issuers; any such list, and no other', () => {
    const check = fc.property(lists, lists, principals, (next, current, caller) => {
      const names = next.map(({ issuer, subject }) => JSON.stringify([issuer, subject]));
      const mayBe =
        names.includes(JSON.stringify([caller.issuer, caller.subject])) &&
        new Set(names).size === names.length &&
        next.every(({ issuer }) => current.map((each) => each.issuer).includes(issuer));
      expect(isTaken(next, { current, caller })).to.equal(mayBe);
    });
    fc.assert(check, runs(1000));
  });

  it('are the same by issuer and subject, whatever their other fields', () => {
    const one = toPrincipal({ issuer: 'i', subject: 's', email: 'a' });
    const other = toPrincipal({ issuer: 'i', subject: 's', email: 'b', display_name: 'c' });
    expect(isSameSubject(one, other)).to.equal(true);
    expect(isSameSubject(one, { ...one, subject: 'S' })).to.equal(false);
    expect(isSameSubject(one, { ...one, issuer: 'I' })).to.equal(false);
  });
});
