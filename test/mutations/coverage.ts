// What parts of the repository's files a run of tests executed, in all of its processes, as V8 counts it.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Parts of a file's text: begins and ends in turn. */
export type Parts = readonly number[];
/** The executed parts of files, by their paths from the root. */
export type Coverage = Readonly<Record<string, Parts>>;

interface Range {
  readonly startOffset: number;
  readonly endOffset: number;
  readonly count: number;
}

interface Script {
  readonly url: string;
  readonly functions: readonly { readonly ranges: readonly Range[] }[];
}

/** The executed parts of one process: of ranges that contain each other, the inner one counts. */
const toParts = (functions: Script['functions']): number[] => {
  const ranges = functions.flatMap((each) => each.ranges);
  const outerFirst = [...ranges].sort((a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset);
  const borders = [...new Set(ranges.flatMap(({ startOffset, endOffset }) => [startOffset, endOffset]))];
  const parts: number[] = [];
  const open: Range[] = [];
  let next = 0;
  for (const border of borders.sort((a, b) => a - b)) {
    while (open.length > 0 && open.at(-1)!.endOffset <= border) open.pop();
    while (next < outerFirst.length && outerFirst[next]!.startOffset <= border) open.push(outerFirst[next++]!);
    const isExecuted = (open.at(-1)?.count ?? 0) > 0;
    if (isExecuted !== (parts.length % 2 === 1)) parts.push(border);
  }
  return parts;
};

const isWithin = (parts: Parts, position: number): boolean =>
  parts.some((begin, at) => at % 2 === 0 && begin <= position && position < parts[at + 1]!);

const unite = (a: Parts, b: Parts): number[] => {
  const borders = [...new Set([...a, ...b])].sort((one, other) => one - other);
  const united: number[] = [];
  for (const border of borders) {
    if ((isWithin(a, border) || isWithin(b, border)) !== (united.length % 2 === 1)) united.push(border);
  }
  return united;
};

/** Reads what the processes of a run wrote to a directory (NODE_V8_COVERAGE), of files in `root`. */
export const readCoverage = (directory: string, root: string): Coverage => {
  const covered: Record<string, Parts> = {};
  for (const name of readdirSync(directory)) {
    const { result } = JSON.parse(readFileSync(join(directory, name), 'utf8')) as {
      readonly result: readonly Script[];
    };
    for (const { url, functions } of result) {
      if (!url.startsWith('file://') || url.includes('/node_modules/')) continue;
      const path = relative(root, fileURLToPath(url));
      if (!path.startsWith('..') && !path.startsWith('test/'))
        covered[path] = unite(covered[path] ?? [], toParts(functions));
    }
  }
  return covered;
};

/** Whether a position of a file was executed. */
export const isExecuted = (coverage: Coverage, path: string, position: number): boolean =>
  isWithin(coverage[path] ?? [], position);
