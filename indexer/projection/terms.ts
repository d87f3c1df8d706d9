// Terms: the properties by which a record is found, each the name of one posting list of the record's tenant. They
// define what every filter means, both for the index and for uncommitted records.
import type { Asset } from '../../ledger/assets/assetResource.ts';
import { attachedBlobs } from '../../ledger/assets/attachments.ts';
import type { Principal } from '../../ledger/principal.ts';
import type { AccessPolicy } from '../../ledger/records/accessPolicy.ts';
import type { Application } from '../../ledger/records/application.ts';
import type { Attributes, AttributeValue } from '../../ledger/records/attributes.ts';
import type { BlobResource } from '../../ledger/records/blob.ts';
import type { EventRecord, EventResource } from '../../ledger/records/event.ts';
import type { LocationResource } from '../../ledger/records/location.ts';
import type { PolicyResource } from '../../ledger/records/policy.ts';
import type { Subject } from '../../ledger/records/subject.ts';
import type { Collection } from '../keys.ts';
import { addAttribute, addAttributes, cacheAttributes, type FindAttribute } from './terms/attributeTerms.ts';
import { cachedTerms } from './terms/termCache.ts';
import { fieldTerm } from './terms/termNames.ts';

const cacheField = (collection: Collection, field: string) =>
  cachedTerms.keep((value) => fieldTerm(collection, field, value));

// How the terms of the attributes of each kind of member are computed.
const ATTRIBUTES = {
  ofEvents: cacheAttributes('events', 'event_attributes'),
  ofEventsAssets: cacheAttributes('events', 'asset_attributes'),
  ofAssets: cacheAttributes('assets', 'attributes'),
  ofLocations: cacheAttributes('locations', 'attributes'),
} as const;

/** The terms of an asset's attributes with these names. */
export const assetAttributeTerms = (attributes: Attributes, names: readonly string[]): string[] => {
  const terms: string[] = [];
  for (const name of names) {
    addAttribute(terms, ATTRIBUTES.ofAssets(name), Object.hasOwn(attributes, name) ? attributes[name] : undefined);
  }
  return terms;
};

const cacheEventField = (field: string) => cacheField('events', field);

const cachePrincipal = (name: string) => ({
  issuer: cacheEventField(`${name}.issuer`),
  subject: cacheEventField(`${name}.subject`),
  display_name: cacheEventField(`${name}.display_name`),
  email: cacheEventField(`${name}.email`),
});

const addPrincipal = (terms: string[], of: ReturnType<typeof cachePrincipal>, principal: Principal): void => {
  terms.push(of.issuer(principal.issuer), of.subject(principal.subject));
  terms.push(of.display_name(principal.display_name), of.email(principal.email));
};

// The records of a transaction follow each other, and its id never returns after them.
const keepLast = (compute: (text: string) => string) => {
  let last = { text: '', result: compute('') };
  return (text: string): string => {
    if (text !== last.text) last = { text, result: compute(text) };
    return last.result;
  };
};

const EVENT_FIELDS = {
  asset: cacheEventField('asset'),
  behaviour: cacheEventField('behaviour'),
  operation: cacheEventField('operation'),
  proof_mechanism: cacheEventField('proof_mechanism'),
  from: cacheEventField('from'),
  transaction_id: keepLast((id) => fieldTerm('events', 'transaction_id', id)),
  principal_declared: cachePrincipal('principal_declared'),
  principal_accepted: cachePrincipal('principal_accepted'),
} as const;

/** The term that no member has. */
export const NO_MEMBERS = 'none';
/** The term of the events of the asset with this number. */
export const assetTerm = (assetNumber: number): string => EVENT_FIELDS.asset(String(assetNumber));
/** The term of the events that attach a blob. */
const attachTerm = (blobIdentity: string): string => fieldTerm('events', 'attaches', blobIdentity);

type EventTermFields = Pick<
  EventRecord,
  'behaviour' | 'operation' | 'principal_declared' | 'principal_accepted' | 'event_attributes' | 'asset_attributes'
>;

/** The terms of an event that depend on its log alone. `from`: with EIP-55 checksum. */
export const ownEventTerms = (event: EventTermFields, from: string, transactionId: string): string[] => {
  const terms = [
    EVENT_FIELDS.behaviour(event.behaviour),
    EVENT_FIELDS.operation(event.operation),
    EVENT_FIELDS.from(from),
    EVENT_FIELDS.transaction_id(transactionId),
  ];
  addPrincipal(terms, EVENT_FIELDS.principal_declared, event.principal_declared);
  addPrincipal(terms, EVENT_FIELDS.principal_accepted, event.principal_accepted);
  addAttributes(terms, ATTRIBUTES.ofEvents, event.event_attributes);
  addAttributes(terms, ATTRIBUTES.ofEventsAssets, event.asset_attributes);
  for (const blob of attachedBlobs(event.event_attributes)) terms.push(attachTerm(blob));
  for (const blob of attachedBlobs(event.asset_attributes)) terms.push(attachTerm(blob));
  return terms;
};

/**
 * The terms of an event that depend on its asset, without `assetTerm`. `attachmentsAfter`: `arc_attachments` of the
 * asset after an Attach, which the event shows; undefined for any other event.
 */
export const assetDependentTerms = (proofMechanism: string, attachmentsAfter: AttributeValue | undefined): string[] => {
  const terms = [EVENT_FIELDS.proof_mechanism(proofMechanism)];
  if (attachmentsAfter === undefined) return terms;
  const shown = { arc_attachments: attachmentsAfter };
  addAttributes(terms, ATTRIBUTES.ofEventsAssets, shown);
  for (const blob of attachedBlobs(shown)) terms.push(attachTerm(blob));
  return terms;
};

/**
 * The terms of an event, as the API shows it, of an asset with this proof mechanism. They do not include `assetTerm`.
 */
export const eventTerms = (event: EventResource, proofMechanism: string): string[] => [
  EVENT_FIELDS.proof_mechanism(proofMechanism),
  ...ownEventTerms(event, event.from, event.transaction_id),
];

const toAttributeTerms = (findName: FindAttribute, attributes: Attributes): string[] => {
  const terms: string[] = [];
  addAttributes(terms, findName, attributes);
  return terms;
};

/** The terms of an asset, without those of its attributes. */
export const assetSettingTerms = ({ owner, state }: Asset): string[] => [
  fieldTerm('assets', 'tracked', state.tracked),
  fieldTerm('assets', 'proof_mechanism', state.proof_mechanism),
  fieldTerm('assets', 'public', String(state.public)),
  fieldTerm('assets', 'owner', owner),
  ...state.behaviours.map((behaviour) => fieldTerm('assets', 'behaviours', behaviour)),
];

/** The terms of an asset. */
export const assetTerms = (asset: Asset): string[] => [
  ...assetSettingTerms(asset),
  ...toAttributeTerms(ATTRIBUTES.ofAssets, asset.state.attributes),
];

/** The terms of the members of named collections that are not deleted. */
export const PRESENT = {
  locations: fieldTerm('locations', 'is', 'present'),
  policies: fieldTerm('policies', 'is', 'present'),
  applications: fieldTerm('applications', 'is', 'present'),
  subjects: fieldTerm('subjects', 'is', 'present'),
  accessPolicies: fieldTerm('accessPolicies', 'is', 'present'),
} as const;

/** The terms of a location. */
export const locationTerms = ({ display_name, description, attributes }: LocationResource): string[] => [
  PRESENT.locations,
  fieldTerm('locations', 'display_name', display_name),
  fieldTerm('locations', 'description', description),
  ...toAttributeTerms(ATTRIBUTES.ofLocations, attributes),
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

/** The terms of a subject. */
export const subjectTerms = ({ display_name, wallet_address }: Subject): string[] => [
  PRESENT.subjects,
  fieldTerm('subjects', 'display_name', display_name),
  ...new Set(wallet_address.map((address) => fieldTerm('subjects', 'wallet_address', address))),
];

/** The terms of an access policy. */
export const accessPolicyTerms = ({ display_name, description }: AccessPolicy): string[] => [
  PRESENT.accessPolicies,
  fieldTerm('accessPolicies', 'display_name', display_name),
  fieldTerm('accessPolicies', 'description', description),
];

/** The terms of a blob. */
export const blobTerms = ({ hash }: Pick<BlobResource, 'hash'>): string[] => [fieldTerm('blobs', 'sha256', hash.value)];
