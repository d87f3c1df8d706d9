// The networks that an address counts as when requests and connections are limited. An IPv4 address is itself. An IPv6
// address is its /64, because every customer of a provider has a complete /64, and also its /56 and its /48, which many
// have: with the limit of a /64 alone, such a customer would have 256 or 65,536 times the limit of an IPv4 address.
import { isIPv6 } from 'node:net';
import ipaddr from 'ipaddr.js';

// ipaddr.js takes `::192.0.2.7` for the mapped `::ffff:192.0.2.7`, and `0::192.0.2.7` for what both are.
const COMPATIBLE = /^::(?=\d+\.)/;

/** How many times the limit of one client the networks of an address have, the narrowest first. */
export const NETWORK_FACTORS = [1, 2, 4] as const;

type Names = readonly [narrowest: string, ...wider: string[]];

const toHex = (groups: readonly number[]): string => groups.map((group) => group.toString(16)).join(':');

/**
 * The networks of a client's address, the narrowest first: one, or for IPv6 its /64, /56 and /48. An IPv4 address
 * written as IPv6 (`::ffff:192.0.2.7`) counts as IPv4; a text that isn't an address is returned unchanged.
 */
export const toClientNetworks = (address: string): Names => {
  if (!isIPv6(address)) return [address];
  const parsed = ipaddr.process(address.split('%')[0]!.replace(COMPATIBLE, '0::'));
  if (parsed instanceof ipaddr.IPv4) return [parsed.toString()];
  const [first, second, third, fourth] = parsed.parts as [number, number, number, number];
  const site = [first, second, third];
  return [toHex([...site, fourth]), `${toHex([...site, fourth & 0xff00])}/56`, `${toHex(site)}/48`];
};

/** The narrowest network of a client's address. */
export const toClientNetwork = (address: string): string => toClientNetworks(address)[0];

/** The widest network of a client's address, which takes turns with those of others. */
export const toClientSite = (address: string): string => toClientNetworks(address).at(-1)!;
