import { expect } from 'chai';
import fc from 'fast-check';
import type { AccessPermission } from '../../../ledger/records/accessPolicy.ts';
import type { AttributeValue } from '../../../ledger/records/attributes.ts';
import type { Alternatives } from '../../../ledger/records/policy.ts';
import {
  allowsContributions,
  allowsRead,
  allowsWrite,
  type Grant,
  type GrantedEvent,
  includesName,
  isForPrincipal,
  matchesAsset,
  toGrants,
} from '../../../ledger/sharing/grants.ts';
import { naiveAllowsWrite, naiveIsFor, naiveMatches, naiveSeesAttribute } from '../../support/naiveGrants.ts';
import { runs } from '../../support/propertyRuns.ts';
import { aPermission, subjectOf } from '../../support/records.ts';
import { accessPolicyRecords } from '../../support/sharingArbitraries.ts';

const RUNS = runs(2_000);

const grantOf = (permission: Partial<AccessPermission>, filters: readonly Alternatives[] = []): Grant =>
  toGrants({ filters, access_permissions: [aPermission(permission)] })[0]!;

const matches = (filters: readonly Alternatives[], attributes: Record<string, AttributeValue>): boolean =>
  matchesAsset(grantOf({}, filters), attributes);

const names = fc.constantFrom('a', 'b', 'a.b', '__proto__', 'toString', 'attributes.a', '!');
const values = fc.constantFrom('1', '2', '*', '=', '__proto__', ' ');
const parts = fc.constantFrom('a', 'b', '__proto__', 'attributes.', '=', '!=', ':', '!', '*', '1', ' ');
const conditions = fc.oneof(
  fc
    .tuple(fc.constantFrom('', 'attributes.'), names, fc.constantFrom('=', '!=', ':'), values)
    .map((all) => all.join('')),
  fc.array(parts, { maxLength: 4 }).map((all) => all.join('')),
);
const listsOf = (texts: fc.Arbitrary<string>): fc.Arbitrary<Alternatives[]> =>
  fc.array(fc.record({ or: fc.array(texts, { maxLength: 3 }) }), { maxLength: 2 });
const attributes = fc.dictionary(
  names,
  fc.oneof<fc.Arbitrary<AttributeValue>[]>(values, fc.constantFrom('', {}, [], { a: '1' }, [{ a: '1' }])),
  { maxKeys: 3 },
);
const claims = fc.array(fc.tuple(fc.constantFrom('a', 'b', '__proto__', ''), fc.constantFrom('1', '2', '')), {
  maxLength: 4,
});
const namedLists = fc.array(fc.constantFrom('a', 'b', '__proto__', '*'), { maxLength: 2 });
const permissions: fc.Arbitrary<AccessPermission> = fc.record({
  subjects: fc.array(fc.constant(subjectOf(1)), { maxLength: 1 }),
  user_attributes: listsOf(fc.constantFrom('a=1', 'b=2', '__proto__=1', 'a', 'a=', '=1', '=')),
  behaviours: namedLists,
  include_attributes: namedLists,
  asset_attributes_read: namedLists,
  asset_attributes_write: namedLists,
  event_arc_display_type_read: namedLists,
  event_arc_display_type_write: namedLists,
});
const anyName = fc.constantFrom('a', 'b', 'c', '__proto__', '*', '');
const events: fc.Arbitrary<GrantedEvent> = fc.record({
  behaviour: anyName,
  displayType: fc.option(anyName, { nil: undefined }),
  attributes: fc.array(anyName, { maxLength: 2 }),
});

describe('the grants of an access policy', () => {
  it('are one for each permission, all about the assets that the filters match', () => {
    const filters = [{ or: ['attributes.a=1'] }];
    const grants = toGrants({
      filters,
      access_permissions: [aPermission({ behaviours: ['RecordEvidence'] }), aPermission({ behaviours: ['*'] })],
    });
    expect(grants.map(({ behaviours }) => behaviours)).to.deep.equal([new Set(['RecordEvidence']), 'all']);
    expect(grants.map((grant) => matchesAsset(grant, { a: '1' }))).to.deep.equal([true, true]);
    expect(grants.map((grant) => matchesAsset(grant, { a: '2' }))).to.deep.equal([false, false]);
  });

  it('are about every asset without filters, and about none where a text is no condition', () => {
    expect(matches([], {})).to.equal(true);
    expect(matches([{ or: [] }], { a: '1' })).to.equal(false);
    expect(matches([{ or: ['a'] }], { a: '1' })).to.equal(false);
    expect(matches([{ or: ['a', 'a=1'] }], { a: '1' })).to.equal(true);
    expect(matches([{ or: ['a=1'] }, { or: ['a'] }], { a: '1' })).to.equal(false);
  });

  it('are for nobody without subjects and user attributes', () => {
    expect(isForPrincipal(grantOf({}), { email: 'bill@example.com' })).to.equal(false);
    expect(isForPrincipal(grantOf({ subjects: [subjectOf(1)] }), {})).to.equal(true);
  });

  it('are for principals with one claim of each list', () => {
    const grant = grantOf({ user_attributes: [{ or: ['email=bill', 'subject=s'] }, { or: ['jwt_serial=7'] }] });
    expect(isForPrincipal(grant, { email: 'bill', jwt_serial: '7' })).to.equal(true);
    expect(isForPrincipal(grant, { subject: 's', jwt_serial: '7' })).to.equal(true);
    expect(isForPrincipal(grant, { email: 'bill' })).to.equal(false);
    expect(isForPrincipal(grant, { email: 'bill', jwt_serial: '8' })).to.equal(false);
  });

  it('are for principals with a text of a claim that has several', () => {
    const grant = grantOf({ user_attributes: [{ or: ['groups=site managers'] }] });
    expect(isForPrincipal(grant, { groups: ['a', 'site managers'] })).to.equal(true);
    expect(isForPrincipal(grant, { groups: ['site', 'managers'] })).to.equal(false);
    expect(isForPrincipal(grant, { groups: [] })).to.equal(false);
  });

  it('never take a missing or an empty claim for one that they name', () => {
    expect(isForPrincipal(grantOf({ user_attributes: [{ or: ['email='] }] }), { email: '' })).to.equal(false);
    expect(isForPrincipal(grantOf({ user_attributes: [{ or: ['email=undefined'] }] }), { email: undefined })).to.equal(
      false,
    );
    expect(isForPrincipal(grantOf({ user_attributes: [{ or: ['email=*'] }] }), { email: 'bill' })).to.equal(false);
    expect(isForPrincipal(grantOf({ user_attributes: [{ or: [] }] }), { email: 'bill' })).to.equal(false);
  });

  it('let an asset be read by attributes of both forms or by types, not by what may be written', () => {
    const forms = ['include_attributes', 'asset_attributes_read', 'event_arc_display_type_read'] as const;
    for (const form of forms) {
      expect(allowsRead(grantOf({ [form]: ['a'] })), form).to.equal(true);
      expect(allowsRead(grantOf({ [form]: ['*'] })), form).to.equal(true);
    }
    const writing = { behaviours: ['*'], asset_attributes_write: ['*'], event_arc_display_type_write: ['*'] };
    expect(allowsRead(grantOf(writing))).to.equal(false);
    const { attributesRead } = grantOf({ include_attributes: ['a'], asset_attributes_read: ['b'] });
    expect(attributesRead).to.deep.equal(new Set(['a', 'b']));
  });

  it('allow an event whose behaviour, type and attributes one of them names', () => {
    const event: GrantedEvent = { behaviour: 'RecordEvidence', displayType: 'Measure', attributes: ['a', 'b'] };
    const granted = {
      behaviours: ['RecordEvidence'],
      event_arc_display_type_write: ['Measure'],
      asset_attributes_write: ['a', 'b'],
    };
    expect(allowsWrite(grantOf(granted), event)).to.equal(true);
    expect(allowsWrite(grantOf(granted), { ...event, attributes: [] })).to.equal(true);
    expect(allowsWrite(grantOf(granted), { ...event, attributes: ['a', 'c'] })).to.equal(false);
    expect(allowsWrite(grantOf(granted), { ...event, displayType: undefined })).to.equal(false);
    for (const missing of Object.keys(granted)) {
      expect(allowsWrite(grantOf({ ...granted, [missing]: [] }), event), missing).to.equal(false);
      expect(allowsWrite(grantOf({ ...granted, [missing]: ['*'] }), event), missing).to.equal(true);
    }
    const reading = { include_attributes: ['*'], asset_attributes_read: ['*'], event_arc_display_type_read: ['*'] };
    expect(allowsWrite(grantOf({ ...granted, ...reading, asset_attributes_write: ['a'] }), event)).to.equal(false);
    const anyType = { ...granted, event_arc_display_type_write: ['*'] };
    expect(allowsWrite(grantOf(anyType), { ...event, displayType: undefined })).to.equal(true);
  });

  it('allow to record events at all where they name behaviours and types to write', () => {
    const writing = { behaviours: ['RecordEvidence'], event_arc_display_type_write: ['Measure'] };
    expect(allowsContributions(grantOf(writing))).to.equal(true);
    expect(allowsContributions(grantOf({ behaviours: ['*'], event_arc_display_type_write: ['*'] }))).to.equal(true);
    for (const missing of Object.keys(writing))
      expect(allowsContributions(grantOf({ ...writing, [missing]: [] })), missing).to.equal(false);
    expect(allowsContributions(grantOf({ asset_attributes_read: ['*'] }))).to.equal(false);
  });

  it('match assets as the rules state', () => {
    fc.assert(
      fc.property(listsOf(conditions), attributes, (filters, of) => {
        expect(matches(filters, of)).to.equal(naiveMatches(filters, of));
      }),
      RUNS,
    );
  });

  it('are for principals, and let them read and write, as the rules state', () => {
    fc.assert(
      fc.property(permissions, claims, events, anyName, (permission, pairs, event, name) => {
        const grant = grantOf(permission);
        const held = new Map(pairs);
        expect(isForPrincipal(grant, Object.fromEntries(held))).to.equal(naiveIsFor(permission, held));
        expect(allowsWrite(grant, event)).to.equal(naiveAllowsWrite(permission, event));
        expect(includesName(grant.attributesRead, name)).to.equal(naiveSeesAttribute(permission, name));
      }),
      RUNS,
    );
  });

  it('are made of any policy that the chain may hold', () => {
    fc.assert(
      fc.property(accessPolicyRecords, attributes, (policy, of) => {
        for (const grant of toGrants(policy)) {
          matchesAsset(grant, of);
          isForPrincipal(grant, { email: 'bill' });
          allowsRead(grant);
        }
      }),
    );
  });
});
