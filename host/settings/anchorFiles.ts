// The files that the settings of records on another ledger name. Errors name the setting, and never a secret.
import { parseTrust, type Trust } from '../../ledger/evidence/bundle/trust.ts';
import { readPrivateText, readSmallText } from '../files/privateFile.ts';

const VISIBLE = /^[\x21-\x7e]+$/;

/** How a server authenticates to another ledger's API. */
export type ApiCredentials = { readonly token: string } | { readonly clientId: string; readonly clientSecret: string };

const naming = async <T>(setting: string, path: string, read: () => Promise<T>): Promise<T> => {
  try {
    return await read();
  } catch (cause) {
    throw new Error(`${setting} ${path} can't be used: ${(cause as Error).message}`, { cause });
  }
};

const toCredentials = (text: string): ApiCredentials => {
  const lines = text.split('\n').map((line) => line.trim());
  const given = lines.filter((line) => line !== '' && !line.startsWith('#'));
  const findValue = (name: string): string | undefined =>
    given.find((line) => line.startsWith(`${name}=`))?.slice(name.length + 1);
  const [clientId, clientSecret] = [findValue('client_id'), findValue('client_secret')];
  if (given.length === 2 && clientId && clientSecret) return { clientId, clientSecret };
  const [token = ''] = given;
  if (given.length === 1 && VISIBLE.test(token)) return { token };
  throw new Error('it has neither the lines client_id=... and client_secret=... nor a token alone');
};

/**
 * The credentials in the file of ANCHOR_CREDENTIALS_FILE: those of an application, in the form in which a new tenant's
 * are delivered, or a token.
 * @throws Error when it can't be read, is open to others, or has another form.
 */
export const readAnchorCredentials = (path: string): Promise<ApiCredentials> =>
  naming('ANCHOR_CREDENTIALS_FILE', path, async () => toCredentials(await readPrivateText(path)));

/**
 * The roots of trust in the file of ANCHOR_TRUST_FILE.
 * @throws Error when it can't be read, or has another form.
 */
export const readAnchorTrust = (path: string): Promise<Trust> =>
  naming('ANCHOR_TRUST_FILE', path, async () => parseTrust(await readSmallText(path)));
