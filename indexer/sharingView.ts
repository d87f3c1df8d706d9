// The reads of what tenants share with each other, and all reads that the server uses.
import type { Hex } from '../ledger/encoding/hex.ts';
import type { AccessPolicy, AccessPolicyRecord } from '../ledger/records/accessPolicy.ts';
import type { SubjectContent, SubjectRecord, SubjectResource } from '../ledger/records/subject.ts';
import type { ContributionView } from './contributionView.ts';
import type { FeedView } from './feedView.ts';
import type { FieldFilter, LedgerView, Page, PageQuery } from './ledgerView.ts';

/** Which access policies to list: those that meet all conditions. */
export interface AccessPolicyQuery {
  readonly fields: readonly FieldFilter<'display_name' | 'description'>[];
  /** Newest first; or by the code points of the name, then by identity. */
  readonly order: 'newest' | 'displayName';
}

/** An access policy, and when its first version was accepted, in milliseconds since the epoch. */
export interface DatedAccessPolicy {
  readonly policy: AccessPolicy;
  readonly createdMs: number;
}

/** Which subjects to list: those that meet all conditions, newest first. */
export interface SubjectQuery {
  /** The value of `wallet_address` has the EIP-55 checksum. */
  readonly fields: readonly FieldFilter<'display_name' | 'wallet_address'>[];
}

/** Reads of a tenant's own subjects and access policies. UUIDs are lower-case. */
export interface SharingView {
  /** A subject that was not deleted; one that the chain refused to create is FAILED. */
  readSubject(tenantIdentity: string, subjectUuid: string): Promise<SubjectResource | undefined>;
  /** A subject as its newest version of those that were accepted at or before a time defines it. */
  readSubjectAt(tenantIdentity: string, subjectUuid: string, atMs: number): Promise<SubjectResource | undefined>;
  /** The newest version of a subject, committed or not, unless it deletes the subject. */
  readNewestSubject(tenantIdentity: string, subjectUuid: string): Promise<SubjectRecord | undefined>;
  /** One version of a subject, committed or not. */
  readSubjectVersion(
    tenantIdentity: string,
    subjectUuid: string,
    versionUuid: string,
  ): Promise<SubjectRecord | undefined>;
  listSubjects(tenantIdentity: string, query: SubjectQuery, page: PageQuery): Promise<Page<SubjectResource>>;
  /**
   * The keys of the tenants of which the wallets of a subject have written committed records: none, one, or, if the
   * subject is ambiguous, at least two.
   */
  readTenantKeysOfSubject(subject: Pick<SubjectContent, 'wallet_pub_key'>): Promise<readonly Hex[]>;
  /** The identity of the tenant that a subject stands for; undefined if there is none yet, and if it is ambiguous. */
  readTenantOfSubject(subject: Pick<SubjectContent, 'wallet_pub_key'>): Promise<string | undefined>;
  /** An access policy that was not deleted. */
  readAccessPolicy(tenantIdentity: string, policyUuid: string): Promise<AccessPolicy | undefined>;
  /**
   * An access policy as of the version that was in effect at a time, in milliseconds since the epoch; undefined if
   * there was none yet, or if it deletes the policy.
   */
  readAccessPolicyAt(tenantIdentity: string, policyUuid: string, atMs: number): Promise<AccessPolicy | undefined>;
  /** The newest version of an access policy, committed or not, unless it deletes the policy. */
  readNewestAccessPolicy(tenantIdentity: string, policyUuid: string): Promise<AccessPolicyRecord | undefined>;
  /** One version of an access policy, committed or not. */
  readAccessPolicyVersion(
    tenantIdentity: string,
    policyUuid: string,
    versionUuid: string,
  ): Promise<AccessPolicyRecord | undefined>;
  listAccessPolicies(tenantIdentity: string, query: AccessPolicyQuery, page: PageQuery): Promise<Page<AccessPolicy>>;
  /** The access policies that were in effect at a time, in milliseconds since the epoch, newest first. */
  readAccessPoliciesAt(tenantIdentity: string, atMs: number): Promise<readonly DatedAccessPolicy[]>;
  /** One page of all access policies, newest first, each decoded only when its function is called. */
  listStoredAccessPolicies(tenantIdentity: string, page: PageQuery): Promise<Page<() => AccessPolicy>>;
}

/** All reads that the server uses. */
export interface ServedView extends LedgerView, SharingView, ContributionView, FeedView {}
