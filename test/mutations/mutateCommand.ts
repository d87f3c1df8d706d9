// npm run mutate -- [folder]: plants small faults, and reports those that no test notices.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { onStopSignal } from '../../host/lifecycle/stopSignals.ts';
import { asInteger, exitWith, INTERRUPTED } from '../runner/options.ts';
import { createFolderRun, type FolderRun } from './folderRun.ts';
import { recordFolder, toFolderTable, toPercent } from './report.ts';
import { endRunningTests } from './runTestFile.ts';
import { selectFiles } from './selection.ts';

interface Options {
  readonly seed: number;
  readonly count: number;
  readonly jobs: number;
  readonly tests: number;
  readonly least: number;
  readonly files?: readonly string[];
  readonly list: boolean;
  readonly record: boolean;
}

const PAGE = new URL('../../docs/measurements/mutations.md', import.meta.url);
const JOBS_MAX = 2;

/** What is run without a folder. */
const FOLDERS = [
  'chain/network',
  'chain/writing',
  'explorer/check',
  'explorer/state',
  'host/evidence',
  'host/import',
  'host/tenancy',
  'indexer/reads/sharing',
  'ledger/evidence',
  'server/streams',
];

const runFolders = async (folders: readonly string[], run: FolderRun, options: Options): Promise<number> => {
  const reports = [];
  for (const folder of folders) {
    const report = await run.tryFolder(folder, selectFiles(folder, options.files), options);
    reports.push(report);
    if (options.record) writeFileSync(PAGE, recordFolder(readFileSync(PAGE, 'utf8'), report, run.changeOf));
  }
  console.log(`\n${toFolderTable(reports)}`);
  return reports.every((report) => toPercent(report) >= options.least) ? 0 : 1;
};

const run = async (given: readonly string[], options: Options): Promise<number> => {
  const folders = given.length > 0 ? given.map((folder) => folder.replace(/\/$/, '')) : FOLDERS;
  // The name is short, because the path of a socket may have only a hundred characters.
  const directory = mkdtempSync(join(tmpdir(), 'pm-'));
  const remove = (): void => {
    endRunningTests();
    rmSync(directory, { recursive: true, force: true, maxRetries: 10 });
  };
  const release = onStopSignal((signal) => {
    console.error(`${signal}: the copies of the repository are being removed`);
    remove();
    process.exit(INTERRUPTED);
  }, remove);
  try {
    const folderRun = createFolderRun(directory, options);
    if (!options.list) return await runFolders(folders, folderRun, options);
    for (const folder of folders) folderRun.list(selectFiles(folder, options.files), options);
    return 0;
  } finally {
    remove();
    release();
  }
};

const command = new Command('npm run mutate --')
  .description(
    'Plants small faults in the files of folders, one at a time in a copy, and runs the tests that execute their places.',
  )
  .argument('[folders...]', 'folders of the repository; default: those of docs/measurements/mutations.md')
  .option('--seed <number>', 'which faults: the same seed chooses the same', asInteger(0), 1)
  .option('--count <number>', 'how many faults in each folder', asInteger(1), 25)
  .option('--files <names...>', 'only files whose path contains one of these texts')
  .option('--tests <number>', 'files of tests that are asked about a fault at most', asInteger(1), 25)
  .option('--jobs <number>', `faults that are tried at once, ${JOBS_MAX} at most`, asInteger(1), JOBS_MAX)
  .option('--least <percent>', 'the exit code is 1 when fewer of a folder are killed', asInteger(0), 92)
  .option('--list', 'print the faults without trying them', false)
  .option('--record', 'write the results to docs/measurements/mutations.md', false)
  .parse();

await exitWith(() => {
  const options = command.opts<Options>();
  return run(command.args, { ...options, jobs: Math.min(options.jobs, JOBS_MAX) });
});
