// Builders of complete, valid records. A test may replace any field.
import {
  toAccessPolicyIdentity,
  toApplicationIdentity,
  toAssetIdentity,
  toBlobIdentity,
  toEventIdentity,
  toLocationIdentity,
  toLogSuccessionIdentity,
  toPolicyIdentity,
  toSubjectIdentity,
  toSuccessionIdentity,
  toTenantIdentity,
  toVersionIdentity,
} from '../../ledger/identity.ts';
import type { Principal } from '../../ledger/principal.ts';
import type { AccessPermission, AccessPolicyRecord } from '../../ledger/records/accessPolicy.ts';
import type { ApplicationRecord } from '../../ledger/records/application.ts';
import type { BlobRecord } from '../../ledger/records/blob.ts';
import { type ContributionRecord, toContribution } from '../../ledger/records/contribution.ts';
import type { AssetSettings, EventRecord } from '../../ledger/records/event.ts';
import type { LocationRecord } from '../../ledger/records/location.ts';
import type { LogSuccessionRecord } from '../../ledger/records/logSuccession.ts';
import type { PolicyRecord } from '../../ledger/records/policy.ts';
import type { SubjectRecord } from '../../ledger/records/subject.ts';
import type { SuccessionRecord } from '../../ledger/records/succession.ts';
import type { TenantRecord } from '../../ledger/records/tenant.ts';

/** The UUID that ends in this number. */
export const uuidOf = (number: number): string => `00000000-0000-4000-8000-${number.toString(16).padStart(12, '0')}`;

/** Why the chain refused a record. */
export const A_FAILURE = { failureReason: 'AUTHOR_UNAVAILABLE', reason: 'the chain refused it' } as const;

export const ALPHA = toTenantIdentity(uuidOf(0xa));
export const BETA = toTenantIdentity(uuidOf(0xb));

/** Identity of the asset of this number. */
export const assetOf = (asset: number): string => toAssetIdentity(uuidOf(asset));

/** Identity of the blob of this number. */
export const blobOf = (blob: number): string => toBlobIdentity(uuidOf(blob));

/** Identity of the location of this number. */
export const locationOf = (location: number): string => toLocationIdentity(uuidOf(location));

/** Identity of the compliance policy of this number. */
export const policyOf = (policy: number): string => toPolicyIdentity(uuidOf(policy));

/** Identity of the subject of this number. */
export const subjectOf = (subject: number): string => toSubjectIdentity(uuidOf(subject));

/** Identity of the access policy of this number. */
export const accessPolicyOf = (policy: number): string => toAccessPolicyIdentity(uuidOf(policy));

/** Identity of an event of an asset, both by number. */
export const eventOf = (asset: number, event: number): string => toEventIdentity(uuidOf(asset), uuidOf(event));

export const aPrincipal = (fields: Partial<Principal> = {}): Principal => ({
  issuer: 'https://idp.example',
  subject: 's|1',
  display_name: 'Zoë',
  email: '',
  ...fields,
});

export const SETTINGS: AssetSettings = {
  behaviours: ['AssetCreator', 'Builtin', 'RecordEvidence'],
  proof_mechanism: 'KHIPU',
  public: false,
};

/** A typical event: number 1 of asset 1. */
export const anEvent = (fields: Partial<EventRecord> = {}): EventRecord => ({
  type: 'event',
  identity: eventOf(1, 1),
  behaviour: 'RecordEvidence',
  operation: 'Record',
  event_attributes: { arc_description: 'oiled the hinge' },
  asset_attributes: {},
  asset_settings: {},
  timestamp_accepted: '2026-11-20T12:00:00.000Z',
  timestamp_declared: '2026-11-20T11:59:00.500Z',
  principal_accepted: aPrincipal(),
  principal_declared: aPrincipal({ subject: 's|2' }),
  ...fields,
});

/** A typical contribution: event number 4 of asset 1 of this owner. */
export const aContribution = (ownerIdentity: string, fields: Partial<EventRecord> = {}): ContributionRecord =>
  toContribution(anEvent({ identity: eventOf(1, 4), ...fields }), ownerIdentity);

/** The creation of an asset: number 0 of asset 1. */
export const aCreation = (fields: Partial<EventRecord> = {}): EventRecord =>
  anEvent({
    identity: eventOf(1, 0),
    behaviour: 'AssetCreator',
    operation: 'NewAsset',
    event_attributes: {},
    asset_settings: SETTINGS,
    ...fields,
  });

/** A builtin event: number 2 of asset 1. */
export const aBuiltin = (operation: string, behaviourName?: string, fields: Partial<EventRecord> = {}): EventRecord =>
  anEvent({
    identity: eventOf(1, 2),
    behaviour: 'Builtin',
    operation,
    event_attributes: behaviourName === undefined ? {} : { arc_behaviour_name: behaviourName },
    ...fields,
  });

/** SHA-256 of the blob of this number. */
export const hashOf = (blob: number): string => blob.toString(16).padStart(64, '0');

/** An item of a list of attachments: the blob of this number. */
export const anAttachment = (blob: number, fields: Readonly<Record<string, string>> = {}) => ({
  arc_attachment_identity: blobOf(blob),
  arc_display_name: `picture ${blob}`,
  arc_hash_value: hashOf(blob),
  arc_hash_alg: 'SHA256',
  ...fields,
});

/** An event that appends the blobs of these numbers: number 3 of asset 1. */
export const anAttach = (blobs: readonly number[], fields: Partial<EventRecord> = {}): EventRecord =>
  anEvent({
    identity: eventOf(1, 3),
    behaviour: 'Attachments',
    operation: 'Attach',
    event_attributes: { arc_append_attachments: blobs.map((blob) => anAttachment(blob)) },
    ...fields,
  });

/** The first version of the location of this number. */
export const aLocationRecord = (location: number, fields: Partial<LocationRecord> = {}): LocationRecord => ({
  type: 'location',
  identity: toVersionIdentity(locationOf(location), uuidOf(1)),
  display_name: 'mint works',
  description: '',
  latitude: '51.500000',
  longitude: '-0.1',
  attributes: { address: 'Tower Hill' },
  timestamp_accepted: '2026-11-20T12:00:00.000Z',
  principal_accepted: aPrincipal(),
  ...fields,
});

/** The creation of the compliance policy of this number. */
export const aPolicyRecord = (policy: number, fields: Partial<PolicyRecord> = {}): PolicyRecord => ({
  type: 'policy',
  identity: toVersionIdentity(policyOf(policy), uuidOf(1)),
  compliance_type: 'COMPLIANCE_SINCE',
  display_name: 'oiled lately',
  description: '',
  asset_filter: [{ or: ['attributes.arc_display_type=Hinge'] }],
  event_display_type: 'Oiling',
  closing_event_display_type: '',
  time_period_seconds: '3600',
  dynamic_window: '0',
  dynamic_variability: 0,
  richness_assertions: [],
  is_deleted: false,
  timestamp_accepted: '2026-11-20T12:00:00.000Z',
  principal_accepted: aPrincipal(),
  ...fields,
});

/** The record of the blob of this number. */
export const aBlobRecord = (blob: number, fields: Partial<BlobRecord> = {}): BlobRecord => ({
  type: 'blob',
  identity: toVersionIdentity(blobOf(blob), uuidOf(1)),
  sha256: hashOf(blob),
  mime_type: 'image/png',
  size: 1_024,
  timestamp_accepted: '2026-11-20T12:00:00.000Z',
  principal_accepted: aPrincipal(),
  ...fields,
});

/** The end of another ledger. */
export const aSuccessionRecord = (): SuccessionRecord => ({
  type: 'succession',
  identity: toVersionIdentity(toSuccessionIdentity(uuidOf(1)), uuidOf(2)),
  chain_id: 424_242,
  contract: `0x${'c0'.repeat(20)}`,
  block_hash: `0x${'ab'.repeat(32)}`,
  size: 12,
  root: `0x${'cd'.repeat(32)}`,
  timestamp_accepted: '2026-11-20T12:00:00.000Z',
  principal_accepted: aPrincipal(),
});

export const aLogSuccessionRecord = (): LogSuccessionRecord => ({
  type: 'log_succession',
  identity: toVersionIdentity(toLogSuccessionIdentity(uuidOf(1)), uuidOf(2)),
  origin: 'ledger.example/1/2',
  previous_origin: 'ledger.example/1',
  size: 12,
  root: `0x${'cd'.repeat(32)}`,
  timestamp_accepted: '2026-11-20T12:00:00.000Z',
  principal_accepted: aPrincipal(),
});

/** The first version of a tenant. */
export const aTenantRecord = (tenantIdentity: string, fields: Partial<TenantRecord> = {}): TenantRecord => ({
  type: 'tenant',
  identity: toVersionIdentity(tenantIdentity, uuidOf(1)),
  display_name: `name of ${tenantIdentity}`,
  root_principals: [aPrincipal()],
  timestamp_accepted: '2026-11-20T12:00:00.000Z',
  principal_accepted: aPrincipal(),
  ...fields,
});

/** The first version of the application of this number. */
export const anApplicationRecord = (
  application: number,
  fields: Partial<ApplicationRecord> = {},
): ApplicationRecord => ({
  type: 'application',
  identity: toVersionIdentity(toApplicationIdentity(uuidOf(application)), uuidOf(1)),
  display_name: 'gate',
  roles: ['writer'],
  secret_sha256: '5e'.repeat(32),
  timestamp_accepted: '2026-11-20T12:00:00.000Z',
  principal_accepted: aPrincipal(),
  ...fields,
});

/** A public key on secp256k1. Its address is 0x99Fa4AAB0AF2B53f158083D8f244bb4523388197. */
export const WALLET_KEY = `04${[
  'c1173bf7844bf1c607b79c18db091b9558ffe581bf132b8cf3b37657230fa321',
  'a0880b54a79a88b28bc710ede6dcf3d8272c5210bfd41ea83188e385d12c189c',
].join('')}`;

/** The first version of the subject of this number. */
export const aSubjectRecord = (subject: number, fields: Partial<SubjectRecord> = {}): SubjectRecord => ({
  type: 'subject',
  identity: toVersionIdentity(subjectOf(subject), uuidOf(1)),
  follows: '',
  display_name: 'harbour office',
  wallet_pub_key: [WALLET_KEY],
  tessera_pub_key: [],
  is_deleted: false,
  timestamp_accepted: '2026-11-20T12:00:00.000Z',
  principal_accepted: aPrincipal(),
  ...fields,
});

/** A permission of nobody for nothing. */
export const aPermission = (fields: Partial<AccessPermission> = {}): AccessPermission => ({
  subjects: [],
  user_attributes: [],
  behaviours: [],
  include_attributes: [],
  asset_attributes_read: [],
  asset_attributes_write: [],
  event_arc_display_type_read: [],
  event_arc_display_type_write: [],
  ...fields,
});

/** The first version of the access policy of this number: subject 1 reads all assets. */
export const anAccessPolicyRecord = (policy: number, fields: Partial<AccessPolicyRecord> = {}): AccessPolicyRecord => ({
  type: 'access_policy',
  identity: toVersionIdentity(accessPolicyOf(policy), uuidOf(1)),
  follows: '',
  display_name: 'open to the harbour office',
  description: '',
  filters: [],
  access_permissions: [aPermission({ subjects: [subjectOf(1)], asset_attributes_read: ['*'] })],
  is_deleted: false,
  timestamp_accepted: '2026-11-20T12:00:00.000Z',
  principal_accepted: aPrincipal(),
  ...fields,
});
