// What browsers may do with an answer: nothing. Pages and downloads that a browser shows replace the policy by their own.
import helmet from 'helmet';

/** Middleware that sets the security headers of every answer. */
export const setSecurityHeaders = helmet({
  contentSecurityPolicy: {
    useDefaults: false,
    directives: { 'default-src': ["'none'"], 'base-uri': ["'none'"], 'frame-ancestors': ["'none'"] },
  },
  // Browsers heed it over HTTPS alone. What else answers under the domain is not for this server to say.
  strictTransportSecurity: { includeSubDomains: false },
  xFrameOptions: { action: 'deny' },
  // For plug-ins and browsers that are gone.
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
  xDnsPrefetchControl: false,
});
