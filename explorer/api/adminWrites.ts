// Changes of who has access.
import type { components } from '../../server/openapi/api.gen.ts';
import { uuidOf } from '../text/names.ts';
import {
  type AccessPolicyAnswer,
  type ApplicationAnswer,
  fetchAccessPolicy,
  fetchRootPrincipals,
  type PrincipalAnswer,
  type SubjectAnswer,
} from './admin.ts';
import { ApiError, api, receive } from './client.ts';

type Schemas = components['schemas'];
export type ApplicationEntries = Schemas['NewApplication'];
export type SubjectEntries = Schemas['NewSubject'];
export type AccessPolicyEntries = Schemas['NewAccessPolicy'];

const at = (uuid: string) => ({ params: { path: { uuid } } });
const once = (key: string) => ({ params: { header: { 'Idempotency-Key': key } } });

const isSame = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

// What differs from what was shown: the rest may have been changed by somebody else meanwhile, and stays.
const toChanges = <T extends object>(shown: object, entries: T): Partial<T> =>
  Object.fromEntries(
    Object.entries(entries).filter(([name, value]) => !isSame(value, (shown as Record<string, unknown>)[name])),
  ) as Partial<T>;

/** Creates an application. The answer is the only one with its secret. */
export const submitApplication = async (body: ApplicationEntries): Promise<ApplicationAnswer> =>
  (await receive(api.POST('/iam/v1/applications', { body }))).body;

/** Changes an application, as far as the entries differ from what was shown. */
export const changeApplication = async (shown: ApplicationAnswer, entries: ApplicationEntries): Promise<void> => {
  const body = toChanges(shown, entries);
  await receive(api.PATCH('/iam/v1/applications/{uuid}', { ...at(shown.client_id), body }));
};

/** Replaces an application's secret. The answer is the only one with the new one. */
export const replaceSecret = async (uuid: string): Promise<ApplicationAnswer> =>
  (await receive(api.POST('/iam/v1/applications/{uuid}:regenerate-secret', at(uuid)))).body;

/** Deletes an application. */
export const removeApplication = async (uuid: string): Promise<void> => {
  await receive(api.DELETE('/iam/v1/applications/{uuid}', at(uuid)));
};

/** Creates a subject. The same key always creates the same one. */
export const submitSubject = async (body: SubjectEntries, key: string): Promise<SubjectAnswer> =>
  (await receive(api.POST('/iam/v1/subjects', { ...once(key), body }))).body;

/** Changes a subject, as far as the entries differ from what was shown. */
export const changeSubject = async (shown: SubjectAnswer, entries: SubjectEntries): Promise<void> => {
  const body = toChanges(shown, entries);
  await receive(api.PATCH('/iam/v1/subjects/{uuid}', { ...at(uuidOf(shown.identity)), body }));
};

/** Deletes a subject. */
export const removeSubject = async (uuid: string): Promise<void> => {
  await receive(api.DELETE('/iam/v1/subjects/{uuid}', at(uuid)));
};

/** The error where somebody else has changed meanwhile what would be replaced. */
const toChangedMeanwhile = (what: string): ApiError =>
  new ApiError(
    409,
    'CHANGED_MEANWHILE',
    `Somebody has changed ${what} meanwhile. Nothing was sent; look at it as it is now.`,
  );

/**
 * Replaces the root principals, unless they aren't those that were shown any more. Two changes in the same moment are
 * the server's matter: it makes them one after the other.
 */
export const replaceRootPrincipals = async (
  shown: readonly PrincipalAnswer[],
  next: readonly PrincipalAnswer[],
): Promise<void> => {
  if (!isSame(await fetchRootPrincipals(null), shown)) throw toChangedMeanwhile('the list');
  const body = { root_principals: [...next] };
  await receive(api.PATCH('/v1/tenancies/root_principals', { body }));
};

/** Creates an access policy. The same key always creates the same one. */
export const submitAccessPolicy = async (body: AccessPolicyEntries, key: string): Promise<AccessPolicyAnswer> =>
  (await receive(api.POST('/iam/v1/access_policies', { ...once(key), body }))).body;

/** Changes an access policy, unless it isn't what was shown any more. */
export const changeAccessPolicy = async (
  uuid: string,
  shown: AccessPolicyAnswer,
  body: AccessPolicyEntries,
): Promise<AccessPolicyAnswer> => {
  if (!isSame(await fetchAccessPolicy(uuid, null), shown)) throw toChangedMeanwhile('the policy');
  return (await receive(api.PATCH('/iam/v1/access_policies/{uuid}', { ...at(uuid), body }))).body;
};

/** Deletes an access policy. */
export const removeAccessPolicy = async (uuid: string): Promise<void> => {
  await receive(api.DELETE('/iam/v1/access_policies/{uuid}', at(uuid)));
};
