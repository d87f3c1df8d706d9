// Turns refusals into responses (decision 8). A code of the catalogue without a status does not compile.
import type { ErrorRequestHandler, Response } from 'express';
import { CATALOGUE, LedgerError, type LedgerErrorCode } from '../../ledger/errors.ts';
import { isBasic } from '../auth/basicCredentials.ts';
import type { components } from '../openapi/api.gen.ts';
import { toAcceptEncoding } from './bodyBytes.ts';

/** The body of every refusal. */
export type Problem = components['schemas']['Problem'];

/** The HTTP status of each error code. */
export const STATUS = {
  REQUEST_INVALID: 400,
  ATTRIBUTE_INVALID: 400,
  IDENTITY_INVALID: 400,
  TIMESTAMP_INVALID: 400,
  BEHAVIOUR_UNKNOWN: 400,
  BEHAVIOUR_NOT_LISTED: 400,
  BEHAVIOUR_NOT_REMOVABLE: 400,
  OPERATION_UNKNOWN: 400,
  EVENT_ATTRIBUTE_MISSING: 400,
  ASSET_ATTRIBUTE_MISSING: 400,
  ATTACHMENT_INVALID: 400,
  LOCATION_UNKNOWN: 400,
  SUBJECT_UNKNOWN: 400,
  SUBJECT_OWN: 400,
  WALLET_KEY_INVALID: 400,
  SUBJECT_UNCHANGEABLE: 400,
  SUBJECT_QUOTA_REACHED: 402,
  COORDINATE_INVALID: 400,
  POLICY_INVALID: 400,
  POLICY_QUOTA_REACHED: 402,
  POLICY_WEIGHT_REACHED: 402,
  ACCESS_POLICY_INVALID: 400,
  ACCESS_POLICY_QUOTA_REACHED: 402,
  ROOT_PRINCIPALS_INVALID: 400,
  APPLICATION_INVALID: 400,
  APPLICATION_QUOTA_REACHED: 402,
  BLOB_EMPTY: 400,
  BLOB_QUOTA_REACHED: 402,
  BLOB_NOT_SCANNED: 400,
  PAGE_TOKEN_INVALID: 400,
  SUBJECT_AMBIGUOUS: 409,
  ASSET_AMBIGUOUS: 409,
  VERSION_CONFLICT: 409,
  CONTRIBUTION_WITHOUT_EFFECT: 409,
  IDEMPOTENCY_CONFLICT: 409,
  IDEMPOTENCY_SECRET_GONE: 409,
  RECORD_TOO_LARGE: 413,
  ASSET_TOO_LARGE: 413,
  REQUEST_TOO_LARGE: 413,
  REQUEST_MALFORMED: 400,
  REQUEST_TIMEOUT: 408,
  HEADERS_TOO_LARGE: 431,
  MEDIA_TYPE_UNSUPPORTED: 415,
  RATE_LIMITED: 429,
  STREAM_LIMIT_REACHED: 429,
  STREAMS_BUSY: 503,
  METHOD_NOT_ALLOWED: 405,
  UNAUTHENTICATED: 401,
  ISSUER_UNAVAILABLE: 503,
  CLIENT_REFUSED: 401,
  SIGN_IN_LINK_REFUSED: 403,
  FORBIDDEN: 403,
  CONTRIBUTION_FORBIDDEN: 403,
  ROUTE_NOT_FOUND: 404,
  ASSET_NOT_FOUND: 404,
  EVENT_NOT_FOUND: 404,
  LOCATION_NOT_FOUND: 404,
  SUBJECT_NOT_FOUND: 404,
  POLICY_NOT_FOUND: 404,
  ACCESS_POLICY_NOT_FOUND: 404,
  BLOB_NOT_FOUND: 404,
  ATTACHMENT_MISMATCH: 409,
  ATTACHMENT_NOT_FOUND: 404,
  APPLICATION_NOT_FOUND: 404,
  TENANT_NOT_FOUND: 404,
  TENANT_EXISTS: 409,
  IDENTITY_PRESENT: 409,
  RECORD_NOT_ALONE: 409,
  EVIDENCE_INCOMPLETE: 409,
  EVIDENCE_TOO_LARGE: 413,
  CODE_UNPROVEN: 503,
  EVIDENCE_RESTRICTED: 403,
  BLOB_DAMAGED: 500,
  BLOB_ELSEWHERE: 404,
  EVIDENCE_PENDING: 503,
  PRECONDITION_FAILED: 412,
  RANGE_NOT_SATISFIABLE: 416,
  UPLOADS_BUSY: 503,
  STORAGE_RESERVED: 507,
  RECORD_QUOTA_REACHED: 429,
  MEMORY_RESERVED: 503,
  STORAGE_FULL: 503,
  OUTBOX_FULL: 503,
  INDEX_DAMAGED: 500,
  INDEX_REBUILDING: 503,
  OUTBOX_CORRUPT: 500,
  CHAIN_UNAVAILABLE: 503,
  CONTRACT_NOT_FOUND: 503,
  CONTRACT_PENDING: 503,
  CONTRACT_UNKNOWN: 503,
  CHAIN_MISMATCH: 503,
  CHAIN_REPLACED: 503,
  AUTHOR_UNPROVED: 503,
  AUTHOR_UNAVAILABLE: 503,
  TENANT_PENDING: 503,
  RELAYER_UNFUNDED: 503,
  CHAIN_CORRUPT: 500,
  LOG_CORRUPT: 500,
  TRANSACTION_REFUSED: 500,
  STOPPING: 503,
  STARTING: 503,
} as const satisfies Record<LedgerErrorCode, number>;

type Status = (typeof STATUS)[LedgerErrorCode];

/** The `code` of a problem by its status. */
export const GRPC_CODE: Readonly<Record<Status, number>> = {
  400: 3,
  401: 16,
  402: 8,
  403: 7,
  404: 5,
  405: 12,
  408: 4,
  409: 6,
  412: 9,
  413: 8,
  415: 3,
  416: 11,
  429: 8,
  431: 8,
  500: 13,
  503: 14,
  507: 8,
};

const RETRY_AFTER_MS = 1_000;
const toRetryAfter = (ms: number): string => String(Math.max(1, Math.ceil(ms / 1000)));

const HEADERS: Readonly<Partial<Record<Status, (retryAfterMs: number) => Readonly<Record<string, string>>>>> = {
  401: () => ({ 'www-authenticate': 'Bearer' }),
  // The existing client waits for the time in the second header.
  429: (ms) => ({ 'retry-after': toRetryAfter(ms), 'archivist-rate-limit-reset': (Math.max(1, ms) / 1000).toFixed(3) }),
  503: (ms) => ({ 'retry-after': toRetryAfter(ms) }),
};

/** The body of an unexpected error, which reveals nothing about it. */
const UNEXPECTED: Problem = { code: GRPC_CODE[500], message: 'Unexpected error', details: [] };

const toDetails = ({ code, violations }: LedgerError): Problem['details'] =>
  violations.length === 0 ? [{ error: code }] : violations.map((violation) => ({ error: code, ...violation }));

/** The body of a refusal. */
export const toProblem = (error: LedgerError): Problem => ({
  code: GRPC_CODE[STATUS[error.code]],
  message: error.violations.length > 0 ? error.message : CATALOGUE[error.code],
  details: toDetails(error),
});

// A code with status 500 is reported to the operator and not shown to the client. These are exceptions: they are
// reported where the damage is found, and a client may repeat its request.
const SHOWN: readonly LedgerErrorCode[] = ['INDEX_DAMAGED', 'BLOB_DAMAGED'];

/** Whether clients see this code. */
export const isShown = (code: LedgerErrorCode): boolean => STATUS[code] !== 500 || SHOWN.includes(code);

const isRefusal = (error: unknown): error is LedgerError => error instanceof LedgerError && isShown(error.code);

/** The status and body with which an error is answered. */
export const toProblemAnswer = (error: unknown): { readonly status: number; readonly problem: Problem } =>
  isRefusal(error) ? { status: STATUS[error.code], problem: toProblem(error) } : { status: 500, problem: UNEXPECTED };

/** Whether an error is reported to the operator, because its answer doesn't describe it. */
export const isReported = (error: unknown): boolean => !isRefusal(error);

const toDescription = ({ violations }: LedgerError): string =>
  violations.map(({ description }) => `, error_description="the token ${description}"`).join('');

// Only a request with a token has an error (RFC 6750 section 3.1).
const toTokenChallenge = (error: LedgerError, authorization = ''): Readonly<Record<string, string>> =>
  error.code === 'UNAUTHENTICATED' && /^bearer +\S/i.test(authorization)
    ? { 'www-authenticate': `Bearer error="invalid_token"${toDescription(error)}` }
    : {};

// Names the scheme with which the client tried (RFC 6749 section 5.2); to others, browsers would show a dialog.
const toBasicChallenge = (
  { code }: LedgerError,
  authorization: string | undefined,
): Readonly<Record<string, string>> =>
  code === 'CLIENT_REFUSED' && isBasic(authorization) ? { 'www-authenticate': 'Basic realm="token"' } : {};

const answerProblem = (response: Response, error: LedgerError): void => {
  const status = STATUS[error.code];
  response
    .status(status)
    .set(HEADERS[status]?.(error.retryAfterMs ?? RETRY_AFTER_MS) ?? {})
    .set(toTokenChallenge(error, response.req.headers.authorization))
    .set(toBasicChallenge(error, response.req.headers.authorization))
    .set(toAcceptEncoding(error))
    .json(toProblem(error));
};

/** The last middleware: answers a refusal with its problem; reports any other error and answers it with a bare 500. */
export const createProblemResponder =
  (onUnexpectedError: (error: unknown, requestId?: string) => void): ErrorRequestHandler =>
  (error: unknown, _request, response, next) => {
    if (!isRefusal(error)) onUnexpectedError(error, response.locals.requestId as string | undefined);
    if (response.headersSent) next(error);
    else if (isRefusal(error)) answerProblem(response, error);
    else response.status(500).json(UNEXPECTED);
  };
