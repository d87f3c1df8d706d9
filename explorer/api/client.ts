// The interface of the server, typed by its document.
import createClient from 'openapi-fetch';
import type { FieldViolation } from '../../ledger/errors.ts';
import type { components, paths } from '../../server/openapi/api.gen.ts';
import { fetchInSession, token } from './session.ts';

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
  /** The fields of the request that are wrong; empty where the error isn't about fields. */
  readonly violations: readonly FieldViolation[];
  /** How long the server asks to wait before the same request; undefined if it doesn't. */
  retryAfterMs: number | undefined;

  constructor(status: number, code: string, message: string, violations: readonly FieldViolation[] = []) {
    super(message);
    this.status = status;
    this.code = code;
    this.violations = violations;
  }
}

/** The error where no answer came. */
export const UNREACHABLE = new ApiError(
  0,
  'UNREACHABLE',
  'The server can’t be reached. Check that it runs, and the network.',
);

/** The server's routes. */
export const api = createClient<paths>({ baseUrl: '/svc', fetch: fetchInSession });

api.use({
  onRequest: ({ request }) => {
    if (token.value !== undefined) request.headers.set('authorization', `Bearer ${token.value}`);
    return request;
  },
});

type Details = Schemas['Problem']['details'];

const toViolations = (details: Details): FieldViolation[] =>
  details.flatMap(({ field, description }) =>
    field === undefined || description === undefined ? [] : [{ field, description }],
  );

// What a token lacks is no matter of a field.
const toMessage = ({ field, description = '' }: FieldViolation): string =>
  field === 'authorization' ? `Your access token ${description}.` : `${field}: ${description}`;

/** The error of an answer with this status and body. */
export const toApiError = (status: number, body: unknown): ApiError => {
  const { details = [], message = `The server answered ${status}.` } = (body ?? {}) as Partial<Schemas['Problem']>;
  const violations = toViolations(details);
  const [first] = violations;
  const text = first === undefined ? (details[0]?.description ?? message) : toMessage(first);
  return new ApiError(status, details[0]?.error ?? 'UNKNOWN', text, violations);
};

// Seconds, or the time at which to ask again (RFC 9110 section 10.2.3).
const toRetryAfterMs = ({ headers }: Response): number | undefined => {
  const text = headers.get('retry-after');
  if (text === null) return undefined;
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
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
  if (data === undefined)
    throw Object.assign(toApiError(response.status, error), { retryAfterMs: toRetryAfterMs(response) });
  return { body: data, headers: response.headers };
};
