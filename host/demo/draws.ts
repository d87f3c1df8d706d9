// Pseudorandom values, each by its own name: a value doesn't depend on which others are drawn, or in which order.
import { createHash } from 'node:crypto';

/** Values that depend on the name of their set and on their own name alone. */
export interface Draws {
  /** At least `min` and less than `max`. */
  between(name: string, min: number, max: number): number;
  /** A whole number of at least 0 and less than `count`. */
  index(name: string, count: number): number;
}

/** The draws of a set. */
export const createDraws = (set: string): Draws => {
  const fraction = (name: string): number =>
    createHash('sha256').update(`${set}\n${name}`).digest().readUInt32BE() / 2 ** 32;
  return {
    between: (name, min, max) => min + fraction(name) * (max - min),
    index: (name, count) => Math.floor(fraction(name) * count),
  };
};
