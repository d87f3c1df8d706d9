// Terms: everything that a record can be found by, each the name of one list of the record's tenant. What a record's terms are decides
// what every filter means, on the index and on records that wait for the chain alike.

import type { Asset } from '../../ledger/assets/assetResource.ts';
import { attachedBlobs } from '../../ledger/assets/attachments.ts';
import { toHex } from '../../ledger/encoding/hex.ts';
import { keccak256 } from '../../ledger/encoding/keccak.ts';
import type { Principal } from '../../ledger/principal.ts';
import type { Application } from '../../ledger/records/application.ts';
import type { Attributes, AttributeValue } from '../../ledger/records/attributes.ts';
import type { BlobResource } from '../../ledger/records/blob.ts';
import type { EventResource } from '../../ledger/records/event.ts';
import type { LocationResource } from '../../ledger/records/location.ts';
import type { PolicyResource } from '../../ledger/records/policy.ts';
import type { Collection } from '../keys.ts';
import { createTermCache } from './termCache.ts';

const PREFIX: Readonly<Record<Collection, string>> = {
  events: 'e',
  assets: 'a',
  locations: 'l',
  blobs: 'b',
  policies: 'c',
  applications: 'i',
};
/** Whether a term names a list of events. */
export const isEventTerm = (term: string): boolean => term.startsWith(PREFIX.events);

/** Longer texts are hashed, so that keys stay short. */
const TEXT_CHARACTERS_MAX = 200;

// A text with its length before it, so that no term is the beginning of another.
const toText = (text: string): string =>
  text.length <= TEXT_CHARACTERS_MAX ? `${text.length}:${text}` : `#${toHex(keccak256(Buffer.from(text)))}`;

const KEPT_MAX = 65_536;
const { find: withValue } = createTermCache(KEPT_MAX, (list, value) => list + toText(value));

/** The list of members whose field has this value. */
export const fieldTerm = (collection: Collection, field: string, value: string): string =>
  withValue(`${PREFIX[collection]}f${toText(field)}`, value);

/** The list of members that have this attribute, not empty. */
export const presenceTerm = (collection: Collection, map: string, name: string): string =>
  withValue(`${PREFIX[collection]}p${toText(map)}`, name);

/** The list of members whose attribute is this text. */
export const attributeTerm = (collection: Collection, map: string, name: string, value: string): string =>
  withValue(withValue(`${PREFIX[collection]}v${toText(map)}`, name), value);

const isEmpty = (value: AttributeValue): boolean =>
  typeof value === 'string' || Array.isArray(value) ? value.length === 0 : Object.keys(value).length === 0;

/** Terms of one attribute: its text, where it is one, and that it is there, unless it is empty. */
export const attributeTerms = (
  collection: Collection,
  map: string,
  name: string,
  value: AttributeValue | undefined,
): string[] => {
  if (value === undefined) return [];
  const presence = isEmpty(value) ? [] : [presenceTerm(collection, map, name)];
  return typeof value === 'string' ? [...presence, attributeTerm(collection, map, name, value)] : presence;
};

const mapTerms = (collection: Collection, map: string, attributes: Attributes): string[] =>
  Object.entries(attributes).flatMap(([name, value]) => attributeTerms(collection, map, name, value));

const PRINCIPAL_FIELDS = ['issuer', 'subject', 'display_name', 'email'] as const;

const principalTerms = (name: string, principal: Principal): string[] =>
  PRINCIPAL_FIELDS.map((field) => fieldTerm('events', `${name}.${field}`, principal[field]));

/** A list that has no members. */
export const NO_MEMBERS = 'none';
/** The list of the events of the asset of this number. */
export const assetTerm = (assetNumber: number): string => fieldTerm('events', 'asset', String(assetNumber));
/** The list of the events that attach a blob. */
export const attachTerm = (blobIdentity: string): string => fieldTerm('events', 'attaches', blobIdentity);

/** Terms of an event of an asset with this proof mechanism, as the API shows the event; `assetTerm` aside. */
export const eventTerms = (event: EventResource, proofMechanism: string): string[] => [
  fieldTerm('events', 'behaviour', event.behaviour),
  fieldTerm('events', 'operation', event.operation),
  fieldTerm('events', 'proof_mechanism', proofMechanism),
  fieldTerm('events', 'from', event.from),
  fieldTerm('events', 'transaction_id', event.transaction_id),
  ...principalTerms('principal_declared', event.principal_declared),
  ...principalTerms('principal_accepted', event.principal_accepted),
  ...mapTerms('events', 'event_attributes', event.event_attributes),
  ...mapTerms('events', 'asset_attributes', event.asset_attributes),
  ...[...attachedBlobs(event.event_attributes), ...attachedBlobs(event.asset_attributes)].map(attachTerm),
];

/** Terms of an asset. */
export const assetTerms = ({ owner, state }: Asset): string[] => [
  fieldTerm('assets', 'tracked', state.tracked),
  fieldTerm('assets', 'proof_mechanism', state.proof_mechanism),
  fieldTerm('assets', 'public', String(state.public)),
  fieldTerm('assets', 'owner', owner),
  ...state.behaviours.map((behaviour) => fieldTerm('assets', 'behaviours', behaviour)),
  ...mapTerms('assets', 'attributes', state.attributes),
];

/** The lists of the members of named collections that are not taken back. */
export const PRESENT = {
  locations: fieldTerm('locations', 'is', 'present'),
  policies: fieldTerm('policies', 'is', 'present'),
  applications: fieldTerm('applications', 'is', 'present'),
} as const;

/** Terms of a location. */
export const locationTerms = ({ display_name, description, attributes }: LocationResource): string[] => [
  PRESENT.locations,
  fieldTerm('locations', 'display_name', display_name),
  fieldTerm('locations', 'description', description),
  ...mapTerms('locations', 'attributes', attributes),
];

/** Terms of a compliance policy. */
export const policyTerms = ({ compliance_type, display_name, description }: PolicyResource): string[] => [
  PRESENT.policies,
  fieldTerm('policies', 'compliance_type', compliance_type),
  fieldTerm('policies', 'display_name', display_name),
  fieldTerm('policies', 'description', description),
];

/** Terms of an application. */
export const applicationTerms = ({ display_name }: Application): string[] => [
  PRESENT.applications,
  fieldTerm('applications', 'display_name', display_name),
];

/** Terms of a blob. */
export const blobTerms = ({ hash }: Pick<BlobResource, 'hash'>): string[] => [fieldTerm('blobs', 'sha256', hash.value)];
