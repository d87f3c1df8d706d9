// Identities, which name resources and records in the API, and keys, which name them in the contract: a key is
// keccak256 of the UTF-8 bytes of the identity.
import { keccak256 } from './encoding/keccak.ts';

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const ASSET_IDENTITY = new RegExp(`^assets/${UUID}$`);
const EVENT_IDENTITY = new RegExp(`^assets/(${UUID})/events/(${UUID})$`);
const VERSION_IDENTITY = new RegExp(
  `^((?:tenant|applications|locations|blobs|compliance_policies|subjects|access_policies|successions|log_successions)/${UUID})/versions/${UUID}$`,
);
const NIL_UUID = '00000000-0000-0000-0000-000000000000';
const TENANT_IDENTITY = new RegExp(`^tenant/${UUID}$`);
const CONTRIBUTION_IDENTITY = new RegExp(`^((tenant/${UUID})/assets/${UUID})/events/${UUID}$`);
const LOCATION_IDENTITY = new RegExp(`^locations/${UUID}$`);
const POLICY_IDENTITY = new RegExp(`^compliance_policies/${UUID}$`);
const SUBJECT_IDENTITY = new RegExp(`^subjects/${UUID}$`);
const BLOB_IDENTITY = new RegExp(`^blobs/${UUID}$`);
const encoder = new TextEncoder();

/** Keys that are kept in memory: some 3 MB. */
const KEPT_KEYS_MAX = 10_000;
const keptKeys = new Map<string, Uint8Array>();

// The key of a new record is needed some five times until the record is in the index, that of its tenant and asset much
// more often. When the map is full, it is emptied.
const keepKey = (identity: string): Uint8Array => {
  if (keptKeys.size >= KEPT_KEYS_MAX) keptKeys.clear();
  const key = keccak256(encoder.encode(identity));
  keptKeys.set(identity, key);
  return key;
};

/**
 * The contract's 32-byte key of a tenant, stream or record: keccak256 of its identity. The array is shared and must not
 * be changed.
 */
export const toKey = (identity: string): Uint8Array => keptKeys.get(identity) ?? keepKey(identity);

export const toAssetIdentity = (assetUuid: string): string => `assets/${assetUuid}`;
export const toEventIdentity = (assetUuid: string, eventUuid: string): string =>
  `assets/${assetUuid}/events/${eventUuid}`;
export const toTenantIdentity = (tenantUuid: string): string => `tenant/${tenantUuid}`;
export const toApplicationIdentity = (applicationUuid: string): string => `applications/${applicationUuid}`;
export const toLocationIdentity = (locationUuid: string): string => `locations/${locationUuid}`;
export const toPolicyIdentity = (policyUuid: string): string => `compliance_policies/${policyUuid}`;
export const toSubjectIdentity = (subjectUuid: string): string => `subjects/${subjectUuid}`;
/** The subject that stands for the tenant that names it. It is no record. */
export const SELF_IDENTITY = toSubjectIdentity(NIL_UUID);
export const toAccessPolicyIdentity = (policyUuid: string): string => `access_policies/${policyUuid}`;
export const toSuccessionIdentity = (successionUuid: string): string => `successions/${successionUuid}`;
export const toLogSuccessionIdentity = (successionUuid: string): string => `log_successions/${successionUuid}`;
export const toBlobIdentity = (blobUuid: string): string => `blobs/${blobUuid}`;
/** Identity of one version of a resource. The resource's stream holds all its versions. */
export const toVersionIdentity = (resourceIdentity: string, versionUuid: string): string =>
  `${resourceIdentity}/versions/${versionUuid}`;

// UUIDs are accepted in either case (RFC 9562), the word before them is not.
const parseIdentity = (text: string, form: RegExp): string | undefined => {
  const at = text.indexOf('/');
  const identity = text.slice(0, at) + text.slice(at).toLowerCase();
  return form.test(identity) ? identity : undefined;
};

/**
 * The identity of a tenant, with its UUID in lower case, from an identity or a bare UUID; undefined when the text is
 * neither.
 */
export const parseTenantIdentity = (text: string): string | undefined =>
  parseIdentity(text.includes('/') ? text : toTenantIdentity(text), TENANT_IDENTITY);

/** The identity of an asset with its UUID in lower case; undefined when the text isn't one. */
export const parseAssetIdentity = (text: string): string | undefined => parseIdentity(text, ASSET_IDENTITY);

/** The identity of a location with its UUID in lower case; undefined when the text isn't one. */
export const parseLocationIdentity = (text: string): string | undefined => parseIdentity(text, LOCATION_IDENTITY);

/** The identity of a policy with its UUID in lower case; undefined when the text isn't one. */
export const parsePolicyIdentity = (text: string): string | undefined => parseIdentity(text, POLICY_IDENTITY);

/** The identity of a blob with its UUID in lower case; undefined when the text isn't one. */
export const parseBlobIdentity = (text: string): string | undefined => parseIdentity(text, BLOB_IDENTITY);

/** The identity of a subject with its UUID in lower case; undefined when the text isn't one. */
export const parseSubjectIdentity = (text: string): string | undefined => parseIdentity(text, SUBJECT_IDENTITY);

/** The UUID with these 32 hexadecimal digits. */
export const formatUuid = (digits: string): string =>
  digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

/** The last UUID of an identity. */
export const toUuid = (identity: string): string => identity.slice(identity.lastIndexOf('/') + 1);

/** The two UUIDs of an event's identity; undefined when the text isn't one. */
export const parseEventIdentity = (identity: string): { assetUuid: string; eventUuid: string } | undefined => {
  const match = EVENT_IDENTITY.exec(identity);
  return match === null ? undefined : { assetUuid: match[1]!, eventUuid: match[2]! };
};

/** Identity of a contribution: an event that another tenant records on an asset of the owner. */
export const toContributionIdentity = (ownerIdentity: string, eventIdentity: string): string =>
  `${ownerIdentity}/${eventIdentity}`;

/** The owner of the asset and the event's identity there; undefined when the text isn't a contribution's identity. */
export const parseContributionIdentity = (
  identity: string,
): { ownerIdentity: string; eventIdentity: string } | undefined => {
  const ownerIdentity = CONTRIBUTION_IDENTITY.exec(identity)?.[2];
  if (ownerIdentity === undefined) return undefined;
  return { ownerIdentity, eventIdentity: identity.slice(ownerIdentity.length + 1) };
};

/**
 * Identity of the stream that the record with this identity belongs to; undefined when the text isn't a record's
 * identity.
 */
export const toStreamIdentity = (recordIdentity: string): string | undefined => {
  const event = EVENT_IDENTITY.exec(recordIdentity);
  if (event !== null) return toAssetIdentity(event[1]!);
  return (VERSION_IDENTITY.exec(recordIdentity) ?? CONTRIBUTION_IDENTITY.exec(recordIdentity))?.[1];
};

/** Whether a text is the identity of a record or a stream as the ledger writes it: with its UUIDs in lower case. */
export const isLedgerIdentity = (text: string): boolean =>
  toStreamIdentity(text) !== undefined ||
  ASSET_IDENTITY.test(text) ||
  parseContributionIdentity(`${text}/events/${NIL_UUID}`) !== undefined ||
  toStreamIdentity(toVersionIdentity(text, NIL_UUID)) === text;

/**
 * Identity of the stream that a record extends.
 * @throws TypeError when the record's identity isn't that of a record.
 */
export const toStreamIdentityOf = (record: { readonly identity: string }): string => {
  const stream = toStreamIdentity(record.identity);
  if (stream === undefined) throw new TypeError(`not the identity of a record: ${record.identity}`);
  return stream;
};
