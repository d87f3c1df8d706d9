// Addresses with EIP-55 checksum: `from` and `owner` in the API.
import { toHex } from './hex.ts';
import { keccak256 } from './keccak.ts';

const toChecksum = (address: string): string => {
  const digits = address.slice(2);
  const hash = toHex(keccak256(Buffer.from(digits, 'ascii'))).slice(2);
  const cased = [...digits].map((digit, at) =>
    hash.charCodeAt(at) >= '8'.charCodeAt(0) ? digit.toUpperCase() : digit,
  );
  return `0x${cased.join('')}`;
};

// The records of a batch usually have one author, so the last result is kept.
let last = { address: '', checksummed: '' };

/**
 * The EIP-55 form of a lower-case 0x address: a letter is upper-case where the hash of the address has a digit of 8 or
 * more.
 */
export const toChecksumAddress = (address: string): string => {
  if (address !== last.address) last = { address, checksummed: toChecksum(address) };
  return last.checksummed;
};
