// Converts events and assets of another ledger to requests to this one. Identities are chosen by this ledger, so the
// source's identity is kept as the attribute `imported_from`, and is the idempotency key of the request.
import { isDeepStrictEqual } from 'node:util';
import { hasContent } from '../../ledger/encoding/jsonForm.ts';
import { type Attributes, isJsonObject } from '../../ledger/records/attributes.ts';
import type { ImportedAssetRequest, ImportedEventRequest } from './importRequests.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The attribute with the identity that an asset or event has in the ledger that it comes from. */
export const IMPORTED_FROM = 'imported_from';
/** The attribute with the identity in the first ledger, when the source had imported it itself. */
const IMPORTED_ORIGIN = 'imported_origin';
/** The attribute of an asset with the time that its creation declares; only events have such a time of their own. */
const IMPORTED_TIME = 'imported_timestamp_declared';
/** The attributes of an asset with what else its creation event has. */
const IMPORTED_PRINCIPAL = 'imported_principal_declared';
const IMPORTED_ATTRIBUTES = 'imported_event_attributes';
/** The attribute with what else the source has of an asset or event: a map of texts. */
export const IMPORTED_MEMBERS = 'imported_members';
/** The attributes with the time and principal of the acceptance in the source, where others are declared. */
const IMPORTED_ACCEPTED_TIME = 'imported_timestamp_accepted';
const IMPORTED_ACCEPTED_PRINCIPAL = 'imported_principal_accepted';
const PRINCIPAL_FIELDS = ['issuer', 'subject', 'display_name', 'email'] as const;

const toFields = (value: unknown): Fields => (isJsonObject(value) ? value : {});

const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

const toDeclaredTime = ({ timestamp_declared: declared, timestamp_accepted: accepted }: Fields): object => {
  const time = isGiven(declared) ? declared : accepted;
  return isGiven(time) ? { timestamp_declared: time } : {};
};

const toPrincipal = (value: unknown): Fields | undefined => {
  const given = PRINCIPAL_FIELDS.filter((name) => isGiven(toFields(value)[name]));
  return given.length === 0 ? undefined : Object.fromEntries(given.map((name) => [name, toFields(value)[name]]));
};

const toDeclaredPrincipal = ({ principal_declared: declared, principal_accepted: accepted }: Fields): object => {
  const principal = toPrincipal(declared) ?? toPrincipal(accepted);
  return principal === undefined ? {} : { principal_declared: principal };
};

// The acceptance here is that of the import. Anyone reads the attributes of a public asset, without principals.
const toAcceptance = (source: Fields, attributes: Fields, isPublic: boolean): Fields => {
  // What the source had imported it accepted at a time that says nothing about it.
  if (isGiven(attributes[IMPORTED_FROM])) return {};
  const { timestamp_accepted: accepted, timestamp_declared: declared } = source;
  const isOtherTime = isGiven(accepted) && isGiven(declared) && accepted !== declared;
  const principal = toPrincipal(source.principal_accepted);
  const declaredPrincipal = toPrincipal(source.principal_declared) ?? principal;
  const isOtherPrincipal = principal !== undefined && !isDeepStrictEqual(principal, declaredPrincipal);
  return {
    ...(isOtherTime ? { [IMPORTED_ACCEPTED_TIME]: accepted } : {}),
    ...(isOtherPrincipal && !isPublic ? { [IMPORTED_ACCEPTED_PRINCIPAL]: principal } : {}),
  };
};

// An attribute may be a map of texts, and no deeper. Anyone reads the attributes of a public asset, without principals.
const toCreationAttributes = (source: Fields, isPublic: boolean): Fields => {
  const { principal_declared: principal } = toDeclaredPrincipal(source) as Fields;
  const attributes = Object.entries(toFields(source.event_attributes)).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : JSON.stringify(value),
  ]);
  return {
    ...(principal === undefined || isPublic ? {} : { [IMPORTED_PRINCIPAL]: principal }),
    ...(attributes.length === 0 ? {} : { [IMPORTED_ATTRIBUTES]: Object.fromEntries(attributes) }),
  };
};

// Its identity, its place and state in the ledger that it comes from.
const PLACE_MEMBERS = [
  ...['identity', 'asset_identity', 'tenant_identity', 'owner', 'from', 'contribution'],
  ...['confirmation_status', 'failure_reason', 'chain_id', 'storage_integrity', 'proof_mechanism'],
  ...['block_number', 'transaction_index', 'transaction_id', 'log_index', 'merklelog_entry'],
  ...['timestamp_accepted', 'timestamp_committed', 'timestamp_declared', 'at_time', 'tracked'],
  ...['principal_accepted', 'principal_declared'],
];
const CONTENT_MEMBERS = [
  ...['behaviours', 'behaviour', 'operation', 'public', 'asset_settings'],
  ...['attributes', 'asset_attributes', 'event_attributes'],
];
const KNOWN_MEMBERS: ReadonlySet<string> = new Set([...PLACE_MEMBERS, ...CONTENT_MEMBERS]);

// What this ledger's records have no member for is kept as texts, because nothing can add it later.
const toOtherMembers = (source: Fields): object => {
  const isSecond = hasContent(source.event_attributes);
  const isOther = (name: string): boolean => !KNOWN_MEMBERS.has(name) || (name === 'attributes' && isSecond);
  const others = Object.entries(source).filter(([name, value]) => isOther(name) && hasContent(value));
  const texts = others.map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]);
  return texts.length === 0 ? {} : { [IMPORTED_MEMBERS]: Object.fromEntries(texts) };
};

// The attributes of an event are called `attributes` by some of the source's clients.
const toEventAttributes = ({ event_attributes: own, attributes }: Fields): Fields =>
  hasContent(own) ? toFields(own) : toFields(attributes);

/** The attributes with the identities of what is imported: a later import finds it by that in its own source. */
export const toOrigin = (attributes: Fields, identity: string): Fields => {
  const origin = attributes[IMPORTED_ORIGIN] ?? attributes[IMPORTED_FROM];
  return { [IMPORTED_FROM]: identity, ...(origin === undefined ? {} : { [IMPORTED_ORIGIN]: origin }) };
};

/** The idempotency key of what is imported from this identity. */
export const toImportKey = (identity: string): string => `import:${identity}`;

/** Whether an event of the source creates its asset. */
export const isSourceCreation = ({ behaviour, operation }: Fields): boolean =>
  behaviour === 'AssetCreator' && operation === 'NewAsset';

/** The request that creates the asset of a source's asset, or of the event that created it. */
export const toImportedAsset = (identity: string, source: Fields): ImportedAssetRequest => {
  const settings = 'asset_settings' in source ? toFields(source.asset_settings) : source;
  const attributes = toFields(source.asset_attributes ?? source.attributes);
  const time = attributes[IMPORTED_TIME] ?? (toDeclaredTime(source) as Fields).timestamp_declared;
  const known = ['behaviours', 'proof_mechanism', 'public'].filter((name) => isGiven(settings[name]));
  return {
    ...Object.fromEntries(known.map((name) => [name, settings[name]])),
    attributes: {
      ...toAcceptance(source, attributes, settings.public === true),
      ...toOtherMembers(source),
      ...toCreationAttributes(source, settings.public === true),
      ...attributes,
      ...toOrigin(attributes, identity),
      ...(time === undefined ? {} : { [IMPORTED_TIME]: time }),
    } as Attributes,
  };
};

/** The line that records an event of the source on an asset of this ledger. */
export const toImportedEvent = (
  identity: string,
  source: Fields,
  asset: { readonly identity: string; readonly isPublic: boolean },
): ImportedEventRequest => {
  const attributes = toEventAttributes(source);
  return {
    asset_identity: asset.identity,
    idempotency_key: toImportKey(identity),
    behaviour: source.behaviour as string,
    operation: source.operation as string,
    event_attributes: {
      ...toOtherMembers(source),
      ...toAcceptance(source, attributes, asset.isPublic),
      ...attributes,
      ...toOrigin(attributes, identity),
    } as Attributes,
    asset_attributes: toFields(source.asset_attributes) as Attributes,
    ...toDeclaredTime(source),
    ...toDeclaredPrincipal(source),
  };
};
