// Named collections: those whose members have a name and versions, of which the newest is in force. They are locations,
// compliance policies, applications, subjects and access policies.
import { type AccessPolicy, type AccessPolicyRecord, toAccessPolicy } from '../../ledger/records/accessPolicy.ts';
import { type Application, type ApplicationRecord, toApplication } from '../../ledger/records/application.ts';
import { type LocationRecord, type LocationResource, toLocationResource } from '../../ledger/records/location.ts';
import { type PolicyRecord, type PolicyResource, toPolicyResource } from '../../ledger/records/policy.ts';
import { type Subject, type SubjectRecord, toSubject } from '../../ledger/records/subject.ts';
import type { NamedRecord } from '../rows/rows.ts';
import { accessPolicyTerms, applicationTerms, locationTerms, policyTerms, subjectTerms } from './terms.ts';

/** The fields that all resources of named collections have. */
export interface Named {
  readonly identity: string;
  readonly display_name: string;
}

/** How a named collection is projected and read. `R`: its records, `T`: its resources. */
export interface NamedCollection<R extends NamedRecord, T extends Named> {
  readonly collection: 'locations' | 'policies' | 'applications' | 'subjects' | 'accessPolicies';
  /** The resource of a version; undefined if the version deletes it. */
  readonly toResource: (record: R) => T | undefined;
  /** The terms of a resource. */
  readonly toTerms: (resource: T) => string[];
}

/** The named collection of locations. */
export const LOCATIONS: NamedCollection<LocationRecord, LocationResource> = {
  collection: 'locations',
  toResource: (record) => (record.is_deleted === true ? undefined : toLocationResource(record)),
  toTerms: locationTerms,
};

/** The named collection of compliance policies. */
export const POLICIES: NamedCollection<PolicyRecord, PolicyResource> = {
  collection: 'policies',
  toResource: (record) => (record.is_deleted ? undefined : toPolicyResource(record)),
  toTerms: policyTerms,
};

/** The named collection of applications. */
export const APPLICATIONS: NamedCollection<ApplicationRecord, Application> = {
  collection: 'applications',
  toResource: toApplication,
  toTerms: applicationTerms,
};

/** The named collection of subjects. */
export const SUBJECTS: NamedCollection<SubjectRecord, Subject> = {
  collection: 'subjects',
  toResource: toSubject,
  toTerms: subjectTerms,
};

/** The named collection of access policies. */
export const ACCESS_POLICIES: NamedCollection<AccessPolicyRecord, AccessPolicy> = {
  collection: 'accessPolicies',
  toResource: toAccessPolicy,
  toTerms: accessPolicyTerms,
};
