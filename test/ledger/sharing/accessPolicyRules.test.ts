import { expect } from 'chai';
import type { AccessPermission } from '../../../ledger/records/accessPolicy.ts';
import type { Alternatives } from '../../../ledger/records/policy.ts';
import { assertAccessPolicy, toSubjectField } from '../../../ledger/sharing/accessPolicyRules.ts';
import { aPermission } from '../../support/records.ts';
import { codeOf, fieldsOf, NOT_REFUSED } from '../../support/refusals.ts';

const ofFilters = (filters: readonly Alternatives[]) => () => assertAccessPolicy({ filters });
const ofPermission = (permission: Partial<AccessPermission>) => () =>
  assertAccessPolicy({ access_permissions: [aPermission(), aPermission(permission)] });

describe('an access policy', () => {
  it('may have any conditions, claims and behaviours that mean something', () => {
    const filters = [{ or: ['attributes.a=b', 'c!=*', 'd:e'] }, { or: ['attributes.attribute.a=b'] }];
    const permission = aPermission({
      user_attributes: [{ or: ['email=bill@example.com', 'subject=a=b'] }, { or: ['jwt_serial=7'] }],
      behaviours: ['RecordEvidence', 'Attachments', 'Builtin', '*'],
      asset_attributes_read: ['*', ' a'],
    });
    expect(codeOf(() => assertAccessPolicy({ filters, access_permissions: [permission] }))).to.equal(NOT_REFUSED);
    expect(codeOf(() => assertAccessPolicy({}))).to.equal(NOT_REFUSED);
    expect(codeOf(() => assertAccessPolicy({ filters: [], access_permissions: [] }))).to.equal(NOT_REFUSED);
  });

  it('is refused with each filter that is no condition, or evidently a mistake', () => {
    const refused = ofFilters([{ or: ['a=b', 'a', 'a= b'] }, { or: [] }, { or: ['attribute.a=b', 'a=b '] }]);
    expect(codeOf(refused)).to.equal('ACCESS_POLICY_INVALID');
    expect(fieldsOf(refused)).to.deep.equal([
      'filters/0/or/1',
      'filters/0/or/2',
      'filters/1/or',
      'filters/2/or/0',
      'filters/2/or/1',
    ]);
  });

  it('is refused with each user attribute that is no claim, or names none', () => {
    for (const wrong of ['email', 'email=', '=bill', 'ex:email=bill', 'email = bill', ' email=bill', 'email=*']) {
      const refused = ofPermission({ user_attributes: [{ or: ['email=bill', wrong] }] });
      expect(codeOf(refused), wrong).to.equal('ACCESS_POLICY_INVALID');
      expect(fieldsOf(refused), wrong).to.deep.equal(['access_permissions/1/user_attributes/0/or/1']);
    }
    expect(fieldsOf(ofPermission({ user_attributes: [{ or: [] }] }))).to.deep.equal([
      'access_permissions/1/user_attributes/0/or',
    ]);
  });

  it('is refused with too many or too long texts', () => {
    const alternatives = (count: number, length = 3) =>
      Array.from({ length: 10 }, () => ({ or: Array.from({ length: count }, () => `a=${'b'.repeat(length - 2)}`) }));
    expect(codeOf(ofFilters(alternatives(100)))).to.equal(NOT_REFUSED);
    expect(fieldsOf(ofFilters([...alternatives(100), { or: ['a=b'] }]))).to.deep.equal(['filters']);
    expect(fieldsOf(ofFilters(alternatives(1, 3_277)))).to.deep.equal(['filters']);
    expect(fieldsOf(ofFilters([{ or: Array.from({ length: 101 }, () => 'a=b') }]))).to.deep.equal(['filters/0/or']);
    expect(fieldsOf(ofFilters(Array.from({ length: 101 }, () => ({ or: ['a=b'] }))))).to.deep.equal(['filters']);
    expect(fieldsOf(ofPermission({ user_attributes: [{ or: [`a=${'b'.repeat(4_095)}`] }] }))).to.deep.equal([
      'access_permissions/1/user_attributes/0/or/0',
    ]);
  });

  it('is refused with a behaviour that does not exist', () => {
    for (const unknown of ['', 'Sharing', 'toString', '__proto__', 'recordEvidence']) {
      const refused = ofPermission({ behaviours: ['RecordEvidence', unknown] });
      expect(codeOf(refused), unknown).to.equal('BEHAVIOUR_UNKNOWN');
      expect(fieldsOf(refused), unknown).to.deep.equal(['access_permissions/1/behaviours/1']);
    }
  });

  it('names its subjects by their place', () => {
    expect(toSubjectField(2, 3)).to.equal('access_permissions/2/subjects/3');
  });
});
