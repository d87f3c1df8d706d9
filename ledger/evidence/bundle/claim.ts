// What an evidence file says (docs/evidence-format.md).
import { isTimestamp } from '../../encoding/timestamp.ts';
import { isLedgerIdentity } from '../../identity.ts';
import { findUncheckable } from '../../verification.ts';
import { assertReadable } from '../unreadableEvidence.ts';
import { readHex, readInteger, readObject, readString } from './jsonParts.ts';
import {
  type MergedHistoryClaim,
  type MergedVerdictClaim,
  readMergedHistory,
  readMergedVerdict,
} from './mergedClaim.ts';

const HASH_BYTES = 32;

/** Which records of a verdict have an effect: those from the tenant's own record on. */
export interface OwnRecordClaim {
  /** Number of records of the tenant's own stream up to its own record. */
  readonly count: number;
  /** Position of the first record of the policy that has an effect. */
  readonly policyFrom: number;
  /** The same of the asset. */
  readonly from: number;
}

/** What the file says. */
export type Claim =
  | { readonly kind: 'event'; readonly event: unknown }
  | {
      readonly kind: 'history';
      readonly tenantIdentity: string;
      readonly assetIdentity: string;
      readonly count: number;
    }
  | {
      readonly kind: 'range';
      readonly tenantIdentity: string;
      readonly assetIdentity: string;
      /** Position of the first record. */
      readonly from: number;
      /** Position of the last record. */
      readonly to: number;
    }
  | { readonly kind: 'absence'; readonly tenantIdentity: string; readonly identity: string }
  | {
      readonly kind: 'tenant';
      readonly tenantIdentity: string;
      readonly count: number;
      /** SHA-256 of the file with the leaves. */
      readonly leavesSha256: Uint8Array;
    }
  | {
      readonly kind: 'verdict';
      readonly policyIdentity: string;
      readonly assetIdentity: string;
      readonly tenantIdentity: string;
      /** Time of the verdict, as the API writes it. */
      readonly at: string;
      readonly compliant: boolean;
      /** Number of records of the policy. */
      readonly policyCount: number;
      /** Number of records of the asset. */
      readonly count: number;
      /** Undefined where the file doesn't show the tenant's own record. */
      readonly own: OwnRecordClaim | undefined;
    }
  | MergedHistoryClaim
  | MergedVerdictClaim;

/** A claim of one kind. */
export type ClaimOf<K extends Claim['kind']> = Extract<Claim, { kind: K }>;

/** Whether a claim is about an asset to which other tenants contributed. */
export const isMerged = (claim: Claim): claim is MergedHistoryClaim | MergedVerdictClaim =>
  claim.kind === 'merged_history' || claim.kind === 'merged_verdict';

// A name that the ledger never writes is absent from every ledger, which proves nothing.
const readIdentity = (value: unknown, where: string): string => {
  const text = readString(value, where);
  assertReadable(isLedgerIdentity(text), `${where} is no identity of a record or a stream`);
  return text;
};

const readRange = (claim: unknown): Claim => {
  const names = ['kind', 'tenant_identity', 'asset_identity', 'from', 'to'];
  const { tenant_identity, asset_identity, from, to } = readObject(claim, 'claim', names);
  return {
    kind: 'range',
    tenantIdentity: readIdentity(tenant_identity, 'claim.tenant_identity'),
    assetIdentity: readIdentity(asset_identity, 'claim.asset_identity'),
    from: readInteger(from, 'claim.from', 1),
    to: readInteger(to, 'claim.to', readInteger(from, 'claim.from', 1)),
  };
};

const VERDICT_NAMES = [
  'kind',
  'policy_identity',
  'asset_identity',
  'tenant_identity',
  'at',
  'compliant',
  'policy_count',
  'count',
];

const OWN_NAMES = ['own_count', 'policy_from', 'from'];

const readOwnRecord = (
  value: Readonly<Record<string, unknown>>,
  { policyCount, count }: { readonly policyCount: number; readonly count: number },
): OwnRecordClaim | undefined => {
  const named = OWN_NAMES.filter((name) => value[name] !== undefined);
  if (named.length === 0) return undefined;
  assertReadable(named.length === OWN_NAMES.length, `claim has ${named.join(', ')} alone`);
  const own = {
    count: readInteger(value.own_count, 'claim.own_count', 1),
    policyFrom: readInteger(value.policy_from, 'claim.policy_from', 1),
    from: readInteger(value.from, 'claim.from', 1),
  };
  assertReadable(own.policyFrom <= policyCount && own.from <= count, 'claim names a record beyond the last one');
  return own;
};

const readVerdict = (claim: unknown): Claim => {
  const value = readObject(claim, 'claim', VERDICT_NAMES, OWN_NAMES);
  const { policy_identity, asset_identity, tenant_identity, at, compliant, policy_count, count } = value;
  assertReadable(isTimestamp(at), 'claim.at is no time with milliseconds');
  assertReadable(typeof compliant === 'boolean', 'claim.compliant is neither true nor false');
  const counts = {
    policyCount: readInteger(policy_count, 'claim.policy_count', 1),
    count: readInteger(count, 'claim.count', 1),
  };
  return {
    kind: 'verdict',
    policyIdentity: readIdentity(policy_identity, 'claim.policy_identity'),
    assetIdentity: readIdentity(asset_identity, 'claim.asset_identity'),
    tenantIdentity: readIdentity(tenant_identity, 'claim.tenant_identity'),
    at,
    compliant,
    ...counts,
    own: readOwnRecord(value, counts),
  };
};

const CLAIMS: Record<Claim['kind'], (claim: unknown) => Claim> = {
  event: (claim) => {
    const { event } = readObject(claim, 'claim', ['kind', 'event']);
    const reason = findUncheckable(event);
    assertReadable(reason === undefined, `the event can't be checked: ${reason}`);
    return { kind: 'event', event };
  },
  history: (claim) => {
    const names = ['kind', 'tenant_identity', 'asset_identity', 'count'];
    const { tenant_identity, asset_identity, count } = readObject(claim, 'claim', names);
    return {
      kind: 'history',
      tenantIdentity: readIdentity(tenant_identity, 'claim.tenant_identity'),
      assetIdentity: readIdentity(asset_identity, 'claim.asset_identity'),
      count: readInteger(count, 'claim.count'),
    };
  },
  range: readRange,
  absence: (claim) => {
    const { tenant_identity, identity } = readObject(claim, 'claim', ['kind', 'tenant_identity', 'identity']);
    return {
      kind: 'absence',
      tenantIdentity: readIdentity(tenant_identity, 'claim.tenant_identity'),
      identity: readIdentity(identity, 'claim.identity'),
    };
  },
  tenant: (claim) => {
    const names = ['kind', 'tenant_identity', 'count', 'leaves_sha256'];
    const { tenant_identity, count, leaves_sha256 } = readObject(claim, 'claim', names);
    return {
      kind: 'tenant',
      tenantIdentity: readIdentity(tenant_identity, 'claim.tenant_identity'),
      count: readInteger(count, 'claim.count'),
      leavesSha256: readHex(leaves_sha256, 'claim.leaves_sha256', HASH_BYTES),
    };
  },
  verdict: readVerdict,
  merged_history: readMergedHistory,
  merged_verdict: readMergedVerdict,
};

/** What a file claims. @throws UnreadableEvidence for another form. */
export const readClaim = (value: unknown): Claim => {
  const kind = (value as { kind?: unknown } | null)?.kind;
  assertReadable(typeof kind === 'string' && Object.hasOwn(CLAIMS, kind), 'claim.kind is unknown');
  return CLAIMS[kind as Claim['kind']](value);
};
