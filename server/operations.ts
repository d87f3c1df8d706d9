// The handler of every operation of the document; one that is missing, or answers something else, does not compile.
import { createApplicationVersions } from './applicationVersions.ts';
import type { ServerDeps } from './deps.ts';
import type { ApiDocument } from './document.ts';
import { createRunExclusively } from './exclusive.ts';
import { limitGuesses } from './guessLimits.ts';
import type { Handlers } from './handlers.ts';
import { checkCompliance } from './operations/checkCompliance.ts';
import { createApplication } from './operations/createApplication.ts';
import { createAsset } from './operations/createAsset.ts';
import { createBlob } from './operations/createBlob.ts';
import { createEvent } from './operations/createEvent.ts';
import { createLocation } from './operations/createLocation.ts';
import { createPolicy } from './operations/createPolicy.ts';
import { deleteApplication } from './operations/deleteApplication.ts';
import { deletePolicy } from './operations/deletePolicy.ts';
import { getApplication } from './operations/getApplication.ts';
import { getAsset } from './operations/getAsset.ts';
import { getAssetPublicUrl } from './operations/getAssetPublicUrl.ts';
import { getAttachment } from './operations/getAttachment.ts';
import { getAttachmentInfo } from './operations/getAttachmentInfo.ts';
import { getBlob } from './operations/getBlob.ts';
import { getBlobInfo } from './operations/getBlobInfo.ts';
import { getComplianceDocument } from './operations/getComplianceDocument.ts';
import { getCompliancePage } from './operations/getCompliancePage.ts';
import { getEvent } from './operations/getEvent.ts';
import { getEventPublicUrl } from './operations/getEventPublicUrl.ts';
import { getJwks } from './operations/getJwks.ts';
import { getLocation } from './operations/getLocation.ts';
import { getNode } from './operations/getNode.ts';
import { getPolicy } from './operations/getPolicy.ts';
import { getPolicyCaps } from './operations/getPolicyCaps.ts';
import { getPublicAsset } from './operations/getPublicAsset.ts';
import { getPublicAttachment } from './operations/getPublicAttachment.ts';
import { getPublicAttachmentInfo } from './operations/getPublicAttachmentInfo.ts';
import { getPublicEvent } from './operations/getPublicEvent.ts';
import { getRootPrincipals } from './operations/getRootPrincipals.ts';
import { getTenantPublicInfo } from './operations/getTenantPublicInfo.ts';
import { issueToken } from './operations/issueToken.ts';
import { listApplications } from './operations/listApplications.ts';
import { listAssets } from './operations/listAssets.ts';
import { listBlobs } from './operations/listBlobs.ts';
import { listEvents } from './operations/listEvents.ts';
import { listLocations } from './operations/listLocations.ts';
import { listPolicies } from './operations/listPolicies.ts';
import { listPublicEvents } from './operations/listPublicEvents.ts';
import { regenerateSecret } from './operations/regenerateSecret.ts';
import { updateApplication } from './operations/updateApplication.ts';
import { updateLocation } from './operations/updateLocation.ts';
import { updateRootPrincipals } from './operations/updateRootPrincipals.ts';

export const operations = (deps: ServerDeps, document: ApiDocument) => {
  // Whatever changes who may do what in a tenant waits for one another.
  const runExclusively = createRunExclusively();
  const applicationVersions = createApplicationVersions(deps, runExclusively);
  return {
    createAsset: createAsset(deps),
    listAssets: listAssets(deps),
    getAsset: getAsset(deps),
    createEvent: createEvent(deps),
    listEvents: listEvents(deps),
    getEvent: getEvent(deps),
    getAssetPublicUrl: getAssetPublicUrl(deps),
    getEventPublicUrl: getEventPublicUrl(deps),
    getPublicAsset: getPublicAsset(deps),
    listPublicEvents: listPublicEvents(deps),
    getPublicEvent: getPublicEvent(deps),
    createLocation: createLocation(deps),
    listLocations: listLocations(deps),
    getLocation: getLocation(deps),
    updateLocation: updateLocation(deps),
    createBlob: createBlob(deps),
    listBlobs: listBlobs(deps),
    getBlob: getBlob(deps),
    getBlobInfo: getBlobInfo(deps),
    getAssetAttachment: getAttachment(deps),
    getAssetAttachmentInfo: getAttachmentInfo(deps),
    getEventAttachment: getAttachment(deps),
    getEventAttachmentInfo: getAttachmentInfo(deps),
    getPublicAssetAttachment: getPublicAttachment(deps),
    getPublicAssetAttachmentInfo: getPublicAttachmentInfo(deps),
    getPublicEventAttachment: getPublicAttachment(deps),
    getPublicEventAttachmentInfo: getPublicAttachmentInfo(deps),
    createPolicy: createPolicy(deps),
    listPolicies: listPolicies(deps),
    getPolicy: getPolicy(deps),
    deletePolicy: deletePolicy(deps),
    getNode: getNode(deps),
    getArchivistNode: getNode(deps),
    getPolicyCaps: getPolicyCaps(deps),
    getComplianceDocument: getComplianceDocument(document),
    getCompliancePage: getCompliancePage(),
    checkCompliance: checkCompliance(deps),
    issueToken: limitGuesses(deps.rates?.tokenFailuresPerMinute ?? 0, issueToken(deps)),
    getJwks: getJwks(deps),
    getRootPrincipals: getRootPrincipals(deps),
    updateRootPrincipals: updateRootPrincipals(deps, runExclusively),
    getTenantPublicInfo: getTenantPublicInfo(deps),
    createApplication: createApplication(deps, runExclusively),
    listApplications: listApplications(deps),
    getApplication: getApplication(deps),
    updateApplication: updateApplication(applicationVersions),
    deleteApplication: deleteApplication(applicationVersions),
    regenerateSecret: regenerateSecret(applicationVersions),
  } satisfies Handlers;
};
