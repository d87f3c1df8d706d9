// fast-check generators of records, hostile ones first: names that JavaScript objects have already, empty and odd strings.
import fc from 'fast-check';
import type { AssetSettings } from '../../ledger/asset.ts';
import type { Attributes } from '../../ledger/attributes.ts';
import type { EventRecord } from '../../ledger/eventRecord.ts';
import { toApplicationIdentity, toEventIdentity, toTenantIdentity, toVersionIdentity } from '../../ledger/identity.ts';
import type { Principal } from '../../ledger/principal.ts';
import type { LedgerRecord } from '../../ledger/record.ts';
import { type ApplicationRecord, ROLES, type TenantRecord } from '../../ledger/tenancyRecord.ts';
import { toTimestamp } from '../../ledger/timestamp.ts';

export const HOSTILE_NAMES = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'toJSON', 'length', '0', ''];

export const uuids: fc.Arbitrary<string> = fc.uuid();
/** Bytes of exactly this length. */
export const bytesOf = (length: number): fc.Arbitrary<Uint8Array> =>
  fc.uint8Array({ minLength: length, maxLength: length });
/** Times that the ledger writes: years 0000 to 9999, in milliseconds since the epoch. */
export const times: fc.Arbitrary<number> = fc.integer({
  min: Date.parse('0000-01-01T00:00:00.000Z'),
  max: Date.parse('9999-12-31T23:59:59.999Z'),
});
export const timestamps: fc.Arbitrary<string> = times.map(toTimestamp);

const texts = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...HOSTILE_NAMES, '*', '\u0000', '😀', '\ufb33'));

// A plain object with own members of any name: assignment would take `__proto__` for the prototype.
const objectsOf = <T>(values: fc.Arbitrary<T>): fc.Arbitrary<Record<string, T>> =>
  fc.uniqueArray(fc.tuple(texts, values), { maxLength: 4, selector: ([name]) => name }).map(Object.fromEntries);

const stringMaps = objectsOf(texts);
export const attributeMaps: fc.Arbitrary<Attributes> = objectsOf(
  fc.oneof(texts, stringMaps, fc.array(stringMaps, { maxLength: 2 })),
);

export const principals: fc.Arbitrary<Principal> = fc.record(
  { issuer: texts, subject: texts, display_name: texts, email: texts },
  { noNullPrototype: true },
);

export const settings: fc.Arbitrary<AssetSettings> = fc.record(
  {
    behaviours: fc.array(texts, { maxLength: 3 }),
    proof_mechanism: fc.constantFrom('KHIPU' as const, 'SIMPLE_HASH' as const, 'MERKLE_LOG' as const),
    public: fc.boolean(),
  },
  { noNullPrototype: true },
);

const meanings = fc.oneof(
  settings.map((given) => ({ behaviour: 'AssetCreator', operation: 'NewAsset', asset_settings: given })),
  fc.record(
    {
      behaviour: fc.oneof(texts, fc.constantFrom('Builtin', 'RecordEvidence')),
      operation: fc.oneof(texts, fc.constantFrom('Add', 'Remove', 'StartTracking', 'StopTracking', 'Record')),
      asset_settings: fc.constant({}),
    },
    { noNullPrototype: true },
  ),
);

export const eventRecords: fc.Arbitrary<EventRecord> = fc
  .tuple(
    fc.tuple(uuids, uuids),
    meanings,
    fc.record(
      {
        event_attributes: attributeMaps,
        asset_attributes: attributeMaps,
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
  }));

const names = texts.filter((text) => text !== '');
const stamps = fc.record({ timestamp_accepted: timestamps, principal_accepted: principals }, { noNullPrototype: true });

export const tenantRecords: fc.Arbitrary<TenantRecord> = fc
  .tuple(uuids, uuids, names, fc.array(principals, { minLength: 1, maxLength: 3 }), stamps)
  .map(([tenant, version, display_name, root_principals, stamp]) => ({
    type: 'tenant',
    identity: toVersionIdentity(toTenantIdentity(tenant), version),
    display_name,
    root_principals,
    ...stamp,
  }));

export const applicationRecords: fc.Arbitrary<ApplicationRecord> = fc
  .tuple(uuids, uuids, names, fc.array(fc.constantFrom(...ROLES), { maxLength: 2 }), stamps)
  .map(([application, version, display_name, roles, stamp]) => ({
    type: 'application',
    identity: toVersionIdentity(toApplicationIdentity(application), version),
    display_name,
    roles,
    secret_sha256: 'ab'.repeat(32),
    ...stamp,
  }));

export const ledgerRecords: fc.Arbitrary<LedgerRecord> = fc.oneof(
  { weight: 3, arbitrary: eventRecords },
  { weight: 1, arbitrary: tenantRecords },
  { weight: 1, arbitrary: applicationRecords },
);
