// Which addresses are trusted proxies: the evaluation by which Express accepts forwarding headers.
import { compile } from 'proxy-addr';

/**
 * Returns whether a connection from an address is a trusted proxy's. `trustProxy` is Express' setting: a number of
 * proxies, of which the nearest one connects, or addresses and networks; undefined: none.
 */
export const createIsProxy = (trustProxy: number | readonly string[] | undefined): ((address: string) => boolean) => {
  if (typeof trustProxy === 'number') return () => trustProxy > 0;
  const isTrusted = compile([...(trustProxy ?? [])]);
  return (address) => isTrusted(address, 0);
};
