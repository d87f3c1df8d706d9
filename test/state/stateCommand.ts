// npm run state: writes how large the project is, and in which form, into docs/measurements/state.md.
import { readFileSync, writeFileSync } from 'node:fs';
import { Command } from 'commander';
import { replaceSection } from '../../bench/page.ts';
import { toTable } from '../../bench/table.ts';
import { SETTINGS } from '../../host/settings/settings.ts';
import { readSource } from '../support/sources.ts';
import { scripts, trackedFiles } from '../tidy/trackedFiles.ts';
import {
  addUp,
  byFolder,
  type Figures,
  findSharedNames,
  findSmallParts,
  findWideFolders,
  type Source,
  toSource,
} from './codeFigures.ts';

const PAGE = new URL('../../docs/measurements/state.md', import.meta.url);
const FOLDER_FILES_MAX = 20;
const SMALL_LINES_MAX = 60;

const isOf = (folders: readonly string[], { path }: Source): boolean =>
  folders.some((folder) => path.startsWith(`${folder}/`));

const toRow = ({ name, files, lines, functions, medianLines, longestLines, exports, types }: Figures) => [
  name,
  files,
  lines,
  functions,
  `${medianLines} / ${longestLines}`,
  exports,
  ((100 * types) / Math.max(1, lines)).toFixed(1),
];

const toCodeTable = (product: readonly Source[], groups: readonly Figures[]): string =>
  toTable(
    [
      'folder',
      'files',
      'lines',
      'functions',
      'lines of a function, median / longest',
      'exported names',
      'types for 100 lines',
    ],
    [...[...byFolder(product, 1)].map(([name, files]) => addUp(name, files)), ...groups].map(toRow),
  );

const countScripts = (): number =>
  Object.keys((JSON.parse(readSource('package.json')) as { scripts: Record<string, string> }).scripts).length;

const toPages = (): [page: string, lines: number][] =>
  [...trackedFiles]
    .filter(([path]) => path.endsWith('.md'))
    .map(([path, text]): [string, number] => [path, text.trimEnd().split('\n').length])
    .sort(([, a], [, b]) => b - a);

// One entry a line, below an item.
const toList = (entries: readonly (readonly [name: string, count: number])[]): string =>
  entries.length === 0 ? ' none' : entries.map(([name, count]) => `\n  - \`${name}\` ${count}`).join('');

const toReport = (): string => {
  const all = scripts.map(toSource);
  const tests = all.filter((source) => isOf(['test'], source));
  const benches = all.filter((source) => isOf(['bench'], source));
  const product = all.filter((source) => !isOf(['test', 'bench'], source) && source.path.includes('/'));
  const groups = [addUp('**product**', product), addUp('bench', benches), addUp('test', tests)];
  const shared = findSharedNames(product);
  const small = findSmallParts(product, SMALL_LINES_MAX);
  const pages = toPages();
  return `Written by \`npm run state\`, without generated files. ${Object.keys(SETTINGS).length} settings, ${countScripts()} npm scripts.

${toCodeTable(product, groups)}

- **Files of fewer than ${SMALL_LINES_MAX} lines with one importer**: ${small.length}.
- **Names that several files export**: ${shared.length}.
- **Folders of more than ${FOLDER_FILES_MAX} files**:${toList(findWideFolders(product, FOLDER_FILES_MAX))}
- **Pages**: ${pages.length} of ${pages.reduce((total, [, lines]) => total + lines, 0)} lines:${toList(pages)}`;
};

const run = ({ section }: { section: string }): void => {
  writeFileSync(PAGE, replaceSection(readFileSync(PAGE, 'utf8'), section, toReport()));
  console.log(`docs/measurements/state.md has the section "${section}"`);
};

new Command('npm run state --')
  .description('Writes how large the project is, and in which form, into docs/measurements/state.md')
  .option('--section <title>', 'the section that is written or replaced', 'Now')
  .action(run)
  .parse();
