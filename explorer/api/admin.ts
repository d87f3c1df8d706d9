// Who has access: applications, root principals, subjects and access policies.
import type { components } from '../../server/openapi/api.gen.ts';
import { type AssetAnswer, api, receive } from './client.ts';
import { fetchWhole, type ListedPage } from './pages.ts';

type Schemas = components['schemas'];
export type ApplicationAnswer = Schemas['Application'];
export type PrincipalAnswer = Schemas['Principal'];
export type SubjectAnswer = Schemas['Subject'];
export type AccessPolicyAnswer = Schemas['AccessPolicy'];
export type PermissionAnswer = Schemas['AccessPermission'];

/** Most records of a page that a download or a summary reads. */
export const READ_AT_ONCE = 200;

/** Which page of a list. */
export interface PageRequest {
  /** Empty for the first page. */
  readonly pageToken: string;
  readonly size: number;
  /** Only records of exactly this name; empty for all. */
  readonly name?: string;
}

const toQuery = ({ pageToken, size, name = '' }: PageRequest) => ({
  page_size: size,
  page_token: pageToken,
  ...(name === '' ? {} : { display_name: name }),
});

/** Reads a page of the applications, newest first. */
export const fetchApplications = async (
  request: PageRequest,
  signal: AbortSignal,
): Promise<ListedPage<ApplicationAnswer>> => {
  const params = { query: toQuery(request) };
  const { applications, next_page_token } = (await receive(api.GET('/iam/v1/applications', { params, signal }))).body;
  return { records: applications, next: next_page_token };
};

/** Reads a page of the subjects, newest first. */
export const fetchSubjects = async (request: PageRequest, signal: AbortSignal): Promise<ListedPage<SubjectAnswer>> => {
  const params = { query: toQuery(request) };
  const { subjects, next_page_token } = (await receive(api.GET('/iam/v1/subjects', { params, signal }))).body;
  return { records: subjects, next: next_page_token };
};

/** Reads the names of all subjects, by identities. */
export const fetchSubjectNames = async (signal: AbortSignal): Promise<ReadonlyMap<string, string>> => {
  const { records } = await fetchWhole((pageToken) => fetchSubjects({ pageToken, size: READ_AT_ONCE }, signal));
  return new Map(records.map(({ identity, display_name }) => [identity, display_name]));
};

/** UUID of the subject that stands for the caller's own tenant. */
export const OWN_SUBJECT = '00000000-0000-0000-0000-000000000000';

/** Reads a subject, which says whether it is ambiguous. */
export const fetchSubject = async (uuid: string, signal: AbortSignal): Promise<SubjectAnswer> => {
  const params = { path: { uuid } };
  return (await receive(api.GET('/iam/v1/subjects/{uuid}', { params, signal }))).body;
};

/** Reads a page of the access policies, newest first. */
export const fetchAccessPolicies = async (
  request: PageRequest,
  signal: AbortSignal,
): Promise<ListedPage<AccessPolicyAnswer>> => {
  const params = { query: toQuery(request) };
  const { body } = await receive(api.GET('/iam/v1/access_policies', { params, signal }));
  return { records: body.access_policies, next: body.next_page_token };
};

/** Reads an access policy. */
export const fetchAccessPolicy = async (uuid: string, signal: AbortSignal | null): Promise<AccessPolicyAnswer> => {
  const params = { path: { uuid } };
  return (await receive(api.GET('/iam/v1/access_policies/{uuid}', { params, signal }))).body;
};

/** A page of assets, and how many there are in all. */
export interface CoveredAssets extends ListedPage<AssetAnswer> {
  readonly total: number;
}

/** Reads a page of the assets that an access policy is about now. */
export const fetchCoveredAssets = async (
  uuid: string,
  request: PageRequest,
  signal: AbortSignal,
): Promise<CoveredAssets> => {
  const params = {
    path: { uuid },
    query: toQuery(request),
    header: { 'x-request-total-count': 'true' } as const,
  };
  const { body, headers } = await receive(api.GET('/iam/v1/access_policies/{uuid}/assets', { params, signal }));
  return { records: body.assets, next: body.next_page_token, total: Number(headers.get('x-total-count')) };
};

/** Reads the root principals, which only they may. */
export const fetchRootPrincipals = async (signal: AbortSignal | null): Promise<readonly PrincipalAnswer[]> =>
  (await receive(api.GET('/v1/tenancies/root_principals', { signal }))).body.root_principals;

/** Reads how many more records of a kind can be created. */
export const fetchCaps = async (
  service: 'applications' | 'access_policies',
  signal: AbortSignal,
): Promise<number | undefined> => {
  const { body } = await receive(api.GET('/v1/caps', { params: { query: { service } }, signal }));
  const [cap] = body.caps;
  return cap === undefined ? undefined : Number(cap.resource_remaining);
};
