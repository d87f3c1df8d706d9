// Assigns an id to every request and reports its outcome, for logs and metrics. The report contains nothing that only
// the client may know: no header, query or body, and of the path only the segments that the document has.
import { randomUUID } from 'node:crypto';
import type { Request, Response } from 'express';
import type { ApiDocument } from '../openapi/document.ts';
import type { Caller } from '../openapi/handlers.ts';

/** The outcome of a request. */
export interface AnsweredRequest {
  readonly requestId: string;
  readonly method: string;
  /** The path, with `*` for segments that are neither in the document nor a UUID. */
  readonly path: string;
  /** The operation of the document, or `healthz`, `readyz`, `checkpoint`, `tile`, `rpc`; undefined for others. */
  readonly operationId: string | undefined;
  readonly status: number;
  /** Whether the complete answer was sent. */
  readonly isComplete: boolean;
  readonly durationMs: number;
  /** Undefined without an authenticated caller. */
  readonly tenantIdentity: string | undefined;
  readonly subject: string | undefined;
  readonly address: string;
  /** Why its credentials were refused, without anything of them but the issuer; undefined: they weren't. */
  readonly refusal: string | undefined;
}

const REQUEST_ID = /^[A-Za-z0-9._-]{1,64}$/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const OTHER_SEGMENTS = ['docs', 'healthz', 'readyz', 'openapi.json', 'checkpoint', 'tile', '-'];
const EXPLORER_SEGMENTS = ['admin', 'check', 'node', 'p', 'policies', 'rpc', 'sign-in', 'ui'];
const SEPARATORS = /([/:])/;

/** Returns a function that replaces the segments of a path that may contain anything by `*`. */
export const createPathRedaction = (document: Pick<ApiDocument, 'paths' | 'servers'>): ((path: string) => string) => {
  const items = Object.entries(document.paths);
  const servers = [...document.servers, ...items.flatMap(([, item]) => item.servers ?? [])];
  const known = [...items.map(([path]) => path), ...servers.map(({ url }) => url)].flatMap((path) =>
    path.split(SEPARATORS).filter((segment) => !segment.startsWith('{')),
  );
  const shown = new Set([...known, ...OTHER_SEGMENTS, ...EXPLORER_SEGMENTS]);
  return (path) =>
    path
      .split(SEPARATORS)
      .map((segment) => (shown.has(segment) || UUID.test(segment) ? segment : '*'))
      .join('');
};

const toRequestId = (given: string | string[] | undefined): string =>
  typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();

const toPath = (target: string): string => target.split('?', 1)[0]!;

interface Locals {
  readonly operationId?: string;
  readonly caller?: Caller;
  readonly refusal?: string;
}

/** Observes a request until its answer was sent, or its client disconnected. */
export type Observe = (request: Request, response: Response) => void;

/**
 * Returns a function to call first for every request. It keeps a well-formed `X-Request-Id` (at most 64 letters,
 * digits, `.`, `_`, `-`), otherwise it assigns a new id; the answer has the id in the same header (commonHeaders.ts).
 */
export const createObserve = (
  document: ApiDocument,
  onAnswered: (answered: AnsweredRequest) => void = () => undefined,
): Observe => {
  const redact = createPathRedaction(document);
  return (request, response) => {
    const beganMs = performance.now();
    const requestId = toRequestId(request.headers['x-request-id']);
    // Only while its connection is open does a request have an address.
    const address = request.ip ?? '';
    response.locals.requestId = requestId;
    response.once('close', () => {
      const { operationId, caller, refusal } = response.locals as Locals;
      onAnswered({
        requestId,
        method: request.method,
        // Metrics and most levels of the log don't read it.
        get path() {
          return redact(toPath(request.originalUrl));
        },
        operationId,
        status: response.statusCode,
        isComplete: response.writableFinished,
        durationMs: performance.now() - beganMs,
        tenantIdentity: caller?.tenantIdentity,
        subject: caller?.principal.subject,
        address,
        refusal,
      });
    });
  };
};
