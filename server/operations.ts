// The handlers of all operations of the document. A missing handler, or one with another answer than documented, does
// not compile.
import { limitGuesses } from './auth/guessLimits.ts';
import type { ServerDeps } from './deps.ts';
import { createRunExclusively } from './fairness/exclusive.ts';
import type { Handlers } from './openapi/handlers.ts';
import type { ComplianceDocument } from './openapi/readComplianceDocument.ts';
import { createAsset } from './operations/assets/createAsset.ts';
import { getAsset } from './operations/assets/getAsset.ts';
import { getAssetPublicUrl } from './operations/assets/getAssetPublicUrl.ts';
import { listAssets } from './operations/assets/listAssets.ts';
import { createBlob } from './operations/blobs/createBlob.ts';
import { getAttachment } from './operations/blobs/getAttachment.ts';
import { getAttachmentInfo } from './operations/blobs/getAttachmentInfo.ts';
import { getBlob } from './operations/blobs/getBlob.ts';
import { getBlobInfo } from './operations/blobs/getBlobInfo.ts';
import { listBlobs } from './operations/blobs/listBlobs.ts';
import { getCaps, getCapsOf } from './operations/caps/getCaps.ts';
import { checkAssets } from './operations/compliance/checkAssets.ts';
import { checkCompliance } from './operations/compliance/checkCompliance.ts';
import { createPolicy } from './operations/compliance/createPolicy.ts';
import { deletePolicy } from './operations/compliance/deletePolicy.ts';
import { getComplianceDocument } from './operations/compliance/getComplianceDocument.ts';
import { getCompliancePage } from './operations/compliance/getCompliancePage.ts';
import { getPolicy } from './operations/compliance/getPolicy.ts';
import { listPolicies } from './operations/compliance/listPolicies.ts';
import { tryPolicy } from './operations/compliance/tryPolicy.ts';
import { createEvent } from './operations/events/createEvent.ts';
import { createEvents } from './operations/events/createEvents.ts';
import { exportEvents } from './operations/events/exportEvents.ts';
import { getEvent } from './operations/events/getEvent.ts';
import { getEventPublicUrl } from './operations/events/getEventPublicUrl.ts';
import { listEvents } from './operations/events/listEvents.ts';
import { streamEvents } from './operations/events/streamEvents.ts';
import { getAbsenceEvidence } from './operations/evidence/getAbsenceEvidence.ts';
import { getAssetEvidence } from './operations/evidence/getAssetEvidence.ts';
import { getEventEvidence } from './operations/evidence/getEventEvidence.ts';
import { getPublicAssetEvidence } from './operations/evidence/getPublicAssetEvidence.ts';
import { getTenantEvidence } from './operations/evidence/getTenantEvidence.ts';
import { getVerdictEvidence } from './operations/evidence/getVerdictEvidence.ts';
import { createLocation } from './operations/locations/createLocation.ts';
import { deleteLocation } from './operations/locations/deleteLocation.ts';
import { getLocation } from './operations/locations/getLocation.ts';
import { listLocations } from './operations/locations/listLocations.ts';
import { updateLocation } from './operations/locations/updateLocation.ts';
import { getNode } from './operations/node/getNode.ts';
import { getPublicAsset } from './operations/public/getPublicAsset.ts';
import { getPublicAttachment } from './operations/public/getPublicAttachment.ts';
import { getPublicAttachmentInfo } from './operations/public/getPublicAttachmentInfo.ts';
import { getPublicEvent } from './operations/public/getPublicEvent.ts';
import { listPublicEvents } from './operations/public/listPublicEvents.ts';
import { createAccessPolicy } from './operations/sharing/createAccessPolicy.ts';
import { createSubject } from './operations/sharing/createSubject.ts';
import { deleteAccessPolicy } from './operations/sharing/deleteAccessPolicy.ts';
import { deleteSubject } from './operations/sharing/deleteSubject.ts';
import { getAccessPolicy } from './operations/sharing/getAccessPolicy.ts';
import { getSubject } from './operations/sharing/getSubject.ts';
import { listAccessPolicies } from './operations/sharing/listAccessPolicies.ts';
import { listAccessPolicyAssets } from './operations/sharing/listAccessPolicyAssets.ts';
import { listAssetAccessPolicies } from './operations/sharing/listAssetAccessPolicies.ts';
import { listSubjects } from './operations/sharing/listSubjects.ts';
import { updateAccessPolicy } from './operations/sharing/updateAccessPolicy.ts';
import { updateSubject } from './operations/sharing/updateSubject.ts';
import { createApplication } from './operations/tenancy/createApplication.ts';
import { deleteApplication } from './operations/tenancy/deleteApplication.ts';
import { getApplication } from './operations/tenancy/getApplication.ts';
import { getJwks } from './operations/tenancy/getJwks.ts';
import { getOwnTenant } from './operations/tenancy/getOwnTenant.ts';
import { getRootPrincipals } from './operations/tenancy/getRootPrincipals.ts';
import { getTenantPublicInfo } from './operations/tenancy/getTenantPublicInfo.ts';
import { issueToken } from './operations/tenancy/issueToken.ts';
import { listApplications } from './operations/tenancy/listApplications.ts';
import { regenerateSecret } from './operations/tenancy/regenerateSecret.ts';
import { updateApplication } from './operations/tenancy/updateApplication.ts';
import { updateRootPrincipals } from './operations/tenancy/updateRootPrincipals.ts';
import { createAccessPolicyVersions } from './records/accessPolicyVersions.ts';
import { createApplicationVersions } from './records/applicationVersions.ts';
import { createSubjectVersions } from './records/subjectVersions.ts';

const attachmentOperations = (deps: ServerDeps) => ({
  getAssetAttachment: getAttachment(deps),
  getAssetAttachmentInfo: getAttachmentInfo(deps),
  getEventAttachment: getAttachment(deps),
  getEventAttachmentInfo: getAttachmentInfo(deps),
  getPublicAssetAttachment: getPublicAttachment(deps),
  getPublicAssetAttachmentInfo: getPublicAttachmentInfo(deps),
  getPublicEventAttachment: getPublicAttachment(deps),
  getPublicEventAttachmentInfo: getPublicAttachmentInfo(deps),
  getLegacyPublicAssetAttachment: getPublicAttachment(deps),
  getLegacyPublicAssetAttachmentInfo: getPublicAttachmentInfo(deps),
  getLegacyPublicEventAttachment: getPublicAttachment(deps),
  getLegacyPublicEventAttachmentInfo: getPublicAttachmentInfo(deps),
});

const capOperations = (deps: ServerDeps) => ({
  getCaps: getCaps(deps),
  getAssetCaps: getCapsOf(deps, 'assets'),
  getLocationCaps: getCapsOf(deps, 'locations'),
  getBlobCaps: getCapsOf(deps, 'blobs'),
  getPolicyCaps: getCapsOf(deps, 'compliance_policies'),
  getApplicationCaps: getCapsOf(deps, 'applications'),
  getAccessPolicyCaps: getCapsOf(deps, 'access_policies'),
});

const evidenceOperations = (deps: ServerDeps) => ({
  getEventEvidence: getEventEvidence(deps),
  getAssetEvidence: getAssetEvidence(deps),
  getPublicAssetEvidence: getPublicAssetEvidence(deps),
  getAbsenceEvidence: getAbsenceEvidence(deps),
  getTenantEvidence: getTenantEvidence(deps),
  getVerdictEvidence: getVerdictEvidence(deps),
});

const accessPolicyOperations = (deps: ServerDeps) => {
  const versions = createAccessPolicyVersions(deps);
  return {
    createAccessPolicy: createAccessPolicy(deps),
    listAccessPolicies: listAccessPolicies(deps),
    getAccessPolicy: getAccessPolicy(deps),
    updateAccessPolicy: updateAccessPolicy(versions),
    deleteAccessPolicy: deleteAccessPolicy(versions),
    listAccessPolicyAssets: listAccessPolicyAssets(deps),
    listAssetAccessPolicies: listAssetAccessPolicies(deps),
  };
};

/** The handlers by operation id. */
export const operations = (deps: ServerDeps, compliance: ComplianceDocument) => {
  // Changes of a tenant's access (applications, root principals) run one after another.
  const runExclusively = createRunExclusively();
  const runKeyedEvents = createRunExclusively();
  // Changes and deletions of one location too.
  const runLocations = createRunExclusively();
  const applicationVersions = createApplicationVersions(deps, runExclusively);
  const subjectVersions = createSubjectVersions(deps);
  return {
    ...attachmentOperations(deps),
    ...capOperations(deps),
    ...accessPolicyOperations(deps),
    ...evidenceOperations(deps),
    createAsset: createAsset(deps),
    listAssets: listAssets(deps),
    getAsset: getAsset(deps),
    createEvent: createEvent(deps, runKeyedEvents),
    createEvents: createEvents(deps, runKeyedEvents),
    exportEvents: exportEvents(deps),
    listEvents: listEvents(deps),
    streamEvents: streamEvents(deps),
    getEvent: getEvent(deps),
    getAssetPublicUrl: getAssetPublicUrl(deps),
    getEventPublicUrl: getEventPublicUrl(deps),
    getPublicAsset: getPublicAsset(deps),
    listPublicEvents: listPublicEvents(deps),
    getPublicEvent: getPublicEvent(deps),
    createLocation: createLocation(deps),
    listLocations: listLocations(deps),
    getLocation: getLocation(deps),
    updateLocation: updateLocation(deps, runLocations),
    deleteLocation: deleteLocation(deps, runLocations),
    createBlob: createBlob(deps),
    listBlobs: listBlobs(deps),
    getBlob: getBlob(deps),
    getBlobInfo: getBlobInfo(deps),
    createPolicy: createPolicy(deps),
    listPolicies: listPolicies(deps),
    getPolicy: getPolicy(deps),
    deletePolicy: deletePolicy(deps),
    getNode: getNode(deps),
    getArchivistNode: getNode(deps),
    getComplianceDocument: getComplianceDocument(compliance),
    getCompliancePage: getCompliancePage(),
    checkAssets: checkAssets(deps),
    checkCompliance: checkCompliance(deps),
    tryPolicy: tryPolicy(deps),
    issueToken: limitGuesses(deps.rates?.tokenFailuresPerMinute ?? 0, issueToken(deps)),
    getJwks: getJwks(deps),
    getRootPrincipals: getRootPrincipals(deps),
    updateRootPrincipals: updateRootPrincipals(deps, runExclusively),
    getOwnTenant: getOwnTenant(deps),
    getTenantPublicInfo: getTenantPublicInfo(deps),
    createSubject: createSubject(deps),
    listSubjects: listSubjects(deps),
    getSubject: getSubject(deps),
    updateSubject: updateSubject(subjectVersions),
    deleteSubject: deleteSubject(subjectVersions),
    createApplication: createApplication(deps, runExclusively),
    listApplications: listApplications(deps),
    getApplication: getApplication(deps),
    updateApplication: updateApplication(applicationVersions),
    deleteApplication: deleteApplication(applicationVersions),
    regenerateSecret: regenerateSecret(deps, applicationVersions),
  } satisfies Handlers;
};
