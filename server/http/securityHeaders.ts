// Forbids browsers to do anything with an answer. Pages and downloads that a browser shows set a policy of their own.
import type { IncomingMessage, ServerResponse } from 'node:http';
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

/** Sets the security headers of an answer. */
export const setSecurityHeaders = (response: ServerResponse): void => {
  for (const [name, value] of HEADERS) response.setHeader(name, value);
};
