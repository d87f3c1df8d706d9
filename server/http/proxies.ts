// Which addresses are trusted proxies: the evaluation by which Express accepts forwarding headers.
import type { IncomingMessage } from 'node:http';
import proxyAddress, { compile } from 'proxy-addr';

type TrustProxy = number | readonly string[] | undefined;

const toTrust = (trustProxy: TrustProxy): ((address: string, hops: number) => boolean) =>
  typeof trustProxy === 'number' ? (_address, hops) => hops < trustProxy : compile([...(trustProxy ?? [])]);

/**
 * Returns whether a connection from an address is a trusted proxy's. `trustProxy` is Express' setting: a number of
 * proxies, of which the nearest one connects, or addresses and networks; undefined: none.
 */
export const createIsProxy = (trustProxy: TrustProxy): ((address: string) => boolean) => {
  const isTrusted = toTrust(trustProxy);
  return (address) => isTrusted(address, 0);
};

/** Returns a function that finds the address of a request's client, as Express' `request.ip` does. */
export const createToAddress = (trustProxy: TrustProxy): ((request: IncomingMessage) => string) => {
  const isTrusted = toTrust(trustProxy);
  // Of a connection that is closed there is no address.
  return (request) => (request.socket.remoteAddress === undefined ? '' : proxyAddress(request, isTrusted));
};
