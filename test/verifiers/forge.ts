// The means of a forger: other values and parts in a file, and other roots of trust.
import type { Json } from '../support/mutations.ts';
import { writeAt } from './jsonPaths.ts';
import type { Original } from './originals.ts';

/** Files and roots that a forger has, by the names of the originals. */
export type Known = (name: string) => Original;

/** Makes a file with roots of trust from an original. */
export type Forge = (original: Original, known: Known) => Pick<Original, 'file' | 'trust' | 'leaves'>;

/** Name of the original that is forged, and how. */
export type Forgery = readonly [original: string, forge: Forge];

/** The place of a text such as `proofs/0/log`. */
const toPath = (place: string): (string | number)[] =>
  place.split('/').map((name) => (/^\d+$/.test(name) ? Number(name) : name));

const toChanged = (value: Json, path: readonly (string | number)[], changed: Json | undefined): Original['file'] =>
  writeAt(value, path, changed) as Original['file'];

/** Puts another value into the file at a place such as `claim/count`; undefined removes it. */
export const put =
  (place: string, changed: Json | undefined): Forge =>
  ({ file, trust }) => ({ file: toChanged(file, toPath(place), changed), trust });

/** Puts another value into the roots of trust. */
export const trusting =
  (place: string, changed: Json | undefined): Forge =>
  ({ file, trust }) => ({ file, trust: toChanged(trust, toPath(place), changed) });

/** Takes parts of the file from another original, whose block the caller knows as well. */
export const take =
  (from: string, ...places: readonly string[]): Forge =>
  ({ file, trust }, known) => {
    const other = known(from);
    const parts = Object.fromEntries(places.map((place) => [place, other.file[place]]));
    const blocks = [...((trust.blocks as Json[]) ?? []), ...((other.trust.blocks as Json[]) ?? [])];
    return { file: { ...file, ...parts } as Original['file'], trust: { ...trust, blocks } };
  };

/** Several changes, one after the other. */
export const both =
  (...forges: readonly Forge[]): Forge =>
  (original, known) => {
    let made = original;
    for (const forge of forges) made = { ...made, ...forge(made, known) };
    return made;
  };
