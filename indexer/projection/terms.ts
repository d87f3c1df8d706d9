// Terms: the properties by which a record is found, each the name of one posting list of the record's tenant. They
// define what every filter means, both for the index and for uncommitted records.

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

/** Whether a term is the name of a list of events. */
export const isEventTerm = (term: string): boolean => term.startsWith(PREFIX.events);

/** Longer texts are hashed to keep keys short. */
const TERM_CHARACTERS_MAX = 200;

// A text after its length, so that no term is a prefix of another.
const toText = (text: string): string =>
  text.length <= TERM_CHARACTERS_MAX ? `${text.length}:${text}` : `#${toHex(keccak256(Buffer.from(text)))}`;

const CACHED_MAX = 65_536;
const { find: withValue } = createTermCache(CACHED_MAX, (list, value) => list + toText(value));

/** The term of members whose field has this value. */
export const fieldTerm = (collection: Collection, field: string, value: string): string =>
  withValue(`${PREFIX[collection]}f${toText(field)}`, value);

/** The term of members that have this attribute with a value that is not empty. */
export const presenceTerm = (collection: Collection, map: string, name: string): string =>
  withValue(`${PREFIX[collection]}p${toText(map)}`, name);

/** The term of members whose attribute is this text. */
export const attributeTerm = (collection: Collection, map: string, name: string, value: string): string =>
  withValue(withValue(`${PREFIX[collection]}v${toText(map)}`, name), value);

const isEmpty = (value: AttributeValue): boolean =>
  typeof value === 'string' || Array.isArray(value) ? value.length === 0 : Object.keys(value).length === 0;

/** The terms of one attribute: its value, if that is a text, and its presence, unless it is empty. */
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

/** The term that no member has. */
export const NO_MEMBERS = 'none';
/** The term of the events of the asset with this number. */
export const assetTerm = (assetNumber: number): string => fieldTerm('events', 'asset', String(assetNumber));
/** The term of the events that attach a blob. */
const attachTerm = (blobIdentity: string): string => fieldTerm('events', 'attaches', blobIdentity);

/**
 * The terms of an event, as the API shows it, of an asset with this proof mechanism. They do not include `assetTerm`.
 */
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

/** The terms of an asset. */
export const assetTerms = ({ owner, state }: Asset): string[] => [
  fieldTerm('assets', 'tracked', state.tracked),
  fieldTerm('assets', 'proof_mechanism', state.proof_mechanism),
  fieldTerm('assets', 'public', String(state.public)),
  fieldTerm('assets', 'owner', owner),
  ...state.behaviours.map((behaviour) => fieldTerm('assets', 'behaviours', behaviour)),
  ...mapTerms('assets', 'attributes', state.attributes),
];

/** The terms of the members of named collections that are not deleted. */
export const PRESENT = {
  locations: fieldTerm('locations', 'is', 'present'),
  policies: fieldTerm('policies', 'is', 'present'),
  applications: fieldTerm('applications', 'is', 'present'),
} as const;

/** The terms of a location. */
export const locationTerms = ({ display_name, description, attributes }: LocationResource): string[] => [
  PRESENT.locations,
  fieldTerm('locations', 'display_name', display_name),
  fieldTerm('locations', 'description', description),
  ...mapTerms('locations', 'attributes', attributes),
];

/** The terms of a compliance policy. */
export const policyTerms = ({ compliance_type, display_name, description }: PolicyResource): string[] => [
  PRESENT.policies,
  fieldTerm('policies', 'compliance_type', compliance_type),
  fieldTerm('policies', 'display_name', display_name),
  fieldTerm('policies', 'description', description),
];

/** The terms of an application. */
export const applicationTerms = ({ display_name }: Application): string[] => [
  PRESENT.applications,
  fieldTerm('applications', 'display_name', display_name),
];

/** The terms of a blob. */
export const blobTerms = ({ hash }: Pick<BlobResource, 'hash'>): string[] => [fieldTerm('blobs', 'sha256', hash.value)];
