// Refuses repeated headers that name the host or the caller. Node uses the first and hides the others, while a proxy in
// front of this server may have used another.
import type { RequestHandler } from 'express';
import { refuseField } from '../../ledger/errors.ts';

const SINGLE = ['host', 'authorization'] as const;
const LENGTHS: ReadonlySet<number> = new Set(SINGLE.map((name) => name.length));

/** Middleware that refuses a request with two hosts, or two credentials. */
export const refuseRepeatedHeaders: RequestHandler = ({ rawHeaders }, _response, next) => {
  const names = rawHeaders
    .filter((name, at) => at % 2 === 0 && LENGTHS.has(name.length))
    .map((name) => name.toLowerCase());
  const repeated = SINGLE.find((name) => names.indexOf(name) !== names.lastIndexOf(name));
  if (repeated !== undefined) throw refuseField('REQUEST_INVALID', repeated, 'is given more than once');
  next();
};
