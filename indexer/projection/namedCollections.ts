// Collections whose members have a name and versions, the newest of which holds: locations, compliance policies, applications.

import { type Application, type ApplicationRecord, toApplication } from '../../ledger/records/application.ts';
import { type LocationRecord, type LocationResource, toLocationResource } from '../../ledger/records/location.ts';
import { type PolicyRecord, type PolicyResource, toPolicyResource } from '../../ledger/records/policy.ts';
import type { NamedRecord } from '../rows/rows.ts';
import { applicationTerms, locationTerms, policyTerms } from './terms.ts';

/** What all of their resources have. */
export interface Named {
  readonly identity: string;
  readonly display_name: string;
}

export interface NamedCollection<R extends NamedRecord, T extends Named> {
  readonly collection: 'locations' | 'policies' | 'applications';
  /** What a version makes of the resource; undefined when it takes it back. */
  readonly toResource: (record: R) => T | undefined;
  readonly toTerms: (resource: T) => string[];
}

export const LOCATIONS: NamedCollection<LocationRecord, LocationResource> = {
  collection: 'locations',
  toResource: toLocationResource,
  toTerms: locationTerms,
};

export const POLICIES: NamedCollection<PolicyRecord, PolicyResource> = {
  collection: 'policies',
  toResource: (record) => (record.is_deleted ? undefined : toPolicyResource(record)),
  toTerms: policyTerms,
};

export const APPLICATIONS: NamedCollection<ApplicationRecord, Application> = {
  collection: 'applications',
  toResource: toApplication,
  toTerms: applicationTerms,
};
