// Converts the text of a setting into its value: one reader for each kind. A reader gets a text that isn't empty, and
// throws the end of a sentence that states what the text must be.
import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { isKeyName } from '../../ledger/evidence/verifierKey.ts';
import { ROLES, type Role } from '../../ledger/records/application.ts';

/** Turns the text of a setting into its value. @throws Error with the end of a sentence: `must be ...`. */
export type ReadText<T> = (text: string) => T;

export const asText: ReadText<string> = (text) => text;

export const asPath: ReadText<string> = (text) => resolve(text);

export const asPort: ReadText<number> = (text) => {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new Error('must be a port number from 0 (any free port) to 65535');
};

/** A size of 1 byte or more. */
export const asBytes: ReadText<number> = (text) => {
  if (/^[1-9]\d*$/.test(text) && Number.isSafeInteger(Number(text))) return Number(text);
  throw new Error('must be a number of bytes, 1 or more');
};

/** A size of 1 byte or more, and less than 4 GiB, which is LevelDB's limit for its cache. */
export const asCacheBytes: ReadText<number> = (text) => {
  if (/^[1-9]\d*$/.test(text) && Number(text) < 2 ** 32) return Number(text);
  throw new Error('must be a number of bytes from 1 to 4294967295');
};

/** A size in bytes; 0 where the setting has no size. */
export const asBytesOrNone: ReadText<number> = (text) => {
  if (/^\d+$/.test(text) && Number.isSafeInteger(Number(text))) return Number(text);
  throw new Error('must be a number of bytes, or 0');
};

/** Bytes; undefined for `auto`. */
export const asReserve: ReadText<number | undefined> = (text) => (text === 'auto' ? undefined : asBytesOrNone(text));

const READ_WORKERS_MAX = 16;
/** Most threads that are started without a setting: each needs memory. */
const READ_WORKERS_AUTO_MAX = 4;

/** A number of threads that read lists. `auto`: one fewer than the processors, at most 4. */
export const asReadWorkers: ReadText<number> = (text) => {
  if (text === 'auto') return Math.min(availableParallelism() - 1, READ_WORKERS_AUTO_MAX);
  if (/^\d{1,2}$/.test(text) && Number(text) <= READ_WORKERS_MAX) return Number(text);
  throw new Error(`must be a number from 0 to ${READ_WORKERS_MAX}, or auto`);
};

/** geth's pool keeps 64 transactions of an account that can't be mined yet. */
const IN_FLIGHT_MAX = 64;

/** A number of transactions, from 1 to 64. */
export const asInFlight: ReadText<number> = (text) => {
  if (/^[1-9]\d?$/.test(text) && Number(text) <= IN_FLIGHT_MAX) return Number(text);
  throw new Error(`must be a number from 1 to ${IN_FLIGHT_MAX}`);
};

/** A number without a unit or in the setting's own, from 0 to 999,999. */
export const asCount: ReadText<number> = (text) => {
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw new Error('must be a number from 0 to 999999');
};

/** A whole number of any size that a double holds exactly. */
export const asInteger: ReadText<number> = (text) => {
  if (/^\d+$/.test(text) && Number.isSafeInteger(Number(text))) return Number(text);
  throw new Error('must be a whole number, 0 or more');
};

/** A number without a unit or in the setting's own, from 1 to 999,999. */
export const asPositive: ReadText<number> = (text) => {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text);
  throw new Error('must be a number from 1 to 999999');
};

export const asOrigin: ReadText<string> = (text) => {
  const url = URL.parse(text);
  const isOrigin = url !== null && /^https?:\/\/[^/]+\/$/.test(url.href) && url.username === '' && url.password === '';
  if (isOrigin) return url.origin;
  throw new Error('must be a scheme and a host, such as https://ledger.example');
};

/** The origin of a page that was opened from a file, as browsers send it. */
const FILE_ORIGIN = 'null';

const toCorsOrigin = (text: string): string => (text === FILE_ORIGIN ? text : asOrigin(text));

/** Origins of web pages; never all of them (`*`). */
export const asCorsOrigins: ReadText<readonly string[]> = (text) => {
  try {
    return text.split(',').map((part) => toCorsOrigin(part.trim()));
  } catch (cause) {
    const form = 'origins such as https://ledger.example, or null for pages opened from a file, with commas between';
    throw new Error(`must be ${form}; * is not accepted`, { cause });
  }
};

const LOG_ORIGIN_LENGTH_MAX = 256;
const HOST = /^(?:[\w.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/;

/** Host names or addresses, each with or without a port, in lower case. */
export const asHosts: ReadText<readonly string[]> = (text) => {
  const hosts = text.split(',').map((part) => part.trim().toLowerCase());
  if (hosts.every((host) => HOST.test(host))) return hosts;
  throw new Error('must be host names such as ledger.example or ledger.example:8443, with commas between');
};

/** The name of a block log. */
export const asLogOrigin: ReadText<string> = (text) => {
  // A cosignature begins with this line, so that no checkpoint may.
  if (isKeyName(text) && text.length <= LOG_ORIGIN_LENGTH_MAX && text !== 'cosignature/v1') return text;
  throw new Error('must be a name without blanks and +, such as ledger.example/log, of at most 256 characters');
};

/** One of several words. */
export const asOneOf =
  <T extends string>(words: readonly T[]): ReadText<T> =>
  (text) => {
    const word = words.find((known) => known === text);
    if (word !== undefined) return word;
    throw new Error(`must be one of ${words.join(', ')}`);
  };

const isRole = (name: string): name is Role => (ROLES as readonly string[]).includes(name);

/** Roles of applications. */
export const asRoles: ReadText<readonly Role[]> = (text) => {
  if (text === 'none') return [];
  const roles = text.split(',').map((part) => part.trim());
  if (roles.every(isRole)) return roles;
  throw new Error(`must be none, or some of ${ROLES.join(', ')}, with commas between`);
};

const PROXY_NAMES = ['loopback', 'linklocal', 'uniquelocal'];

const isProxy = (text: string): boolean => {
  const [address = '', bits, ...rest] = text.split('/');
  const version = isIP(address);
  if (bits === undefined) return version !== 0 || PROXY_NAMES.includes(text);
  const bitsMax = version === 4 ? 32 : 128;
  return rest.length === 0 && version !== 0 && /^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= bitsMax;
};

/**
 * Proxies whose forwarding headers are trusted: Express' `trust proxy`, without its `true`, which would trust every
 * client.
 */
export const asProxies: ReadText<number | readonly string[]> = (text) => {
  if (/^[1-9]$/.test(text)) return Number(text);
  const proxies = text.split(',').map((part) => part.trim());
  if (proxies.every(isProxy)) return proxies;
  throw new Error(`must be the number of proxies (1 to 9), or addresses, networks or ${PROXY_NAMES.join(', ')}`);
};
