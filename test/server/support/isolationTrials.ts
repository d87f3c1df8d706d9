// The requests of every operation of the document that refer to records of another tenant, in each place where a
// request can refer to a record.
import type { ApiOperation } from '../../../server/openapi/document.ts';
import type { OperationId } from '../../../server/openapi/operationIds.ts';
import { anAccessPolicy, aPolicy, aRecord, aSubject } from './requests.ts';
import { KEY, type Names, toAttach } from './tenantRecords.ts';
import type { RequestOptions } from './testServer.ts';
import { MULTIPART_TYPE, toBody } from './uploads.ts';

export interface Trial {
  /** The path without the prefix. */
  readonly path: string;
  readonly options?: RequestOptions;
}

/** The requests of one operation. */
export interface Trials {
  /**
   * Requests of the second tenant that name records of the first tenant. The response must be the same as for unknown
   * records.
   */
  readonly named: (of: Names, own: Names) => readonly Trial[];
  /** A request about the caller's own tenant or no tenant. The response must not show records of another tenant. */
  readonly own?: Trial;
}

const read = (...paths: ((of: Names, own: Names) => string)[]): Trials => ({
  named: (of, own) => paths.map((toPath) => ({ path: toPath(of, own) })),
});
const onlyOwn = (path: string, options: RequestOptions = {}): Trials => ({ named: () => [], own: { path, options } });
const change = (toPath: (of: Names) => string, json: object | undefined): Trials => ({
  named: (of) => [{ path: toPath(of), options: json === undefined ? {} : { json } }],
});

const file = toBody('another file', 'text/plain');
const uploading = { body: new Uint8Array(file), headers: { 'content-type': MULTIPART_TYPE } };

const download = (toPath: (of: Names) => string): Trials => ({
  named: (of) =>
    [{}, { 'if-none-match': `"${of.sha256}"` }, { 'if-match': `"${of.sha256}"` }, { range: 'bytes=0-1' }].map(
      (headers) => ({ path: toPath(of), options: { headers } }),
    ),
});

const home = (of: Names) => ({ arc_home_location_identity: `locations/${of.location}` });
const form = ({ application }: Names): RequestOptions => ({
  body: `grant_type=client_credentials&client_id=${application}&client_secret=guessed`,
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
});
const asLines = (...lines: object[]): RequestOptions => ({
  body: lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
  headers: { 'content-type': 'application/x-ndjson' },
});
const ATTACHMENTS = '/v2/attachments';

/** The requests of every operation; an operation without an entry does not compile. */
export const TRIALS: Readonly<Record<OperationId, Trials>> = {
  createAsset: {
    named: (of) => [{ path: '/v2/assets', options: { json: { attributes: home(of) } } }],
    own: { path: '/v2/assets', options: { json: {} } },
  },
  listAssets: {
    named: (of) => [{ path: `/v2/assets?attributes.arc_home_location_identity=locations/${of.location}` }],
    own: { path: '/v2/assets?tracked=ANY' },
  },
  getAsset: read(
    (of) => `/v2/assets/${of.asset}`,
    (of) => `/v2/assets/${of.asset}?at_time=2027-01-01T00:00:00Z`,
  ),
  getAssetPublicUrl: read((of) => `/v2/assets/${of.asset}:publicurl`),
  getAssetEvidence: read(
    (of) => `/v2/assets/${of.asset}:evidence`,
    (of) => `/v2/assets/${of.asset}:evidence?from=1&to=1`,
    (of) => `/v2/assets/${of.asset}:evidence?records=true`,
  ),
  getEventEvidence: read(
    (of) => `/v2/assets/${of.asset}/events/${of.event}:evidence`,
    (of, own) => `/v2/assets/${own.asset}/events/${of.event}:evidence`,
  ),
  getPublicAssetEvidence: read((of) => `/v2/publicassets/${of.asset}:evidence`),
  getAbsenceEvidence: read((of) => `/v1/absence:evidence?identity=assets/${of.asset}`),
  getVerdictEvidence: read(
    (of) => `/v1/compliance/assets/${of.asset}:evidence?policy=${of.policy}`,
    (of, own) => `/v1/compliance/assets/${own.asset}:evidence?policy=${of.policy}`,
  ),
  getTenantEvidence: onlyOwn('/v1/tenancies/3f0e9f6c-8d1c-4a55-9a0e-5f4f3f0d7a11:evidence'),
  createEvent: {
    named: (of, own) => [
      { path: `/v2/assets/${of.asset}/events`, options: { json: aRecord() } },
      { path: `/v2/assets/${own.asset}/events`, options: { json: toAttach(of) } },
      { path: `/v2/assets/${own.asset}/events`, options: { json: toAttach({ ...of, sha256: own.sha256 }) } },
      { path: `/v2/assets/${own.asset}/events`, options: { json: aRecord({ asset_attributes: home(of) }) } },
    ],
  },
  createEvents: {
    named: (of, own) => [
      {
        path: '/v2/events:bulk',
        options: asLines(
          { asset_identity: `assets/${of.asset}`, ...aRecord() },
          { asset_identity: `assets/${of.asset}`, idempotency_key: KEY, ...aRecord() },
          { asset_identity: `assets/${own.asset}`, ...toAttach(of) },
          { asset_identity: `assets/${own.asset}`, ...aRecord({ asset_attributes: home(of) }) },
        ),
      },
    ],
  },
  exportEvents: {
    named: (of, own) => [
      { path: `/v2/events:export?asset_identity=assets/${of.asset}` },
      { path: `/v2/events:export?after=assets/${of.asset}/events/${of.event}` },
      {
        path: `/v2/events:export?asset_identity=assets/${own.asset}&after=assets/${of.asset}/events/${of.event}`,
      },
    ],
    own: { path: '/v2/events:export' },
  },
  listEvents: {
    named: (of) => [
      { path: `/v2/assets/${of.asset}/events` },
      { path: `/v2/assets/${of.asset}/events?order_by=SIMPLEHASHV1` },
      { path: `/v2/assets/-/events?principal_accepted.subject=${of.application}` },
    ],
    own: { path: '/v2/assets/-/events' },
  },
  streamEvents: read((of) => `/v2/assets/${of.asset}/events:stream`),
  getEvent: read(
    (of) => `/v2/assets/${of.asset}/events/${of.event}`,
    (of, own) => `/v2/assets/${own.asset}/events/${of.event}`,
  ),
  getEventPublicUrl: read((of) => `/v2/assets/${of.asset}/events/${of.event}:publicurl`),
  getPublicAsset: read((of) => `/v2/publicassets/${of.asset}`),
  listPublicEvents: read((of) => `/v2/publicassets/${of.asset}/events`),
  getPublicEvent: read((of) => `/v2/publicassets/${of.asset}/events/${of.event}`),
  createLocation: onlyOwn('/v2/locations', { json: { display_name: 'x', latitude: 1, longitude: 1 } }),
  listLocations: onlyOwn('/v2/locations'),
  getLocation: read((of) => `/v2/locations/${of.location}`),
  updateLocation: change((of) => `/v2/locations/${of.location}`, { display_name: 'taken' }),
  deleteLocation: change((of) => `/v2/locations/${of.location}`, undefined),
  createBlob: onlyOwn('/v1/blobs', uploading),
  listBlobs: read((of) => `/v1/blobs?hash=${of.sha256}`),
  getBlob: download((of) => `/v1/blobs/${of.blob}`),
  getBlobInfo: read((of) => `/v1/blobs/${of.blob}/info`),
  getAssetAttachment: download((of) => `${ATTACHMENTS}/assets/${of.asset}/${of.blob}`),
  getAssetAttachmentInfo: read(
    (of) => `${ATTACHMENTS}/assets/${of.asset}/${of.blob}/info`,
    (of, own) => `${ATTACHMENTS}/assets/${own.asset}/${of.blob}/info`,
  ),
  getEventAttachment: download((of) => `${ATTACHMENTS}/assets/${of.asset}/events/${of.event}/${of.blob}`),
  getEventAttachmentInfo: read((of) => `${ATTACHMENTS}/assets/${of.asset}/events/${of.event}/${of.blob}/info`),
  getPublicAssetAttachment: download((of) => `${ATTACHMENTS}/publicassets/${of.asset}/${of.blob}`),
  getPublicAssetAttachmentInfo: read((of) => `${ATTACHMENTS}/publicassets/${of.asset}/${of.blob}/info`),
  getPublicEventAttachment: download((of) => `${ATTACHMENTS}/publicassets/${of.asset}/events/${of.event}/${of.blob}`),
  getPublicEventAttachmentInfo: read(
    (of) => `${ATTACHMENTS}/publicassets/${of.asset}/events/${of.event}/${of.blob}/info`,
  ),
  getLegacyPublicAssetAttachment: download((of) => `${ATTACHMENTS}/v2/publicassets/${of.asset}/${of.blob}`),
  getLegacyPublicAssetAttachmentInfo: read((of) => `${ATTACHMENTS}/v2/publicassets/${of.asset}/${of.blob}/info`),
  getLegacyPublicEventAttachment: download(
    (of) => `${ATTACHMENTS}/v2/publicassets/${of.asset}/events/${of.event}/${of.blob}`,
  ),
  getLegacyPublicEventAttachmentInfo: read(
    (of) => `${ATTACHMENTS}/v2/publicassets/${of.asset}/events/${of.event}/${of.blob}/info`,
  ),
  createPolicy: onlyOwn('/v1/compliance_policies', { json: aPolicy() }),
  listPolicies: onlyOwn('/v1/compliance_policies'),
  getPolicy: read((of) => `/v1/compliance_policies/${of.policy}`),
  deletePolicy: change((of) => `/v1/compliance_policies/${of.policy}`, undefined),
  getPolicyCaps: onlyOwn('/v1/compliance_policies:caps'),
  getCaps: onlyOwn('/v1/caps?service=blobs'),
  getAssetCaps: onlyOwn('/v2/assets:caps'),
  getLocationCaps: onlyOwn('/v2/locations:caps'),
  getBlobCaps: onlyOwn('/v1/blobs:caps'),
  getApplicationCaps: onlyOwn('/iam/v1/applications:caps'),
  getComplianceDocument: onlyOwn('/v1/compliance_policies:openapi'),
  getCompliancePage: onlyOwn('/v1/compliance_policies:openapi-ui'),
  tryPolicy: change((of) => `/v1/compliance/assets/${of.asset}:try`, aPolicy()),
  checkAssets: {
    named: (of) => [
      { path: '/v1/compliance/assets:check', options: { json: { asset_identities: [`assets/${of.asset}`] } } },
    ],
  },
  checkCompliance: read((of) => `/v1/compliance/assets/${of.asset}`),
  issueToken: { named: (of) => [{ path: '/iam/v1/appidp/token', options: form(of) }] },
  getNode: onlyOwn('/v1/node'),
  getArchivistNode: onlyOwn('/v1/archivistnode'),
  getJwks: onlyOwn('/.well-known/jwks.json'),
  getRootPrincipals: onlyOwn('/v1/tenancies/root_principals'),
  updateRootPrincipals: onlyOwn('/v1/tenancies/root_principals', { json: { root_principals: [] } }),
  getOwnTenant: onlyOwn('/v1/tenancies/self'),
  // Only the existence of a tenant is public.
  getTenantPublicInfo: onlyOwn('/v1/tenancies/3f0e9f6c-8d1c-4a55-9a0e-5f4f3f0d7a11:publicinfo'),
  createAccessPolicy: onlyOwn('/iam/v1/access_policies', { json: anAccessPolicy() }),
  listAccessPolicies: onlyOwn('/iam/v1/access_policies'),
  getAccessPolicy: read(
    (of) => `/iam/v1/access_policies/${of.accessPolicy}`,
    (of) => `/iam/v1/access_policies/${of.accessPolicy}?at_time=2027-01-01T00:00:00Z`,
  ),
  updateAccessPolicy: change((of) => `/iam/v1/access_policies/${of.accessPolicy}`, { filters: [] }),
  deleteAccessPolicy: change((of) => `/iam/v1/access_policies/${of.accessPolicy}`, undefined),
  listAccessPolicyAssets: read((of) => `/iam/v1/access_policies/${of.accessPolicy}/assets`),
  listAssetAccessPolicies: read(
    (of) => `/iam/v1/assets/${of.asset}/access_policies`,
    (of) => `/iam/v1/assets/${of.asset}/access_policies?at_time=2020-01-01T00:00:00Z`,
  ),
  getAccessPolicyCaps: onlyOwn('/iam/v1/access_policies:caps'),
  createSubject: onlyOwn('/iam/v1/subjects', { json: aSubject() }),
  listSubjects: onlyOwn('/iam/v1/subjects'),
  getSubject: read(
    (of) => `/iam/v1/subjects/${of.subject}`,
    (of) => `/iam/v1/subjects/${of.subject}?at_time=2027-01-01T00:00:00Z`,
    (of) => `/iam/v1/subjects/${of.subject}?at_time=2026-11-20T10:15:00Z`,
  ),
  updateSubject: change((of) => `/iam/v1/subjects/${of.subject}`, { display_name: 'mine' }),
  deleteSubject: change((of) => `/iam/v1/subjects/${of.subject}`, undefined),
  createApplication: onlyOwn('/iam/v1/applications', { json: { display_name: 'x' } }),
  listApplications: onlyOwn('/iam/v1/applications'),
  getApplication: read((of) => `/iam/v1/applications/${of.application}`),
  updateApplication: change((of) => `/iam/v1/applications/${of.application}`, { roles: ['administrator'] }),
  deleteApplication: change((of) => `/iam/v1/applications/${of.application}`, undefined),
  regenerateSecret: change((of) => `/iam/v1/applications/${of.application}:regenerate-secret`, undefined),
};

/** The method with which an operation is tried. The answer to a GET of a stream doesn't end. */
export const toMethod = ({ id, method }: Pick<ApiOperation, 'id' | 'method'>): string =>
  id === 'streamEvents' ? 'head' : method;
