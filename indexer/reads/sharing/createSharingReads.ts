// The reads of what tenants share with each other.
import { toAccessPolicyIdentity } from '../../../ledger/identity.ts';
import { ACCESS_POLICIES } from '../../projection/namedCollections.ts';
import type { SharingView } from '../../sharingView.ts';
import { createNamedReads } from '../createNamedReads.ts';
import type { OverlaidReader } from '../overlaidReader.ts';
import { ofType } from '../uncommitted.ts';
import { readAccessPoliciesAt } from './accessPoliciesAt.ts';
import { createSubjectReads } from './createSubjectReads.ts';

/** Creates the reads of what tenants share with each other. */
export const createSharingReads = (reader: OverlaidReader): SharingView => {
  const policies = createNamedReads(reader, {
    type: 'access_policy',
    of: ACCESS_POLICIES,
    toIdentity: toAccessPolicyIdentity,
  });
  return {
    readAccessPolicy: policies.read,
    readAccessPolicyAt: policies.readAt,
    readNewestAccessPolicy: policies.readNewest,
    readAccessPolicyVersion: policies.readVersion,
    listAccessPolicies: (tenantIdentity, query, page) =>
      policies.list(tenantIdentity, { ...query, attributes: [] }, page),
    listStoredAccessPolicies: policies.listStored,
    readAccessPoliciesAt: (tenantIdentity, atMs) =>
      reader.readTenant(tenantIdentity, (snapshot, entries) =>
        readAccessPoliciesAt({ snapshot, tenantIdentity, uncommitted: ofType(entries, 'access_policy') }, atMs),
      ),
    ...createSubjectReads(reader),
  };
};
