// Whom an address stands for when requests are counted: an IPv4 address stands for itself, an IPv6 address for its /64,
// because every customer of a provider has that many.
import { isIPv6 } from 'node:net';

const NETWORK_GROUPS = 4;
const GROUPS = 8;
const MAPPED_GROUPS = 6;
const MAPPED_PREFIX = '0:0:0:0:0:ffff';
const DOTTED_END = /:(\d+)\.(\d+)\.(\d+)\.(\d+)$/;

const toDotted = (groups: readonly number[]): string => groups.flatMap((group) => [group >> 8, group & 0xff]).join('.');

// An IPv6 address may have one run of zeros left out, an IPv4 address at its end, and a zone.
const toGroups = (address: string): number[] => {
  const hexadecimal = address.replace(DOTTED_END, (_all, ...[a, b, c, d]: string[]) => {
    const [high, low] = [Number(a) * 256 + Number(b), Number(c) * 256 + Number(d)];
    return `:${high.toString(16)}:${low.toString(16)}`;
  });
  const [head = '', tail] = hexadecimal.split('::');
  const [before, after] = [head, tail ?? ''].map((text) => text.split(':').filter((group) => group !== ''));
  const zeros = Array.from({ length: GROUPS - before!.length - after!.length }, () => '0');
  return [...before!, ...(tail === undefined ? [] : zeros), ...after!].map((group) => Number.parseInt(group, 16));
};

/**
 * The network of a client's address; an IPv4 address that is written as IPv6 is one. What isn't an address stands for
 * itself.
 */
export const toClientNetwork = (address: string): string => {
  if (!isIPv6(address)) return address;
  const groups = toGroups(address.split('%')[0]!);
  const texts = groups.map((group) => group.toString(16));
  if (texts.slice(0, MAPPED_GROUPS).join(':') === MAPPED_PREFIX) return toDotted(groups.slice(MAPPED_GROUPS));
  return texts.slice(0, NETWORK_GROUPS).join(':');
};
