// Who sealed a block. Recovery returns some key for any seal and any digest, so an address counts only if it is an
// expected one.
import { type Hex, toHex } from '../encoding/hex.ts';
import { keccak256 } from '../encoding/keccak.ts';

/** A recovery takes a third of a millisecond and more. A block of Besu with 200 validators has 134 seals or more. */
const SEALS_MAX = 256;

/** Validators and seals of one header. */
export interface HeaderSeals {
  /** Lower-case addresses of the validators that the header names; empty where a contract or another header does. */
  readonly validators: readonly Hex[];
  /** The 32 bytes that the seals sign. */
  readonly digest: Uint8Array;
  /** 65 bytes each: r, s, recovery id. */
  readonly seals: readonly Uint8Array[];
}

/** Returns the 64 bytes x, y of the key that made a seal of 65 bytes over a digest; undefined for no signature. */
export type RecoverKey = (digest: Uint8Array, seal: Uint8Array) => Uint8Array | undefined;

/** Lower-case address of a key of 64 bytes x, y. */
export const toKeyAddress = (key: Uint8Array): Hex => toHex(keccak256(key).subarray(12));

/**
 * The validators that sealed a block, each once, in the order of their seals. Reads its first 256 seals only.
 * @param validators lower-case addresses that count.
 */
export const findSealers = (
  { digest, seals }: HeaderSeals,
  validators: readonly Hex[],
  recoverKey: RecoverKey,
): Hex[] => {
  const keys = seals.slice(0, SEALS_MAX).map((seal) => recoverKey(digest, seal));
  const sealers = new Set(keys.filter((key) => key !== undefined).map(toKeyAddress));
  return [...sealers].filter((address) => validators.includes(address));
};
