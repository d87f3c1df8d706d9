// Credentials by HTTP Basic at the token route (RFC 6749 section 2.3.1), which most libraries send by default.
import { LedgerError, refuseField } from '../../ledger/errors.ts';
import { isJsonObject } from '../../ledger/records/attributes.ts';

const BASIC = /^basic +([A-Za-z0-9+/]+={0,2})$/i;

/** Whether a header `Authorization` is of the scheme Basic. */
export const isBasic = (authorization: string | undefined): authorization is string =>
  /^basic(?: |$)/i.test(authorization ?? '');

// Id and secret are each encoded as in a form before they are joined.
const decodeFormText = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch (cause) {
    throw new LedgerError('CLIENT_REFUSED', { cause });
  }
};

const parseBasic = (authorization: string) => {
  const text = Buffer.from(BASIC.exec(authorization)?.[1] ?? '', 'base64').toString();
  const at = text.indexOf(':');
  if (at < 1) throw new LedgerError('CLIENT_REFUSED');
  return { client_id: decodeFormText(text.slice(0, at)), client_secret: decodeFormText(text.slice(at + 1)) };
};

/**
 * The parameters of a token request, with the credentials of its header `Authorization` if that is of the scheme Basic.
 * @throws LedgerError REQUEST_INVALID when the body has credentials, too; CLIENT_REFUSED when the header is malformed.
 */
export const addBasicCredentials = (body: unknown, authorization: string | undefined): unknown => {
  if (!isBasic(authorization) || !isJsonObject(body)) return body;
  const credentials = parseBasic(authorization);
  // A client that repeats its id authenticates in one way all the same.
  const isRepeated = body.client_id !== undefined && body.client_id !== credentials.client_id;
  const name = body.client_secret === undefined ? (isRepeated ? 'client_id' : undefined) : 'client_secret';
  if (name !== undefined) throw refuseField('REQUEST_INVALID', name, 'is given by HTTP Basic as well');
  return { ...body, ...credentials };
};
