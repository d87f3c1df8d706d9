// The only source of randomness in a simulation: streams of numbers that follow from the seed and a purpose. Each
// purpose has a stream of its own, so that a change in one part of a run leaves the others' numbers as they were.
import { createRandom } from '../../../bench/random.ts';

/** Random numbers for one purpose. */
export interface Random {
  /** At least 0 and less than 1. */
  next(): number;
  /** An integer of at least `min` and at most `max`. */
  integer(min: number, max: number): number;
  /** True with this probability, from 0 to 1. */
  chance(probability: number): boolean;
  /** One of the items. */
  pick<T>(items: readonly T[]): T;
  /** So many bytes. */
  bytes(count: number): Uint8Array;
}

const FNV_OFFSET = 0x811c_9dc5;
const FNV_PRIME = 0x0100_0193;

// FNV-1a over the characters of the purpose.
const hashPurpose = (seed: number, purpose: string): number => {
  let hash = FNV_OFFSET;
  for (const character of `${seed} ${purpose}`) hash = Math.imul(hash ^ character.codePointAt(0)!, FNV_PRIME);
  return hash;
};

/** The numbers of a seed for a purpose: always the same. */
export const createStream = (seed: number, purpose: string): Random => {
  const next = createRandom(hashPurpose(seed, purpose));
  const integer = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1));
  return {
    next,
    integer,
    chance: (probability) => next() < probability,
    pick: (items) => items[integer(0, items.length - 1)]!,
    bytes: (count) => Uint8Array.from({ length: count }, () => integer(0, 255)),
  };
};
