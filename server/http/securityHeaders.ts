// Forbids browsers to do anything with an answer. Pages and downloads that a browser shows set a policy of their own.
import helmet from 'helmet';

/** Middleware that sets the security headers of every answer. */
export const setSecurityHeaders = helmet({
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
});
