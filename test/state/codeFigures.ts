// What the size and the form of the code are: lines, functions, names and types by folder, wide folders, small files.
import { dirname } from 'node:path';
import { toTarget } from '../tidy/importGraph.ts';
import { factsOf, type ScriptFacts } from '../tidy/scriptFacts.ts';

/** A source file with what its syntax tree says. */
export interface Source {
  readonly path: string;
  readonly lines: number;
  readonly facts: ScriptFacts;
  /** Declarations of types and interfaces that begin a line. */
  readonly types: number;
}

/** What a set of files adds up to. */
export interface Figures {
  readonly name: string;
  readonly files: number;
  readonly lines: number;
  readonly functions: number;
  /** Lines of the median function; 0 where there is none. */
  readonly medianLines: number;
  readonly longestLines: number;
  readonly exports: number;
  readonly types: number;
}

const TYPE = /^(?:export )?(?:declare )?(?:interface|type) \w/gm;

/** Reads a file's figures. The empty text after its last line break is no line. */
export const toSource = ([path, text]: readonly [path: string, text: string]): Source => ({
  path,
  lines: text.trimEnd().split('\n').length,
  facts: factsOf(path, text),
  types: text.match(TYPE)?.length ?? 0,
});

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** Adds files up under a name. */
export const addUp = (name: string, sources: readonly Source[]): Figures => {
  const lengths = sources.flatMap(({ facts }) => facts.functions.map(({ lines }) => lines)).sort((a, b) => a - b);
  return {
    name,
    files: sources.length,
    lines: sum(sources.map(({ lines }) => lines)),
    functions: lengths.length,
    medianLines: lengths[Math.floor(lengths.length / 2)] ?? 0,
    longestLines: lengths.at(-1) ?? 0,
    exports: sum(sources.map(({ facts }) => facts.exports.length)),
    types: sum(sources.map(({ types }) => types)),
  };
};

/** Files by the first `depth` folders of their path, in the order of names. Files at the root are under `.`. */
export const byFolder = (sources: readonly Source[], depth: number): Map<string, Source[]> => {
  const folders = new Map<string, Source[]>();
  for (const source of sources) {
    const folder = dirname(source.path).split('/').slice(0, depth).join('/');
    folders.set(folder, [...(folders.get(folder) ?? []), source]);
  }
  return new Map([...folders].sort(([a], [b]) => (a < b ? -1 : 1)));
};

/** Folders with more than `filesMax` files of their own, the widest first. */
export const findWideFolders = (sources: readonly Source[], filesMax: number): [folder: string, files: number][] =>
  [...byFolder(sources, Number.POSITIVE_INFINITY)]
    .map(([folder, files]): [string, number] => [folder, files.length])
    .filter(([, files]) => files > filesMax)
    .sort(([, a], [, b]) => b - a);

/** Files of fewer than `linesMax` lines that exactly one other file of `sources` imports. */
export const findSmallParts = (sources: readonly Source[], linesMax: number): string[] => {
  const importers = new Map<string, Set<string>>();
  for (const { path, facts } of sources) {
    for (const specifier of facts.imports.filter((name) => name.startsWith('.'))) {
      const target = toTarget(path, specifier);
      importers.set(target, (importers.get(target) ?? new Set()).add(path));
    }
  }
  return sources
    .filter(({ path, lines }) => lines < linesMax && importers.get(path)?.size === 1)
    .map(({ path }) => path);
};

/** Names that more than one file exports, the most frequent first. */
export const findSharedNames = (sources: readonly Source[]): [name: string, files: number][] => {
  const counts = new Map<string, number>();
  for (const name of sources.flatMap(({ facts }) => facts.exports)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].filter(([, files]) => files > 1).sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
};
