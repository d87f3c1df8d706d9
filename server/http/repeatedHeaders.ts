// Refuses repeated headers that name the host or the caller. Node uses the first and hides the others, while a proxy in
// front of this server may have used another.
import type { IncomingMessage } from 'node:http';
import { refuseField } from '../../ledger/errors.ts';

const SINGLE: readonly string[] = ['host', 'authorization'];
const LENGTHS: readonly number[] = SINGLE.map(({ length }) => length);

/** @throws LedgerError REQUEST_INVALID that names the header, for a request with two hosts, or two credentials. */
export const assertNotRepeated = ({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): void => {
  const names: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    if (LENGTHS.includes(rawHeaders[at]!.length)) names.push(rawHeaders[at]!.toLowerCase());
  }
  const repeated = SINGLE.find((name) => names.indexOf(name) !== names.lastIndexOf(name));
  if (repeated !== undefined) throw refuseField('REQUEST_INVALID', repeated, 'is given more than once');
};
