// Whom an address stands for when requests are counted: an IPv4 address stands for itself, an IPv6 address for its /64, because every
// customer of a provider has that many.
import { isIPv6 } from 'node:net';

const NETWORK_GROUPS = 4;
const GROUPS = 8;
const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** The network of a client's address. What isn't an address stands for itself. */
export const toClientNetwork = (address: string): string => {
  const mapped = MAPPED.exec(address)?.[1];
  if (mapped !== undefined || !isIPv6(address)) return mapped ?? address;
  const [head = '', tail] = address.toLowerCase().split('%')[0]!.split('::');
  const [before, after] = [head, tail ?? ''].map((text) => text.split(':').filter((group) => group !== ''));
  const zeros = Array.from({ length: GROUPS - before!.length - after!.length }, () => '0');
  const groups = [...before!, ...(tail === undefined ? [] : zeros), ...after!];
  return groups
    .slice(0, NETWORK_GROUPS)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':');
};
