// What a run of mutants found, for a person and for docs/measurements/mutations.md.
import { replaceSection } from '../../bench/page.ts';
import { toTable } from '../../bench/table.ts';
import type { Equivalent } from './equivalents.ts';
import type { Change } from './mutants.ts';
import type { Result } from './tryMutant.ts';

/** The results of a folder. */
export interface FolderReport {
  readonly folder: string;
  readonly seed: number;
  readonly results: readonly Result[];
  readonly equivalents: readonly Equivalent[];
}

const HEADER = ['folder', 'mutants', 'killed', 'of them by time', 'survived', 'equivalent', 'killed, %'];
const PERCENT = 100;

/** How many of the mutants that a test can notice were noticed, in percent. */
export const toPercent = ({ results }: Pick<FolderReport, 'results'>): number =>
  results.length === 0
    ? PERCENT
    : (PERCENT * results.filter(({ verdict }) => verdict !== 'survived').length) / results.length;

const toRow = (report: FolderReport): (string | number)[] => {
  const { folder, results, equivalents } = report;
  const countOf = (...verdicts: readonly string[]): number =>
    results.filter(({ verdict }) => verdicts.includes(verdict)).length;
  const killed = countOf('killed', 'timeout');
  return [
    folder,
    results.length + equivalents.length,
    killed,
    countOf('timeout'),
    countOf('survived'),
    equivalents.length,
    toPercent(report).toFixed(1),
  ];
};

/** The table of some folders. */
export const toFolderTable = (reports: readonly FolderReport[]): string => toTable(HEADER, reports.map(toRow));

const indent = (text: string, mark: string): string =>
  text
    .split('\n')
    .map((line) => `${mark} ${line.trim()}`)
    .join('\n');

/** A change as a diff. */
export const toDiff = ({ before, after }: Change): string => `${indent(before, '-')}\n${indent(after, '+')}`;

const toText = (file: string, change: Change, explanation: string): string =>
  `\`${file}\`: ${explanation}\n\n\`\`\`diff\n${toDiff(change)}\n\`\`\`\n`;

/** What is known of a folder besides its row: the mutants that survived, and those that no test can notice. */
const toSection = ({ seed, results, equivalents }: FolderReport, changeOf: (result: Result) => Change): string => {
  const survivors = results
    .filter(({ verdict }) => verdict === 'survived')
    .map((result) => toText(result.mutant.file, changeOf(result), `survived ${result.tests.length} files of tests.`));
  const same = equivalents.map((each) => toText(each.file, each, `equivalent. ${each.reason}`));
  return [
    `Seed ${seed}.${survivors.length + same.length === 0 ? ' Each mutant was killed.' : ''}\n`,
    ...survivors,
    ...same,
  ].join('\n');
};

const TABLE_HEADING = 'Folders';
const toFolder = (row: string): string => row.split('|')[1]!.trim();

/** The page with a folder's row and section, in place of those of an earlier run. */
export const recordFolder = (page: string, report: FolderReport, changeOf: (result: Result) => Change): string => {
  const rows = page.split('\n').filter((line) => /^\| \w+\//.test(line) && toFolder(line) !== report.folder);
  const [header, line, row] = toFolderTable([report]).split('\n');
  const all = [...rows, row!].sort();
  const withTable = replaceSection(page, TABLE_HEADING, [header, line, ...all].join('\n'));
  return replaceSection(withTable, report.folder, toSection(report, changeOf));
};
