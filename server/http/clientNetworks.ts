// The network that an address counts as when requests and connections are limited: an IPv4 address is itself, an IPv6
// address is its /64, because every customer of a provider has a complete /64.
import { isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

const NETWORK_GROUPS = 4;
// ipaddr.js takes `::192.0.2.7` for the mapped `::ffff:192.0.2.7`, and `0::192.0.2.7` for what both are.
const COMPATIBLE = /^::(?=\d+\.)/;

/**
 * The network of a client's address. An IPv4 address written as IPv6 (`::ffff:192.0.2.7`) counts as IPv4; a text that
 * isn't an address is returned unchanged.
 */
export const toClientNetwork = (address: string): string => {
  if (!isIPv6(address)) return address;
  const parsed = ipaddr.process(address.split('%')[0]!.replace(COMPATIBLE, '0::'));
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const groups = parsed.parts.slice(0, NETWORK_GROUPS);
  return groups.map((group) => group.toString(16)).join(':');
};
