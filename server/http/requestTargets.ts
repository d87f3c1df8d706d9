// Normalizes request targets. HTTP/1.1 lets a client name the host twice, in the target and in a header (RFC 9112
// section 3.2); afterwards there is one host, and the target is a path.
import type { IncomingMessage } from 'node:http';
import { refuseField } from '../../ledger/errors.ts';

const ABSOLUTE = /^https?:\/\/([^/?#]+)([^#]*)$/i;

/**
 * Converts a target in absolute form (`GET http://host/path`) to origin form. The host of the target replaces the
 * header's.
 */
export const toOriginForm = (request: IncomingMessage): void => {
  if (request.url?.startsWith('/')) return;
  const [, host, rest] = ABSOLUTE.exec(request.url ?? '') ?? [];
  if (host === undefined || rest === undefined) return;
  request.headers.host = host;
  request.url = rest.startsWith('/') ? rest : `/${rest}`;
};

/** @throws LedgerError REQUEST_INVALID that names `host` for an HTTP/1.1 request without a host. */
export const assertHost = ({ httpVersion, headers }: IncomingMessage): void => {
  if (httpVersion !== '1.0' && headers.host === undefined) throw refuseField('REQUEST_INVALID', 'host', 'is missing');
};
