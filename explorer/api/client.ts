// The interface of the server, typed by its document.
import createClient from 'openapi-fetch';
import type { components, paths } from '../../server/openapi/api.gen.ts';
import { isExpired, token } from './session.ts';

type Schemas = components['schemas'];
export type AssetAnswer = Schemas['Asset'];
export type LedgerEvent = Schemas['Event'];
export type AttributeMap = Schemas['Attributes'];
export type LocationAnswer = Schemas['Location'];

/** An answer that isn't the one that was asked for. */
export class ApiError extends Error {
  /** HTTP status; 0 when the server could not be reached. */
  readonly status: number;
  /** Code of the error, such as ASSET_NOT_FOUND. */
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** The error where no answer came. */
export const UNREACHABLE = new ApiError(
  0,
  'UNREACHABLE',
  'The server can’t be reached. Check that it runs, and the network.',
);

/** The server's routes. */
export const api = createClient<paths>({ baseUrl: '/svc' });

api.use({
  onRequest: ({ request }) => {
    if (token.value !== undefined) request.headers.set('authorization', `Bearer ${token.value}`);
    return request;
  },
  onResponse: ({ response }) => {
    if (response.status === 401 && token.value !== undefined) isExpired.value = true;
    return response;
  },
});

const toApiError = (status: number, body: unknown): ApiError => {
  const problem = (body ?? {}) as Partial<Schemas['Problem']>;
  const [detail] = problem.details ?? [];
  const field = detail?.field === undefined ? '' : `${detail.field}: `;
  const message = detail?.description ?? problem.message ?? `The server answered ${status}.`;
  return new ApiError(status, detail?.error ?? 'UNKNOWN', `${field}${message}`);
};

interface Answer<T> {
  readonly data?: T;
  readonly error?: unknown;
  readonly response: Response;
}

/** An answer of the server: its body and its headers. Rejects with ApiError for any other. */
export const receive = async <T>(asked: Promise<Answer<T>>): Promise<{ body: T; headers: Headers }> => {
  const { data, error, response } = await asked.catch((cause: unknown) => {
    if ((cause as Error).name === 'AbortError') throw cause;
    throw UNREACHABLE;
  });
  if (data === undefined) throw toApiError(response.status, error);
  return { body: data, headers: response.headers };
};
