// The headers of every answer: the id of its request, and those that forbid browsers to do anything with it. Pages and
// downloads that a browser shows set a policy of their own.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Response } from 'express';
import helmet from 'helmet';

const setByHelmet = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { 'default-src': ["'none'"], 'base-uri': ["'none'"], 'frame-ancestors': ["'none'"] },
  },
  // Browsers apply it over HTTPS only. This server doesn't decide for other hosts of the domain.
  strictTransportSecurity: { includeSubDomains: false },
  xFrameOptions: { action: 'deny' },
  // For plug-ins and browsers that no longer exist.
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
  xDnsPrefetchControl: false,
  // createExpress disables it.
  xPoweredBy: false,
});

// None of them depends on the request, so helmet runs once.
const collectHeaders = (): ReadonlyMap<string, string> => {
  const headers = new Map<string, string>();
  const response = { setHeader: (name: string, value: string) => headers.set(name, value) };
  setByHelmet({} as IncomingMessage, response as unknown as ServerResponse, (error) => {
    if (error !== undefined) throw error;
  });
  return headers;
};

const HEADERS = [...collectHeaders()];
const FIELDS: readonly string[] = HEADERS.flat();

const toRequestId = ({ locals }: Response): string | undefined => locals.requestId as string | undefined;

/** The common headers of an answer, as names and values in turn. */
export const toCommonHeaders = (response: Response): readonly string[] => {
  const requestId = toRequestId(response);
  return requestId === undefined ? FIELDS : [...FIELDS, 'x-request-id', requestId];
};

/** Sets the common headers that an answer doesn't set itself. */
export const setCommonHeaders = (response: Response): void => {
  for (const [name, value] of HEADERS) if (!response.hasHeader(name)) response.setHeader(name, value);
  const requestId = toRequestId(response);
  if (requestId !== undefined) response.setHeader('x-request-id', requestId);
};
