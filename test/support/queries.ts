// fast-check generators of queries to a ledger view, with the names, values and times of test/support/histories.ts.
import fc from 'fast-check';
import type {
  ApplicationQuery,
  AssetField,
  AssetQuery,
  AttributeFilter,
  EventField,
  EventQuery,
  FieldFilter,
  LocationQuery,
  PolicyQuery,
  TimeFilter,
} from '../../indexer/ledgerView.ts';
import { ASSETS, BLOBS, type Words } from './histories.ts';
import { AUTHOR_CHECKSUMMED, toWord } from './recordLogs.ts';
import { blobOf, uuidOf } from './records.ts';

const pathsOf = (names: readonly string[]): string[] =>
  names.flatMap((name) => [`${name}.red`, `${name}.`, `${name}.x.y`, `${name}.arc_hash_alg`]);

const attributeFilters = <Map extends string>(
  { names, texts }: Words,
  maps: readonly Map[],
): fc.Arbitrary<AttributeFilter<Map>> =>
  fc
    .record({
      map: fc.constantFrom(...maps),
      name: fc.constantFrom(...names, ...names, ...pathsOf(names), 'arc_append_attachments', 'arc_attachments'),
      is: fc.constantFrom('equal' as const, 'different' as const, 'present' as const, 'absent' as const),
      value: fc.constantFrom(...texts),
    })
    .map((filter) => (filter.is === 'present' || filter.is === 'absent' ? { ...filter, value: '' } : filter));

const fieldFilters = <Field extends string>(
  values: Readonly<Record<Field, readonly string[]>>,
): fc.Arbitrary<FieldFilter<Field>> =>
  fc
    .constantFrom(...(Object.keys(values) as Field[]))
    .chain((field) => fc.constantFrom(...values[field]).map((value) => ({ field, value })));

const few = <T>(each: fc.Arbitrary<T>): fc.Arbitrary<T[]> =>
  fc.oneof({ weight: 2, arbitrary: fc.constant<T[]>([]) }, { weight: 3, arbitrary: fc.array(each, { maxLength: 2 }) });

const STATUSES = ['CONFIRMED', 'CONFIRMED', 'PENDING', 'FAILED', 'STORED'];
const AUTHORS = [
  AUTHOR_CHECKSUMMED,
  AUTHOR_CHECKSUMMED.toLowerCase(),
  '0xABaBaBaBABabABabAbAbABAbABabababaBaBABaB',
  '',
];
const MECHANISMS = ['KHIPU', 'SIMPLE_HASH', 'MERKLE_LOG', ''];

const ASSET_FIELDS: Readonly<Record<AssetField, readonly string[]>> = {
  confirmation_status: STATUSES,
  proof_mechanism: MECHANISMS,
  public: ['true', 'false'],
  behaviours: ['RecordEvidence', 'Builtin', 'Firmware', 'foreign', ''],
  owner: AUTHORS,
};

export const assetQueriesOf = (of: Words): fc.Arbitrary<AssetQuery> =>
  fc.record({
    tracked: fc.constantFrom('ANY', 'TRACKED', 'NOT_TRACKED'),
    attributes: few(attributeFilters(of, ['attributes'])),
    fields: few(fieldFilters(ASSET_FIELDS)),
    order: fc.constantFrom('newest', 'oldestAccepted'),
  });

const PRINCIPAL = {
  issuer: ['https://idp.example', ''],
  subject: ['s|1', 's|2', ''],
  display_name: ['Zoë', ''],
  email: ['zoe@example.org', ''],
};
const ofPrincipal = (name: string) =>
  Object.fromEntries(Object.entries(PRINCIPAL).map(([field, values]) => [`${name}.${field}`, values]));
const EVENT_FIELDS = {
  behaviour: ['Builtin', 'AssetCreator', 'Attachments', 'foreign', ''],
  operation: ['Attach', 'Record', 'NewAsset', 'StopTracking', ''],
  from: AUTHORS,
  transaction_id: [toWord(2), toWord(9), ''],
  confirmation_status: STATUSES,
  proof_mechanism: MECHANISMS,
  attaches: BLOBS.map(blobOf),
  ...ofPrincipal('principal_declared'),
  ...ofPrincipal('principal_accepted'),
} as unknown as Readonly<Record<EventField, readonly string[]>>;

/** Times around those of a history. */
export const instantsOf = ({ times }: Words): fc.Arbitrary<number> =>
  fc
    .tuple(
      fc.constantFrom(...times, ...times, '1970-01-01T00:00:00Z', '2026-11-20T12:00:07.000Z'),
      fc.constantFrom(-1, 0, 0, 1),
    )
    .map(([text, more]) => Date.parse(text) + more);
const timeFilters = (of: Words): fc.Arbitrary<TimeFilter> =>
  fc.record({
    time: fc.constantFrom('timestamp_accepted', 'timestamp_declared', 'timestamp_committed'),
    sinceMs: fc.option(instantsOf(of), { nil: undefined }),
    beforeMs: fc.option(instantsOf(of), { nil: undefined }),
  });

export const eventQueriesOf = (of: Words): fc.Arbitrary<EventQuery> =>
  fc.record({
    assetUuid: fc.constantFrom(undefined, undefined, ...ASSETS.map(uuidOf)),
    attributes: few(attributeFilters(of, ['event_attributes', 'asset_attributes', 'asset.attributes'])),
    fields: few(fieldFilters(EVENT_FIELDS)),
    times: few(timeFilters(of)),
    order: fc.constantFrom('newest', 'oldestAccepted'),
  });

export const locationQueriesOf = (of: Words): fc.Arbitrary<LocationQuery> =>
  fc.record({
    attributes: few(attributeFilters(of, ['attributes'])),
    fields: few(fieldFilters<'display_name' | 'description'>({ display_name: of.names, description: of.texts })),
    order: fc.constantFrom('newest', 'displayName'),
  });

export const policyQueriesOf = (of: Words): fc.Arbitrary<PolicyQuery> =>
  fc.record({
    fields: few(
      fieldFilters<'compliance_type' | 'display_name' | 'description'>({
        compliance_type: ['COMPLIANCE_SINCE', 'COMPLIANCE_RICHNESS', 'COMPLIANCE_PERIOD_OUTSTANDING', ''],
        display_name: of.names,
        description: of.texts,
      }),
    ),
    order: fc.constantFrom('newest', 'displayName'),
  });

export const applicationQueriesOf = (of: Words): fc.Arbitrary<ApplicationQuery> =>
  fc.record({ fields: few(fieldFilters<'display_name'>({ display_name: [...of.names, 'none'] })) });
