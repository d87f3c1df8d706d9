// fast-check generators of records, hostile ones first: names of members that all JavaScript objects have, empty and
// unusual strings.
import fc from 'fast-check';
import { toHex } from '../../ledger/encoding/hex.ts';
import {
  toApplicationIdentity,
  toBlobIdentity,
  toEventIdentity,
  toLocationIdentity,
  toLogSuccessionIdentity,
  toPolicyIdentity,
  toSuccessionIdentity,
  toTenantIdentity,
  toVersionIdentity,
} from '../../ledger/identity.ts';
import { type ApplicationRecord, ROLES, toRecordedRoles } from '../../ledger/records/application.ts';
import type { Attributes } from '../../ledger/records/attributes.ts';
import type { BlobRecord } from '../../ledger/records/blob.ts';
import { type ContributionRecord, toContribution } from '../../ledger/records/contribution.ts';
import { type AssetSettings, type EventRecord, isCreation } from '../../ledger/records/event.ts';
import type { LocationRecord } from '../../ledger/records/location.ts';
import type { LogSuccessionRecord } from '../../ledger/records/logSuccession.ts';
import { COMPLIANCE_TYPES, type PolicyRecord } from '../../ledger/records/policy.ts';
import type { LedgerRecord } from '../../ledger/records/record.ts';
import type { SuccessionRecord } from '../../ledger/records/succession.ts';
import type { TenantRecord } from '../../ledger/records/tenant.ts';
import { alternatives, bytesOf, principals, stamps, texts, timestamps, uuids, versionsOf } from './recordParts.ts';
import { accessPolicyRecords, subjectRecords } from './sharingArbitraries.ts';

// A plain object with own members of any name: assignment would take `__proto__` for the prototype.
const objectsOf = <T>(values: fc.Arbitrary<T>): fc.Arbitrary<Record<string, T>> =>
  fc.uniqueArray(fc.tuple(texts, values), { maxLength: 4, selector: ([name]) => name }).map(Object.fromEntries);

const stringMaps = objectsOf(texts);
export const attributeMaps: fc.Arbitrary<Attributes> = objectsOf(
  fc.oneof(texts, stringMaps, fc.array(stringMaps, { maxLength: 2 })),
);

export const settings: fc.Arbitrary<AssetSettings> = fc.record(
  {
    behaviours: fc.array(texts, { maxLength: 3 }),
    proof_mechanism: fc.constantFrom('KHIPU' as const, 'SIMPLE_HASH' as const, 'MERKLE_LOG' as const),
    public: fc.boolean(),
  },
  { noNullPrototype: true },
);

const WITHOUT_SETTINGS = { asset_settings: {} };

const meanings = fc.oneof(
  fc.constant({ behaviour: 'Attachments', operation: 'Attach', ...WITHOUT_SETTINGS }),
  settings.map((given) => ({ behaviour: 'AssetCreator', operation: 'NewAsset', asset_settings: given })),
  fc.record(
    {
      behaviour: fc.oneof(texts, fc.constantFrom('Builtin', 'RecordEvidence', 'Attachments')),
      operation: fc.oneof(texts, fc.constantFrom('Add', 'Remove', 'StartTracking', 'StopTracking', 'Record', 'Attach')),
      asset_settings: fc.constant({}),
    },
    { noNullPrototype: true },
  ),
);

// Often the names that an Attach reads, with lists and other values.
const attachmentMaps = fc.oneof(
  attributeMaps,
  fc
    .tuple(
      attributeMaps,
      fc.constantFrom('arc_attachments', 'arc_append_attachments'),
      fc.oneof(texts, stringMaps, fc.array(stringMaps, { maxLength: 3 })),
    )
    .map(([others, name, value]): Attributes => ({ ...others, [name]: value })),
);

// An Attach that states its own list is not a valid record.
const withoutOwnList = (record: EventRecord): EventRecord => {
  if (record.behaviour !== 'Attachments' || record.operation !== 'Attach') return record;
  const { arc_attachments: _, ...asset_attributes } = record.asset_attributes;
  return { ...record, asset_attributes };
};

export const eventRecords: fc.Arbitrary<EventRecord> = fc
  .tuple(
    fc.tuple(uuids, uuids),
    meanings,
    fc.record(
      {
        event_attributes: attachmentMaps,
        asset_attributes: attachmentMaps,
        timestamp_accepted: timestamps,
        timestamp_declared: timestamps,
        principal_accepted: principals,
        principal_declared: principals,
      },
      { noNullPrototype: true },
    ),
  )
  .map(([uuidPair, meaning, rest]) => ({
    type: 'event',
    identity: toEventIdentity(...uuidPair),
    ...meaning,
    ...rest,
  }))
  .map((record) => withoutOwnList(record as EventRecord));

/** Contributions of any tenant. */
export const contributionRecords: fc.Arbitrary<ContributionRecord> = fc
  .tuple(
    eventRecords.filter((event) => !isCreation(event)),
    uuids,
  )
  .map(([event, owner]) => toContribution(event, toTenantIdentity(owner)));

const names = texts.filter((text) => text !== '');
// A version in its three forms: as in 0.1, the first one, and one that follows another.
const formsOf = <R extends { readonly identity: string }>(record: R): fc.Arbitrary<R> =>
  fc.constantFrom(record, { ...record, follows: '' }, { ...record, follows: `${record.identity.slice(0, -1)}0` });

const tenantRecords: fc.Arbitrary<TenantRecord> = fc
  .tuple(uuids, uuids, names, fc.array(principals, { minLength: 1, maxLength: 3 }), stamps)
  .map(([tenant, version, display_name, root_principals, stamp]) => ({
    type: 'tenant',
    identity: toVersionIdentity(toTenantIdentity(tenant), version),
    display_name,
    root_principals,
    ...stamp,
  }))
  .chain((record) => formsOf(record as TenantRecord));

const SECOND_FORM = {
  custom_claims: { site: 'north', 'doors.example/floor': '2' },
  secret_valid_from: '2026-11-20T12:00:00.000Z',
  is_deleted: false,
};

const applicationRecords: fc.Arbitrary<ApplicationRecord> = fc
  .tuple(uuids, uuids, names, fc.array(fc.constantFrom(...ROLES), { maxLength: 2 }), stamps)
  .map(
    ([application, version, display_name, roles, stamp]): ApplicationRecord => ({
      type: 'application',
      identity: toVersionIdentity(toApplicationIdentity(application), version),
      display_name,
      ...toRecordedRoles(roles),
      secret_sha256: 'ab'.repeat(32),
      ...stamp,
    }),
  )
  .chain((record) => fc.constantFrom(record, { ...record, ...SECOND_FORM }))
  .chain(formsOf);

/** Texts of coordinates within these degrees, in every valid form. */
const coordinatesWithin = (degrees: number): fc.Arbitrary<string> =>
  fc
    .record({
      sign: fc.constantFrom('', '-', '+'),
      whole: fc.nat(degrees - 1),
      fraction: fc.oneof(
        fc.constantFrom('', '.', '.0', '.500000'),
        fc.nat().map((digits) => `.${digits}`),
      ),
      exponent: fc.constantFrom('', 'e0', 'E-7', 'e-999'),
    })
    .map(({ sign, whole, fraction, exponent }) => `${sign}${whole}${fraction}${exponent}`);

const locationRecords: fc.Arbitrary<LocationRecord> = versionsOf({
  display_name: texts,
  description: texts,
  latitude: coordinatesWithin(90),
  longitude: coordinatesWithin(180),
  attributes: stringMaps,
})
  .map(([location, version, content, stamp]) => ({
    type: 'location',
    identity: toVersionIdentity(toLocationIdentity(location), version),
    ...content,
    ...stamp,
  }))
  .chain((record) => fc.constantFrom(record, { ...record, is_deleted: false }, { ...record, is_deleted: true }))
  .chain((record) => formsOf(record as LocationRecord));

const blobRecords: fc.Arbitrary<BlobRecord> = fc
  .tuple(uuids, uuids, bytesOf(32), names, fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), stamps)
  .map(([blob, version, hash, mime_type, size, stamp]) => ({
    type: 'blob',
    identity: toVersionIdentity(toBlobIdentity(blob), version),
    sha256: Buffer.from(hash).toString('hex'),
    mime_type,
    size,
    ...stamp,
  }));

/** Whole seconds in decimal digits, up to the largest valid number. */
const seconds = fc.oneof(fc.nat().map(String), fc.constantFrom('0', '000', '9'.repeat(18)));

const policyRecords: fc.Arbitrary<PolicyRecord> = versionsOf({
  compliance_type: fc.constantFrom(...COMPLIANCE_TYPES),
  display_name: texts,
  description: texts,
  asset_filter: alternatives,
  event_display_type: texts,
  closing_event_display_type: texts,
  time_period_seconds: seconds,
  dynamic_window: seconds,
  // JSON has no negative zero.
  dynamic_variability: fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
  richness_assertions: alternatives,
  is_deleted: fc.boolean(),
})
  .map(([policy, version, content, stamp]) => ({
    type: 'policy',
    identity: toVersionIdentity(toPolicyIdentity(policy), version),
    ...content,
    ...stamp,
  }))
  .chain((record) => formsOf(record as PolicyRecord));

const successionRecords: fc.Arbitrary<SuccessionRecord> = fc
  .tuple(uuids, uuids, fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), bytesOf(32), bytesOf(20), stamps)
  .map(([succession, version, size, hash, address, stamp]) => ({
    type: 'succession',
    identity: toVersionIdentity(toSuccessionIdentity(succession), version),
    chain_id: size,
    contract: toHex(address),
    block_hash: toHex(hash),
    size,
    root: toHex(hash),
    ...stamp,
  }));

const logSuccessionRecords: fc.Arbitrary<LogSuccessionRecord> = fc
  .tuple(uuids, uuids, fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), bytesOf(32), stamps)
  .map(([succession, version, size, hash, stamp]) => ({
    type: 'log_succession',
    identity: toVersionIdentity(toLogSuccessionIdentity(succession), version),
    origin: `log.example/${size}/2`,
    previous_origin: `log.example/${size}`,
    size,
    root: toHex(hash),
    ...stamp,
  }));

export const ledgerRecords: fc.Arbitrary<LedgerRecord> = fc.oneof(
  { weight: 3, arbitrary: eventRecords },
  { weight: 1, arbitrary: contributionRecords },
  { weight: 1, arbitrary: locationRecords },
  { weight: 1, arbitrary: blobRecords },
  { weight: 1, arbitrary: policyRecords },
  { weight: 1, arbitrary: tenantRecords },
  { weight: 1, arbitrary: applicationRecords },
  { weight: 1, arbitrary: subjectRecords },
  { weight: 1, arbitrary: accessPolicyRecords },
  { weight: 1, arbitrary: successionRecords },
  { weight: 1, arbitrary: logSuccessionRecords },
);
