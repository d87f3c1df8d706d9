// fast-check generators of small histories of a ledger: few tenants, assets, names and values, so that records refer
// to the same ones, with records that have no effect, and texts that are difficult for an index.
import fc from 'fast-check';
import { toApplicationIdentity, toVersionIdentity } from '../../ledger/identity.ts';
import type { Principal } from '../../ledger/principal.ts';
import { ROLES, toRecordedRoles } from '../../ledger/records/application.ts';
import type { Attributes, AttributeValue } from '../../ledger/records/attributes.ts';
import type { EventRecord } from '../../ledger/records/event.ts';
import type { LedgerRecord } from '../../ledger/records/record.ts';
import { followChoices, withFollows } from './followedVersions.ts';
import { AUTHOR, type WrittenRecord } from './recordLogs.ts';
import {
  ALPHA,
  aBlobRecord,
  aCreation,
  aLocationRecord,
  anApplicationRecord,
  anAttachment,
  anEvent,
  aPolicyRecord,
  aPrincipal,
  aTenantRecord,
  BETA,
  blobOf,
  eventOf,
  hashOf,
  locationOf,
  policyOf,
  uuidOf,
} from './records.ts';

const LONG = 'é'.repeat(200);
/** Names of attributes, of locations and of policies. */
const NAMES = [
  'n',
  'colour',
  '__proto__',
  '',
  '5:a',
  'a\0',
  'a\0b',
  'a',
  ...[`${LONG}1`, `${LONG}2`, LONG],
  'arc_attachments',
  ...['n.red', 'n.', '5:a.red'],
];
/** Text values of attributes. */
const TEXTS = ['', 'red', 'blue', '*', '5:a', '1:a', 'a\0', `${LONG}1`, `${LONG}2`, '😀', '\ufb33'];
/** Times that events are accepted and declared at, out of order and equal. */
const TIMES = [
  '0000-01-01T00:00:00.000Z',
  '1969-12-31T23:59:59.999Z',
  '2026-11-20T12:00:00.000Z',
  '2026-11-20T12:00:00.001Z',
  '2026-11-20T12:00:03.000Z',
  '9999-12-31T23:59:59.999Z',
];
export const TENANTS = [ALPHA, BETA];
const AUTHORS = [AUTHOR, `0x${'ab'.repeat(20)}`] as const;
export const ASSETS = [1, 2, 3];
export const BLOBS = [1, 2, 3];
export const LOCATIONS = [1, 2, 3];
export const POLICIES = [1, 2, 3];
const BEHAVIOURS = ['Builtin', 'RecordEvidence', 'Firmware', 'Attachments', '', 'foreign'];
const OPERATIONS = ['Add', 'Remove', 'StartTracking', 'StopTracking', 'StopTracking', 'Record', 'Attach', 'Update', ''];
const PRINCIPALS: Principal[] = [
  aPrincipal(),
  aPrincipal({ email: 'zoe@example.org', subject: '' }),
  aPrincipal({ issuer: '' }),
];

const attachmentLists = fc.array(
  fc.constantFrom(
    ...BLOBS.map((blob) => anAttachment(blob)),
    {},
    anAttachment(1, { arc_attachment_identity: 'BLOBS/1' }),
  ),
  { maxLength: 2 },
);
/** The few names, texts and times of one history, so that its records and its queries use the same ones. */
export interface Words {
  readonly names: readonly string[];
  readonly texts: readonly string[];
  readonly times: readonly string[];
}

const someOf = (all: readonly string[], least: number, most: number): fc.Arbitrary<string[]> =>
  fc.shuffledSubarray([...all], { minLength: least, maxLength: most });

export const words: fc.Arbitrary<Words> = fc.record({
  names: someOf(NAMES, 2, 3),
  texts: someOf(TEXTS, 1, 2).map((texts) => ['', ...texts]),
  times: someOf(TIMES, 2, 4),
});

const valuesOf = ({ texts }: Words): fc.Arbitrary<AttributeValue> =>
  fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...texts) },
    fc.constantFrom<AttributeValue>({}, { red: 'red' }, [], [{}], [{ red: '' }], { '': 'red' }),
    { weight: 2, arbitrary: fc.constantFrom(...texts).map((red): AttributeValue => [{ red }, { red, 'x.y': red }]) },
    fc
      .constantFrom(...BLOBS)
      .map((blob) => ({ arc_attribute_type: 'arc_attachment', arc_blob_identity: blobOf(blob) }))
      .chain((map) => fc.constantFrom<AttributeValue>(map, [{}, map])),
  );

const attributeOf = (name: string, of: Words): fc.Arbitrary<AttributeValue> =>
  name.startsWith('arc_') ? fc.oneof(attachmentLists, valuesOf(of)) : valuesOf(of);

// A plain object with own members of any name: assignment would take `__proto__` for the prototype.
const attributesOf = (of: Words, ...more: readonly string[]): fc.Arbitrary<Attributes> =>
  fc
    .uniqueArray(
      fc
        .constantFrom(...of.names, ...more)
        .chain((name) => attributeOf(name, of).map((value) => [name, value] as const)),
      { maxLength: 3, selector: ([name]) => name },
    )
    .map((entries) => Object.fromEntries(entries));

// The members of an event that compliance policies read, and members that resemble them.
const typingOf = (of: Words): fc.Arbitrary<Attributes> =>
  fc.record(
    { arc_display_type: valuesOf(of), arc_correlation_id: valuesOf(of), arc_correlation_value: valuesOf(of) },
    { requiredKeys: [] },
  );

const stampsOf = ({ times }: Words) =>
  fc.record({
    timestamp_accepted: fc.constantFrom(...times),
    timestamp_declared: fc.constantFrom(...times),
    principal_accepted: fc.constantFrom(...PRINCIPALS),
    principal_declared: fc.constantFrom(...PRINCIPALS),
  });
const settings = fc.record({
  behaviours: fc.subarray(['RecordEvidence', 'Attachments', 'foreign', '']),
  proof_mechanism: fc.constantFrom('KHIPU' as const, 'SIMPLE_HASH' as const),
  public: fc.boolean(),
});

export type ToRecord = (number: number) => LedgerRecord;

const assets = fc.constantFrom(1, ...ASSETS);
export const creationsOf = (of: Words): fc.Arbitrary<ToRecord> =>
  fc
    .tuple(assets, attributesOf(of), typingOf(of), settings, stampsOf(of))
    .map(([asset, asset_attributes, typing, asset_settings, stamp]) => (number) => {
      const identity = eventOf(asset, number);
      return aCreation({ identity, event_attributes: { ...typing }, asset_attributes, asset_settings, ...stamp });
    });

// An Attach that states its own list is not a valid record.
const withoutList = (record: EventRecord): EventRecord => {
  if (record.behaviour !== 'Attachments' || record.operation !== 'Attach') return record;
  const { arc_attachments: _, ...asset_attributes } = record.asset_attributes;
  return { ...record, asset_attributes };
};

const meanings = fc.oneof(
  fc.record({ behaviour: fc.constantFrom(...BEHAVIOURS), operation: fc.constantFrom(...OPERATIONS) }),
  fc.constant({ behaviour: 'Attachments', operation: 'Attach' }),
  fc.record({ behaviour: fc.constant('Builtin'), operation: fc.constantFrom(...OPERATIONS) }),
);
const eventAttributesOf = (of: Words): fc.Arbitrary<Attributes> =>
  fc
    .tuple(
      attributesOf(of, 'arc_append_attachments'),
      typingOf(of),
      fc.option(fc.constantFrom('Firmware', 'foreign', '', 'Builtin'), { nil: undefined }),
    )
    .map(([attributes, typing, name]) => ({
      ...attributes,
      ...typing,
      ...(name === undefined ? {} : { arc_behaviour_name: name }),
    }));
export const eventsOf = (of: Words): fc.Arbitrary<(number: number) => EventRecord> =>
  fc
    .tuple(assets, meanings, eventAttributesOf(of), attributesOf(of), stampsOf(of))
    .map(([asset, meaning, event_attributes, asset_attributes, stamp]) => (number) => {
      const identity = eventOf(asset, number);
      return withoutList(anEvent({ identity, ...meaning, event_attributes, asset_attributes, ...stamp }));
    });

const textsOf = (of: Words) =>
  attributesOf(of).map((attributes) =>
    Object.fromEntries(
      Object.entries(attributes).map(([name, value]) => [name, typeof value === 'string' ? value : 'v']),
    ),
  );
// In any order: a direct writer may delete what it never created, or create again what was deleted.
const locationsOf = (words: Words): fc.Arbitrary<ToRecord> =>
  fc
    .record({
      of: fc.constantFrom(...LOCATIONS),
      display_name: fc.constantFrom(...words.names),
      description: fc.constantFrom(...words.texts),
      attributes: textsOf(words),
      is_deleted: fc.constantFrom(false, false, true),
    })
    .map(({ of, ...content }) => (number) => {
      return aLocationRecord(of, { identity: toVersionIdentity(locationOf(of), uuidOf(number)), ...content });
    });

const policiesOf = (words: Words): fc.Arbitrary<ToRecord> =>
  fc
    .record({
      of: fc.constantFrom(...POLICIES),
      compliance_type: fc.constantFrom('COMPLIANCE_SINCE' as const, 'COMPLIANCE_RICHNESS' as const),
      display_name: fc.constantFrom(...words.names),
      description: fc.constantFrom(...words.texts),
      is_deleted: fc.constantFrom(false, false, true),
    })
    .map(({ of, ...content }) => (number) => {
      return aPolicyRecord(of, { identity: toVersionIdentity(policyOf(of), uuidOf(number)), ...content });
    });

const blobs: fc.Arbitrary<ToRecord> = fc
  .tuple(fc.constantFrom(...BLOBS), fc.constantFrom(1, 2))
  .map(([of, hash]) => (number) => {
    return aBlobRecord(of, { identity: toVersionIdentity(blobOf(of), uuidOf(number)), sha256: hashOf(hash) });
  });

/** Possible applications. */
export const APPLICATIONS = [1, 2, 3, 4];
const applicationsOf = (words: Words): fc.Arbitrary<ToRecord> =>
  fc
    .record({
      of: fc.constantFrom(...APPLICATIONS),
      display_name: fc.constantFrom(...words.names.map((name) => (name === '' ? 'none' : name))),
      roles: fc.subarray([...ROLES]),
      more: fc.constantFrom(
        {},
        { is_deleted: true },
        { is_deleted: false, custom_claims: { site: 'north' }, secret_valid_from: '2026-11-20T11:00:00.000Z' },
      ),
    })
    .map(({ of, display_name, roles, more }) => (number) => {
      const identity = toVersionIdentity(toApplicationIdentity(uuidOf(of)), uuidOf(number));
      return anApplicationRecord(of, { identity, display_name, ...toRecordedRoles(roles), ...more });
    });

/** Names that several tenants request. */
const TENANT_NAMES = ['mint', 'sage'];
const tenants: fc.Arbitrary<ToRecord> = fc
  .tuple(fc.constantFrom(...TENANTS), fc.constantFrom(...TENANT_NAMES))
  .map(([tenant, display_name]) => (number) => {
    return aTenantRecord(tenant, { identity: toVersionIdentity(tenant, uuidOf(number)), display_name });
  });

const recordsOf = (of: Words): fc.Arbitrary<ToRecord> =>
  fc.oneof(
    { weight: 4, arbitrary: creationsOf(of) },
    { weight: 8, arbitrary: eventsOf(of) },
    { weight: 3, arbitrary: locationsOf(of) },
    { weight: 3, arbitrary: policiesOf(of) },
    { weight: 2, arbitrary: blobs },
    { weight: 3, arbitrary: applicationsOf(of) },
    { weight: 1, arbitrary: tenants },
  );

const choicesOf = (of: Words) =>
  fc.record({
    toRecord: recordsOf(of),
    tenantIdentity: fc.constantFrom(ALPHA, ALPHA, ALPHA, BETA),
    changed: fc.oneof(
      { weight: 12, arbitrary: fc.constantFrom(...AUTHORS).map((author) => ({ author })) },
      { weight: 1, arbitrary: fc.constant({ payload: Uint8Array.of(1, 2, 3) }) },
    ),
  });

const toTenantRecord = (tenantIdentity: string, at: number): WrittenRecord => ({
  tenantIdentity,
  record: aTenantRecord(tenantIdentity, {
    identity: toVersionIdentity(tenantIdentity, uuidOf(0xf00 + at)),
    display_name: TENANT_NAMES[at]!,
  }),
});

// Most histories begin with the tenants, so that the records after them are valid.
const beginnings = fc.constantFrom<readonly string[]>([], [BETA], TENANTS, TENANTS, TENANTS);

/** Records of these words in the order of the ledger. No record occurs twice, as on a chain. */
export const historiesOf = (of: Words): fc.Arbitrary<WrittenRecord[]> =>
  fc
    .tuple(beginnings, fc.array(choicesOf(of), { maxLength: 40, size: 'max' }), followChoices)
    .map(([beginning, chosen, choices]) => {
      const later = chosen.map(({ toRecord, ...rest }, at): WrittenRecord => ({ ...rest, record: toRecord(at) }));
      return withFollows([...beginning.map(toTenantRecord), ...later], choices);
    });

/** Histories of any words. */
export const histories: fc.Arbitrary<WrittenRecord[]> = words.chain(historiesOf);

/** Histories that are cut into blocks. */
export const blocks: fc.Arbitrary<WrittenRecord[][]> = fc
  .tuple(histories, fc.array(fc.nat(5), { maxLength: 20, size: 'max' }))
  .map(([history, lengths]) => {
    const rest = [...history];
    return [...lengths.map((length) => rest.splice(0, length)), rest];
  });
