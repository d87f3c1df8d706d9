// Mutants that no test can notice, each with the reason.
import { readFileSync } from 'node:fs';
import type { Change, Mutant } from './mutants.ts';

/** A change of a file that changes nothing that anybody can observe. */
export interface Equivalent extends Change {
  readonly file: string;
  readonly reason: string;
}

/** Those that somebody has looked at. */
export const readEquivalents = (): readonly Equivalent[] =>
  JSON.parse(readFileSync(new URL('equivalents.json', import.meta.url), 'utf8'));

/** The entry about a mutant; undefined when there is none. */
export const findEquivalent = (
  equivalents: readonly Equivalent[],
  { file }: Pick<Mutant, 'file'>,
  { before, after }: Change,
): Equivalent | undefined =>
  equivalents.find((each) => each.file === file && each.before === before && each.after === after);
