// The ledger of bench:reads: generated records of one tenant, always the same for the same number of events. They are
// skewed like real ones: a few assets, people and values have most of the events, and the first asset has a tenth of
// all events.
import { toTimestamp } from '../../ledger/encoding/timestamp.ts';
import { toEventIdentity, toTenantIdentity, toVersionIdentity } from '../../ledger/identity.ts';
import type { Principal } from '../../ledger/principal.ts';
import type { Attributes } from '../../ledger/records/attributes.ts';
import type { AssetSettings, EventRecord } from '../../ledger/records/event.ts';
import type { LedgerRecord } from '../../ledger/records/record.ts';
import { createRandom } from '../random.ts';

/** The numbers of different values of properties with few values. */
export const COUNTS = { types: 12, severities: 4, technicians: 200, sites: 50, vendors: 20, models: 100, people: 200 };

/** Values of attributes, by number. */
export const typeNameOf = (number: number): string => `type ${number}`;
export const severityOf = (number: number): string => `severity ${number}`;
export const technicianOf = (number: number): string => `technician ${number}`;
export const siteOf = (number: number): string => `site ${number}`;
export const vendorOf = (number: number): string => `vendor ${number}`;
export const statusOf = (number: number): string => `status ${number}`;
export const serialOf = (asset: number): string => `SN-${asset.toString().padStart(9, '0')}`;
/** Two events have each value. */
export const correlationOf = (event: number): string => `correlation ${Math.floor(event / 2)}`;
/** The email address of a person. */
export const emailOf = (person: number): string => `person${person}@example.com`;

/** The UUID of the member of a kind with this number. */
const toBenchUuid = (kind: number, number: number): string => {
  const next = createRandom(kind * 0x1000_0000 + number);
  const hex = Array.from({ length: 4 }, () =>
    Math.floor(next() * 2 ** 32)
      .toString(16)
      .padStart(8, '0'),
  ).join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
};

const START_MS = Date.UTC(2025, 0, 1);
const STEP_MS = 30_000;
/** The most by which times of acceptance are out of order. */
const JITTER_MS = 60_000;
const DECLARED_BEFORE_MS = 3_600_000;
const EVENTS_OF_ASSET = 100;
/** An asset is created after every so many events, so all exist by the middle of the ledger. */
const CREATION_STEP = 50;
const KINDS = 4;

/** A tenant whose records are generated in order. */
export interface BenchTenant {
  readonly identity: string;
  readonly events: number;
  readonly assets: number;
  /** The asset of each event that was generated so far. */
  readonly assetOf: Uint32Array;
  assetUuidOf(asset: number): string;
  eventUuidOf(event: number): string;
  /** The time in milliseconds since the epoch at which an event is committed: no earlier than its acceptance. */
  toCommittedMs(event: number): number;
  /** A time in milliseconds since the epoch by which an asset is created. */
  toCreatedMs(asset: number): number;
  /** Generates the next records. The very first is the tenant's own. */
  take(count: number): LedgerRecord[];
}

const SETTINGS: AssetSettings = {
  behaviours: ['AssetCreator', 'Builtin', 'Firmware', 'Maintenance', 'RecordEvidence'],
  proof_mechanism: 'MERKLE_LOG',
  public: false,
};

const WORDS =
  'pump valve rotor seal bearing checked replaced cleaned measured oiled at depot noise heat wear found'.split(' ');

const createChoices = (random: () => number) => {
  const pick = (count: number): number => Math.floor(count * random());
  const describe = (event: number): string => {
    let text = `event ${event}:`;
    const length = 40 + pick(30);
    while (text.length < length) text += ` ${WORDS[pick(WORDS.length)]}`;
    return text;
  };
  // The first of `count` values is the most frequent.
  const pickSkewed = (count: number, power = 2): number => Math.floor(count * random() ** power);
  return { random, pick, pickSkewed, describe };
};

type Choices = ReturnType<typeof createChoices>;

/** A person of the ledger. The first is the root principal of every tenant. */
export const toBenchPrincipal = (person: number): Principal => ({
  issuer: 'https://idp.example.com',
  subject: `subject|${person.toString().padStart(6, '0')}`,
  display_name: `Person ${person}`,
  email: emailOf(person),
});

const PEOPLE = Array.from({ length: COUNTS.people }, (_, person) => toBenchPrincipal(person));

const toEventAttributes = (event: number, { pick, pickSkewed, describe }: Choices): Attributes => ({
  arc_correlation_value: correlationOf(event),
  arc_description: describe(event),
  arc_display_type: typeNameOf(pickSkewed(COUNTS.types)),
  reading: (pick(100_000) / 100).toFixed(2),
  severity: severityOf(pickSkewed(COUNTS.severities)),
  site: siteOf(pickSkewed(COUNTS.sites)),
  technician: technicianOf(pickSkewed(COUNTS.technicians)),
});

const toAssetAttributes = (asset: number, { pick, pickSkewed }: Choices): Attributes => ({
  arc_display_name: `Asset ${asset}`,
  arc_display_type: typeNameOf(pick(COUNTS.types)),
  half: String(asset % 2),
  model: `model ${pick(COUNTS.models)}`,
  serial: serialOf(asset),
  site: siteOf(pickSkewed(COUNTS.sites)),
  status: statusOf(0),
  vendor: vendorOf(pick(COUNTS.vendors)),
});

const BEHAVIOURS = [
  { behaviour: 'RecordEvidence', operation: 'Record' },
  { behaviour: 'Maintenance', operation: 'Maintenance' },
  { behaviour: 'Maintenance', operation: 'MaintenanceRequired' },
];

const toContent = (event: number, asset: number, isCreation: boolean, choices: Choices) =>
  isCreation
    ? {
        behaviour: 'AssetCreator',
        operation: 'NewAsset',
        event_attributes: {},
        asset_attributes: toAssetAttributes(asset, choices),
        asset_settings: SETTINGS,
      }
    : {
        ...BEHAVIOURS[choices.pickSkewed(BEHAVIOURS.length, 3)]!,
        event_attributes: toEventAttributes(event, choices),
        // Half of the events change the status of the asset.
        asset_attributes: choices.random() < 0.5 ? {} : { status: statusOf(choices.pick(5)) },
        asset_settings: {},
      };

const toTenantRecord = (identity: string, versionUuid: string, name: string): LedgerRecord => ({
  type: 'tenant',
  identity: toVersionIdentity(identity, versionUuid),
  display_name: name,
  root_principals: [PEOPLE[0]!],
  timestamp_accepted: toTimestamp(START_MS),
  principal_accepted: PEOPLE[0]!,
});

/** Creates the tenant with this number and this many events. */
export const createBenchTenant = (tenant: number, events: number): BenchTenant => {
  const assets = Math.max(2, Math.floor(events / EVENTS_OF_ASSET));
  const uuidOf = (kind: number, number: number): string => toBenchUuid(tenant * KINDS + kind, number);
  const identity = toTenantIdentity(uuidOf(0, 0));
  const assetUuids = Array.from({ length: assets }, (_, asset) => uuidOf(2, asset));
  const choices = createChoices(createRandom(tenant));
  const assetOf = new Uint32Array(events);
  let taken = -1;

  const toAsset = (event: number): number => {
    const created = Math.min(assets, Math.floor(event / CREATION_STEP) + 1);
    return event % 10 === 5 || created === 1 ? 0 : 1 + choices.pickSkewed(created - 1, 3);
  };

  const toEvent = (event: number): EventRecord => {
    const isCreation = event % CREATION_STEP === 0 && event / CREATION_STEP < assets;
    const asset = isCreation ? event / CREATION_STEP : toAsset(event);
    assetOf[event] = asset;
    const acceptedMs = START_MS + event * STEP_MS + choices.pick(JITTER_MS);
    const person = choices.pickSkewed(COUNTS.people);
    return {
      type: 'event',
      identity: toEventIdentity(assetUuids[asset]!, uuidOf(3, event)),
      ...toContent(event, asset, isCreation, choices),
      timestamp_accepted: toTimestamp(acceptedMs),
      timestamp_declared: toTimestamp(acceptedMs - choices.pickSkewed(DECLARED_BEFORE_MS, 4)),
      principal_accepted: PEOPLE[person]!,
      principal_declared: PEOPLE[choices.random() < 0.9 ? person : choices.pick(COUNTS.people)]!,
    };
  };

  const take = (): LedgerRecord => {
    const event = taken;
    taken += 1;
    return event < 0 ? toTenantRecord(identity, uuidOf(1, 0), `tenant ${tenant}`) : toEvent(event);
  };

  return {
    identity,
    events,
    assets,
    assetOf,
    assetUuidOf: (asset) => assetUuids[asset]!,
    eventUuidOf: (event) => uuidOf(3, event),
    toCommittedMs: (event) => START_MS + event * STEP_MS + JITTER_MS,
    toCreatedMs: (asset) => START_MS + asset * CREATION_STEP * STEP_MS + JITTER_MS,
    take: (count) => Array.from({ length: count }, take),
  };
};
