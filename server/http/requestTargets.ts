// Normalizes request targets. HTTP/1.1 lets a client name the host twice, in the target and in a header (RFC 9112
// section 3.2); afterwards there is one host, and the target is a path. Characters that need no encoding are not
// encoded in it: URLs with and without it are equal (RFC 3986 section 6.2.2.2, RFC 9110 section 4.2.3).
import type { IncomingMessage } from 'node:http';
import { refuseField } from '../../ledger/errors.ts';

const ABSOLUTE = /^https?:\/\/([^/?#]+)([^#]*)$/i;

/** Letters, digits, `-`, `.`, `_` and `~`, and `:`, which paths of operations have. */
const NEEDLESS = /%(?:2[DE]|3[0-9A]|4[1-9A-F]|5[0-9AF]|6[1-9A-F]|7[0-9AE])/gi;

const decodeNeedless = (target: string): string => {
  const end = target.indexOf('?');
  const path = end < 0 ? target : target.slice(0, end);
  return path.includes('%') ? path.replace(NEEDLESS, decodeURIComponent) + target.slice(path.length) : target;
};

// The host of the target replaces the header's.
const toOriginForm = (request: IncomingMessage, target: string): string => {
  const [, host, rest] = ABSOLUTE.exec(target) ?? [];
  if (host === undefined || rest === undefined) return target;
  request.headers.host = host;
  return rest.startsWith('/') ? rest : `/${rest}`;
};

/**
 * Converts a target in absolute form (`GET http://host/path`) to origin form, and decodes what needs no encoding in its
 * path. The query stays as it is.
 */
export const normalizeTarget = (request: IncomingMessage): void => {
  const { url = '' } = request;
  request.url = decodeNeedless(url.startsWith('/') ? url : toOriginForm(request, url));
};

/** @throws LedgerError REQUEST_INVALID that names `host` for an HTTP/1.1 request without a host. */
export const assertHost = ({ httpVersion, headers }: IncomingMessage): void => {
  if (httpVersion !== '1.0' && headers.host === undefined) throw refuseField('REQUEST_INVALID', 'host', 'is missing');
};
