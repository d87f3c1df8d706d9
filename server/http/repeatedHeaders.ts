// Headers that say who is asked and who asks are there once. Node keeps the first and hides the rest, and whatever is in front of this server
// may have looked at another.
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
