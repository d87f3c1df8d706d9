import { expect } from 'chai';
import { assertPolicy, assertRequiredFields, REQUIRED_FIELDS } from '../../../ledger/compliance/policyRules.ts';
import { COMPLIANCE_TYPES, type PolicyContent } from '../../../ledger/records/policy.ts';
import { codeOf, fieldsOf, NOT_REFUSED } from '../../support/refusals.ts';
import { aPairPolicy, aPolicy } from './policies.ts';

const COMPLETE = {
  time_period_seconds: '10',
  dynamic_window: '3600',
  dynamic_variability: 1.5,
  richness_assertions: [{ or: ['rad<7', 'rad=10'] }],
};
const complete = aPairPolicy('COMPLIANCE_DYNAMIC_TOLERANCE', COMPLETE);
const EMPTY = aPolicy('COMPLIANCE_SINCE', { dynamic_variability: Number.NaN });

const refusedFields = (given: Partial<PolicyContent>): string[] => {
  const content = { ...complete, ...given };
  const fields = fieldsOf(() => assertPolicy(content));
  if (fields.length > 0) expect(codeOf(() => assertPolicy(content))).to.equal('POLICY_INVALID');
  return fields;
};

describe('a compliance policy', () => {
  it('has conditions with one reading, and filters that an asset can meet', () => {
    for (const two of ['attributes.ex:site=A', 'ex:site!=A', 'url:https://x?a=b'])
      expect(refusedFields({ asset_filter: [{ or: ['a=b', two] }] })).to.deep.equal(['asset_filter/0/or/1']);
    for (const one of ['ex\\:site=A', 'ex:site\\=A', 'url:https://x', 'url=https://x?a=b'])
      expect(refusedFields({ asset_filter: [{ or: [one] }] })).to.deep.equal([]);
    expect(refusedFields({ asset_filter: [{ or: ['a=b'] }, { or: ['a=c'] }] })).to.deep.equal(['asset_filter']);
    expect(refusedFields({ richness_assertions: [{ or: ['ex:temp<8', 'a\\=b<8'] }] })).to.deep.equal([]);
  });

  for (const compliance_type of COMPLIANCE_TYPES) {
    it(`of ${compliance_type} has the fields that its type requires`, () => {
      expect(codeOf(() => assertPolicy({ ...complete, compliance_type }))).to.equal(NOT_REFUSED);
      for (const field of REQUIRED_FIELDS[compliance_type]) {
        expect(refusedFields({ compliance_type, [field]: EMPTY[field] }), field).to.deep.equal([field]);
      }
    });

    it(`of ${compliance_type} needs nothing that its type doesn't use`, () => {
      const used = REQUIRED_FIELDS[compliance_type].map((field) => [field, complete[field]]);
      const content = aPolicy(compliance_type, Object.fromEntries(used));
      expect(codeOf(() => assertPolicy(content))).to.equal(NOT_REFUSED);
    });

    it(`of ${compliance_type} is refused with all missing fields at once`, () => {
      const fields = fieldsOf(() => assertRequiredFields(compliance_type, { display_name: 'a' }));
      expect(fields).to.deep.equal([...REQUIRED_FIELDS[compliance_type]]);
      expect(codeOf(() => assertRequiredFields(compliance_type, complete))).to.equal(NOT_REFUSED);
    });
  }

  it('has periods of at least a second that fit into 64 bits', () => {
    const dynamic = (dynamic_window: string) => refusedFields({ dynamic_window });
    expect(dynamic('9223372036854775807')).to.deep.equal([]);
    for (const wrong of ['0', '000', '', '-1', '1.5', '1e3', ' 1', 'x', '9223372036854775808', '1'.repeat(20)]) {
      expect(dynamic(wrong), wrong).to.include('dynamic_window');
    }
    expect(refusedFields({ time_period_seconds: 'x' })).to.deep.equal(['time_period_seconds']);
    expect(refusedFields({ time_period_seconds: '0' })).to.deep.equal([]);
  });

  it('has a variability of at least 0', () => {
    for (const right of [0, 1e-9, 1e300]) expect(refusedFields({ dynamic_variability: right })).to.deep.equal([]);
    for (const wrong of [-1, -1e-9, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(refusedFields({ dynamic_variability: wrong })).to.deep.equal(['dynamic_variability']);
    }
  });

  it('has types without blanks at either end', () => {
    for (const field of ['event_display_type', 'closing_event_display_type'] as const) {
      for (const wrong of [' Open', 'Open\t', '\u00a0Open'])
        expect(refusedFields({ [field]: wrong })).to.deep.equal([field]);
      expect(refusedFields({ [field]: 'Open Case' })).to.deep.equal([]);
    }
  });

  it('has texts of at most 4,096 code points', () => {
    for (const field of ['display_name', 'description', 'event_display_type', 'closing_event_display_type'] as const) {
      expect(refusedFields({ [field]: '\u{1f600}'.repeat(4096) })).to.deep.equal([]);
      expect(refusedFields({ [field]: 'a'.repeat(4097) })).to.deep.equal([field]);
    }
    expect(refusedFields({ asset_filter: [{ or: [`a=${'b'.repeat(4095)}`] }] })).to.deep.equal(['asset_filter/0/or/0']);
  });

  for (const [field, text] of [
    ['asset_filter', 'a=b'],
    ['richness_assertions', 'a<1'],
  ] as const) {
    it(`has at most 100 lists of 1 to 100 texts in ${field}`, () => {
      const lists = (count: number, length: number) => ({
        [field]: Array(count).fill({ or: Array(length).fill(text) }),
      });
      expect(refusedFields(lists(100, 10))).to.deep.equal([]);
      expect(refusedFields(lists(10, 100))).to.deep.equal([]);
      expect(refusedFields(lists(91, 11))).to.deep.equal([field]);
      expect(refusedFields(lists(101, 1))).to.deep.equal([field]);
      expect(refusedFields(lists(1, 101))).to.deep.equal([`${field}/0/or`]);
      expect(refusedFields(lists(2, 0))).to.deep.equal([`${field}/0/or`, `${field}/1/or`]);
    });

    it(`has at most 32,768 characters in all of ${field}`, () => {
      const long = `a=${'b'.repeat(4094)}`;
      expect(refusedFields({ [field]: Array(8).fill({ or: [long] }) })).to.deep.equal([]);
      expect(refusedFields({ [field]: [...Array(8).fill({ or: [long] }), { or: [text] }] })).to.deep.equal([field]);
    });

    it(`names evident mistakes in ${field}`, () => {
      const [name, operator, value] = [text.slice(0, 1), text.slice(1, 2), text.slice(2)];
      const wrong = [
        ...[' ', '\t', '\n', '\u00a0', '\u3000', '\ufeff'].flatMap((blank) => [
          blank + text,
          text + blank,
          `${name}${blank}${operator}${value}`,
          `${name}${operator}${blank}${value}`,
          `attributes.${blank}${text}`,
          `${name}!=${blank}`,
        ]),
        ...['attribute.', 'asset_attributes.', 'event_attributes.'].map((prefix) => prefix + text),
      ];
      for (const each of wrong) {
        expect(refusedFields({ [field]: [{ or: [text, each] }] }), each).to.deep.equal([`${field}/0/or/1`]);
      }
      const right = [`attributes.${text}`, `a b${text}`, 'a=b c', `attributes.attribute.${text}`, `attribute${text}`];
      expect(refusedFields({ [field]: [{ or: right }] })).to.deep.equal([]);
    });

    it(`names malformed texts in ${field}`, () => {
      const given = { [field]: [{ or: [text] }, { or: [text, 'nothing', '=b', 'a='] }] };
      expect(refusedFields(given)).to.deep.equal([1, 2, 3].map((index) => `${field}/1/or/${index}`));
    });
  }
});
