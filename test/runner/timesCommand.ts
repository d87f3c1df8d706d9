// npm run test:times: measures what each file of tests costs. Writes the list by which the dearest start first, and the
// page about the suite.
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { Command } from 'commander';
import { describeMachine } from '../../bench/machine.ts';
import { replaceSection } from '../../bench/page.ts';
import { toTable } from '../../bench/table.ts';
import type { FileCost } from './events.ts';
import type { FileResult } from './fileResult.ts';
import { exitWith, INTERRUPTED } from './options.ts';
import { dearestFirst } from './order.ts';
import { print } from './output.ts';
import { RECORDED, readRecorded } from './recorded.ts';
import { runFiles } from './runFiles.ts';
import { isLong, listTestFiles, selectPaths, selectTier } from './tiers.ts';

const PAGE = new URL('../../docs/measurements/suite.md', import.meta.url);
const DEAREST = 20;

type Measured = FileResult & { readonly cost: FileCost };

// A test that failed costs more or less than one that passes.
const isMeasured = (result: FileResult): result is Measured =>
  result.cost !== undefined && result.failures.length === 0;

const inSeconds = (ms: number): string => (ms / 1_000).toFixed(1);

const toRow = (name: string, results: readonly Measured[]): (string | number)[] => {
  const sum = (of: (result: Measured) => number): number => results.reduce((total, one) => total + of(one), 0);
  const wallMs = sum(({ cost }) => cost.wallMs);
  return [
    name,
    results.length,
    sum(({ passed }) => passed),
    inSeconds(wallMs),
    inSeconds(sum(({ cost }) => cost.cpuMs)),
    inSeconds(sum(({ cost }) => cost.childrenMs)),
    sum(({ cost }) => cost.processes),
    `${Math.round((100 * sum(({ cost }) => cost.idleMs)) / Math.max(1, wallMs))} %`,
  ];
};

const COLUMNS = ['files', 'tests', 'wall clock, s', 'own CPU, s', 'CPU of children, s', 'processes started', 'waiting'];

const folderOf = ({ file }: FileResult): string => file.split('/').slice(0, 2).join('/');

const toTierTable = (results: readonly Measured[]): string => {
  const folders = [...new Set(results.map(folderOf))].sort();
  const rows = folders.map((folder) =>
    toRow(
      `\`${folder}\``,
      results.filter((result) => folderOf(result) === folder),
    ),
  );
  return toTable(['folder', ...COLUMNS], [...rows, toRow('all', results)]);
};

const toDearestTable = (results: readonly Measured[]): string => {
  const total = ({ cost }: Measured): number => cost.cpuMs + cost.childrenMs;
  const dearest = [...results].sort((a, b) => total(b) - total(a)).slice(0, DEAREST);
  return toTable(
    ['file', ...COLUMNS.slice(1)],
    dearest.map((one) => toRow(`\`${one.file}\``, [one]).filter((_, at) => at !== 1)),
  );
};

/** The page with the sections about what files cost. */
const toPage = (page: string, results: readonly Measured[], jobs: number): string => {
  const measured = `Measured by \`npm run test:times\` with ${jobs} processes on ${describeMachine()}.`;
  const tiers = [
    replaceSection(page, 'npm test', `${measured}\n\n${toTierTable(results.filter(({ file }) => !isLong(file)))}`),
  ].map((text) =>
    replaceSection(text, 'What npm run test:all has besides', toTierTable(results.filter(({ file }) => isLong(file)))),
  );
  return replaceSection(tiers[0]!, 'The dearest files', toDearestTable(results));
};

/** The recorded list with new figures, without files that are gone. */
const toRecorded = (results: readonly Measured[], files: readonly string[]): Record<string, number> => {
  const known = { ...readRecorded(), ...Object.fromEntries(results.map(toEntry)) };
  return Object.fromEntries(
    Object.entries(known)
      .filter(([file]) => files.includes(file))
      .sort(byName),
  );
};

const toEntry = ({ file, cost }: Measured): [string, number] => [file, cost.wallMs];

const byName = ([a]: [string, number], [b]: [string, number]): number => (a < b ? -1 : 1);

const command = new Command('npm run test:times --')
  .description(
    'Measures each file of tests: wall clock, CPU, processes started, share of waiting. Writes test/runner/times.json, ' +
      'and docs/measurements/suite.md when no path is named.',
  )
  .argument('[paths...]', 'files or folders of test/; default: all of both tiers');

const run = async (paths: readonly string[]): Promise<number> => {
  const files = listTestFiles();
  const selected = paths.length > 0 ? selectPaths(files, paths) : selectTier(files, 'all');
  const jobs = availableParallelism();
  const order = dearestFirst(selected, readRecorded());
  const { results, failures, isInterrupted } = await runFiles({ files: order, jobs, runsFactor: 1 });
  if (isInterrupted) return INTERRUPTED;
  const measured = results.filter(isMeasured);
  writeFileSync(RECORDED, `${JSON.stringify(toRecorded(measured, selectTier(files, 'all')), undefined, 2)}\n`);
  if (failures.length > 0) {
    print('files that failed keep their former times, and the page is as it was: repair them, and measure again');
    return 1;
  }
  if (paths.length === 0) writeFileSync(PAGE, toPage(readFileSync(PAGE, 'utf8'), measured, jobs));
  return 0;
};

command.parse();
await exitWith(() => run(command.args));
