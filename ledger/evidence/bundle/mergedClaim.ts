// What a file says of an asset to which other tenants contributed: of which streams of which tenants it has all records
// (docs/evidence-format.md).
import { isTimestamp } from '../../encoding/timestamp.ts';
import { isLedgerIdentity, parseAssetIdentity, parseTenantIdentity } from '../../identity.ts';
import { assertReadable } from '../unreadableEvidence.ts';
import { readInteger, readList, readObject, readString } from './jsonParts.ts';

const PARTS_MAX = 64;
const EVENTS_MAX = 2_000;
const OWNERS_STREAMS = ['access_policies/', 'subjects/', 'blobs/'];

/** A stream of a tenant. */
export interface NamedStream {
  readonly tenantIdentity: string;
  readonly streamIdentity: string;
}

/** A stream of which a file has all records. */
export interface StreamPart extends NamedStream {
  readonly count: number;
}

/** The first records of a tenant's own stream, up to the tenant's own record. */
export interface OwnRecordsPart {
  readonly tenantIdentity: string;
  readonly count: number;
}

/** What merged histories and verdicts on them have in common. */
export interface MergedParts {
  /** The asset's owner. */
  readonly tenantIdentity: string;
  readonly assetIdentity: string;
  /** The asset's own stream first. */
  readonly parts: readonly StreamPart[];
  /** Streams of single records after those of the parts: each shows an account that wrote a record of a tenant. */
  readonly authors: readonly NamedStream[];
  /** After those: of tenants whose records from before their own record have no effect. */
  readonly own: readonly OwnRecordsPart[];
}

/** The merged history of an asset. */
export interface MergedHistoryClaim extends MergedParts {
  readonly kind: 'merged_history';
  /** Indexes of the records that are events of the asset, in the order of the chain; undefined without records. */
  readonly events: readonly number[] | undefined;
}

/** A verdict on an asset with a merged history. */
export interface MergedVerdictClaim extends MergedParts {
  readonly kind: 'merged_verdict';
  readonly policyIdentity: string;
  /** Time of the verdict, as the API writes it. */
  readonly at: string;
  readonly compliant: boolean;
}

const readTenant = (value: unknown, where: string): string => {
  const text = readString(value, where);
  assertReadable(parseTenantIdentity(text) === text, `${where} is no identity of a tenant`);
  return text;
};

const readStream = (value: unknown, where: string): string => {
  const text = readString(value, where);
  assertReadable(isLedgerIdentity(text), `${where} is no identity of a record or a stream`);
  return text;
};

const readPart = (value: unknown, where: string): StreamPart => {
  const { tenant_identity, identity, count } = readObject(value, where, ['tenant_identity', 'identity', 'count']);
  return {
    tenantIdentity: readTenant(tenant_identity, `${where}.tenant_identity`),
    streamIdentity: readStream(identity, `${where}.identity`),
    count: readInteger(count, `${where}.count`),
  };
};

const readAuthor = (value: unknown, where: string): NamedStream => {
  const { tenant_identity, identity } = readObject(value, where, ['tenant_identity', 'identity']);
  return {
    tenantIdentity: readTenant(tenant_identity, `${where}.tenant_identity`),
    streamIdentity: readStream(identity, `${where}.identity`),
  };
};

const readOwnPart = (value: unknown, where: string): OwnRecordsPart => {
  const { tenant_identity, count } = readObject(value, where, ['tenant_identity', 'count']);
  return {
    tenantIdentity: readTenant(tenant_identity, `${where}.tenant_identity`),
    count: readInteger(count, `${where}.count`, 1),
  };
};

/** Whether a part has the contributions of another tenant. */
export const isContributions = ({ tenantIdentity }: Pick<MergedParts, 'tenantIdentity'>, part: NamedStream): boolean =>
  part.tenantIdentity !== tenantIdentity;

const isMeant = (
  { tenantIdentity, assetIdentity }: MergedParts,
  part: NamedStream,
  policyIdentity: string | undefined,
): boolean => {
  const { streamIdentity } = part;
  if (isContributions({ tenantIdentity }, part)) return streamIdentity === `${tenantIdentity}/${assetIdentity}`;
  return streamIdentity === policyIdentity || OWNERS_STREAMS.some((prefix) => streamIdentity.startsWith(prefix));
};

const assertOwnMeant = ({ parts, own }: MergedParts): void => {
  const tenants = new Set(parts.map(({ tenantIdentity }) => tenantIdentity));
  const isEach = own.every(({ tenantIdentity }) => tenants.delete(tenantIdentity));
  assertReadable(isEach, 'claim.own_records has a tenant twice, or one without a part');
};

const assertMeant = (merged: MergedParts, policyIdentity?: string): void => {
  const { tenantIdentity, assetIdentity, parts } = merged;
  const [own, ...others] = parts;
  const isOwn = own?.tenantIdentity === tenantIdentity && own.streamIdentity === assetIdentity;
  assertReadable(isOwn, 'the first of claim.parts is not the stream of the asset');
  const isEach = others.every((part) => isMeant(merged, part, policyIdentity));
  assertReadable(isEach, 'claim.parts has a stream that decides nothing');
  const names = new Set(parts.map((part) => `${part.tenantIdentity} ${part.streamIdentity}`));
  assertReadable(names.size === parts.length, 'claim.parts has a stream twice');
  assertReadable(
    others.some((part) => isContributions(merged, part)),
    'claim.parts has no contributions',
  );
  assertOwnMeant(merged);
};

const readMerged = (value: Readonly<Record<string, unknown>>): MergedParts => {
  const { tenant_identity, asset_identity, parts, authors = [], own_records = [] } = value;
  const assetIdentity = readString(asset_identity, 'claim.asset_identity');
  assertReadable(parseAssetIdentity(assetIdentity) === assetIdentity, 'claim.asset_identity is none of an asset');
  return {
    tenantIdentity: readTenant(tenant_identity, 'claim.tenant_identity'),
    assetIdentity,
    parts: readList(parts, 'claim.parts', PARTS_MAX).map((part, at) => readPart(part, `claim.parts[${at}]`)),
    authors: readList(authors, 'claim.authors', PARTS_MAX).map((one, at) => readAuthor(one, `claim.authors[${at}]`)),
    own: readList(own_records, 'claim.own_records', PARTS_MAX).map((one, at) =>
      readOwnPart(one, `claim.own_records[${at}]`),
    ),
  };
};

const MERGED_NAMES = ['kind', 'tenant_identity', 'asset_identity', 'parts'];
const FURTHER_NAMES = ['authors', 'own_records'];

/** A merged history. @throws UnreadableEvidence for another form. */
export const readMergedHistory = (claim: unknown): MergedHistoryClaim => {
  const value = readObject(claim, 'claim', MERGED_NAMES, [...FURTHER_NAMES, 'events']);
  const merged = readMerged(value);
  assertMeant(merged);
  if (value.events === undefined) {
    const isPlain = merged.parts.slice(1).every((part) => isContributions(merged, part));
    const isAlone = merged.authors.length + merged.own.length === 0;
    assertReadable(isPlain && isAlone, 'claim.parts has a stream that needs records');
    return { kind: 'merged_history', ...merged, events: undefined };
  }
  const events = readList(value.events, 'claim.events', EVENTS_MAX).map((at) => readInteger(at, 'claim.events'));
  return { kind: 'merged_history', ...merged, events };
};

/** A verdict on a merged history. @throws UnreadableEvidence for another form. */
export const readMergedVerdict = (claim: unknown): MergedVerdictClaim => {
  const names = [...MERGED_NAMES, 'policy_identity', 'at', 'compliant'];
  const value = readObject(claim, 'claim', names, FURTHER_NAMES);
  const { at, compliant } = value;
  const merged = readMerged(value);
  const policyIdentity = readStream(value.policy_identity, 'claim.policy_identity');
  assertMeant(merged, policyIdentity);
  const isThere = merged.parts
    .slice(1)
    .some((part) => !isContributions(merged, part) && part.streamIdentity === policyIdentity);
  assertReadable(isThere, 'claim.parts lacks the policy');
  assertReadable(isTimestamp(at), 'claim.at is no time with milliseconds');
  assertReadable(typeof compliant === 'boolean', 'claim.compliant is neither true nor false');
  return { kind: 'merged_verdict', ...merged, policyIdentity, at, compliant };
};

/** The tenants of the records of a file, each once: the trees that their leaves are in. */
export const listMergedTenants = ({ parts, authors }: Pick<MergedParts, 'parts' | 'authors'>): string[] => [
  ...new Set([...parts, ...authors].map(({ tenantIdentity }) => tenantIdentity)),
];

/** The stream of each record of a file, in their order. */
export const listRecordStreams = ({ parts, authors, own }: MergedParts): NamedStream[] => {
  const repeat = (stream: NamedStream, count: number) => Array.from({ length: count }, () => stream);
  return [
    ...parts.flatMap((part) => repeat(part, part.count)),
    ...authors,
    ...own.flatMap(({ tenantIdentity, count }) => repeat({ tenantIdentity, streamIdentity: tenantIdentity }, count)),
  ];
};
