// Cross-origin requests of the pages that the operator named (the CORS protocol of the Fetch standard). Browsers ask
// before each request of this port, since its content type isn't one that forms have.
import type { IncomingMessage, ServerResponse } from 'node:http';

/** What is done for a request because of its origin. */
export interface Cors {
  /** Sets the headers that let a page of a named origin read the answer. */
  allow(req: IncomingMessage, res: ServerResponse): void;
  /** Answers a preflight request for a named origin; false: the request is another one, and isn't answered. */
  answerPreflight(req: IncomingMessage, res: ServerResponse): boolean;
}

/** How long a browser may keep the answer: a removed origin has no access after that. */
const MAX_AGE_SECONDS = 600;
const PREFLIGHT = {
  'access-control-allow-methods': 'POST',
  'access-control-allow-headers': 'content-type',
  'access-control-max-age': String(MAX_AGE_SECONDS),
};
// Earlier Chromium asked this of a page from another network; later versions ask the person instead.
const PRIVATE_NETWORK = { 'access-control-allow-private-network': 'true' };

/** @param origins as the header `Origin` has them; `null` is that of a page that was opened from a file. */
export const createCors = (origins: readonly string[]): Cors => {
  const isNamed = ({ headers: { origin } }: IncomingMessage): boolean =>
    origin !== undefined && origins.includes(origin);
  return {
    allow: (req, res) => {
      if (origins.length > 0) res.setHeader('vary', 'origin');
      if (isNamed(req)) res.setHeader('access-control-allow-origin', req.headers.origin!);
    },
    answerPreflight: (req, res) => {
      const isPreflight = req.method === 'OPTIONS' && req.headers['access-control-request-method'] !== undefined;
      if (!isPreflight || !isNamed(req)) return false;
      const isPrivate = req.headers['access-control-request-private-network'] === 'true';
      res.writeHead(204, { ...PREFLIGHT, ...(isPrivate && PRIVATE_NETWORK) }).end();
      return true;
    },
  };
};
