// npm run bench:explorer: measures what a browser loads for the explorer, when it paints, and how long its build takes.
import { execFile } from 'node:child_process';
import { stat, writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Command } from 'commander';
import { chromium } from 'playwright-core';
import { describeAim } from '../aims.ts';
import { describeMachine } from '../machine.ts';
import { quantile } from '../quantile.ts';
import { toTable } from '../table.ts';
import { withExplorerServer } from './explorerServer.ts';
import { type CheckLoads, loadChecks, loadFirstPage, type PageLoad } from './pageFigures.ts';

const PAGE = fileURLToPath(new URL('../../docs/measurements/explorer.md', import.meta.url));
const BUILD = fileURLToPath(new URL('../../scripts/buildExplorer.ts', import.meta.url));
const BUILT = fileURLToPath(new URL('../../explorer/dist', import.meta.url));
const CHROMIUM_NAMES = ['chromium', 'chromium-browser', 'google-chrome'];
const BUILDS = 5;
const LOADS = 15;
const AIMS = { firstLoadKb: 100, verifierKb: 45, buildMs: 3_000, firstPaintMs: 1_000 };

const findBrowser = async (): Promise<string> => {
  const command = `for name in ${CHROMIUM_NAMES.join(' ')}; do command -v $name; done; true`;
  const { stdout } = await promisify(execFile)('sh', ['-c', command]);
  const [found = ''] = stdout.split('\n');
  if (found === '') throw new Error('there is no Chromium on the PATH; install it, or name it with --chromium');
  return found;
};

const measureBuilds = async (): Promise<number[]> => {
  const times: number[] = [];
  for (let build = 0; build < BUILDS; build += 1) {
    const started = performance.now();
    await promisify(execFile)(process.execPath, [BUILD]);
    times.push(performance.now() - started);
  }
  return times.sort((a, b) => a - b);
};

// As the server sends them to a client that accepts gzip alone.
const toGzipKb = async (paths: readonly string[]): Promise<number> => {
  const sizes = await Promise.all(paths.map(async (path) => (await stat(join(BUILT, `${path}.gz`))).size));
  return sizes.reduce((sum, size) => sum + size, 0) / 1_000;
};

interface Figures {
  readonly builds: readonly number[];
  readonly loads: readonly PageLoad[];
  readonly checks: CheckLoads;
  readonly version: string;
}

const measure = async (executablePath: string): Promise<Figures> => {
  const builds = await measureBuilds();
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    return await withExplorerServer(async (server) => {
      const loads: PageLoad[] = [];
      for (let load = 0; load < LOADS; load += 1) loads.push(await loadFirstPage(browser, server));
      return { builds, loads, checks: await loadChecks(browser, server), version: browser.version() };
    });
  } finally {
    await browser.close();
  }
};

const describeKb = (kilobytes: number, aimKb: number): [string, string] => [
  kilobytes.toFixed(1),
  describeAim(`≤ ${aimKb}`, kilobytes <= aimKb),
];

const toSizeRows = async ({ loads, checks }: Figures): Promise<string[][]> => {
  const ofFile = (path: string) => toGzipKb([path]);
  return [
    ['first load of `/`, signed in', ...describeKb(await toGzipKb(loads[0]!.paths), AIMS.firstLoadKb)],
    ["check of an event's JSON, besides the page", ...describeKb(await toGzipKb(checks.chain), AIMS.verifierKb)],
    ['check of an evidence file, besides the page', ...describeKb(await toGzipKb(checks.evidence), AIMS.verifierKb)],
    ['the same with the key of a log in `trust.json`', (await toGzipKb(checks.signed)).toFixed(1), ''],
    ['`verify.html`, with all that is above and time stamps', (await ofFile('verify.html')).toFixed(1), ''],
  ];
};

const toTimeRow = (title: string, sorted: readonly number[], aimMs: number): string[] => {
  const median = quantile(sorted, 0.5);
  return [
    title,
    median.toFixed(0),
    sorted.at(-1)!.toFixed(0),
    describeAim(`≤ ${aimMs.toLocaleString('en')}`, median <= aimMs),
  ];
};

const toReport = async (figures: Figures): Promise<string> => {
  const paints = figures.loads.map(({ firstPaintMs }) => firstPaintMs).sort((a, b) => a - b);
  return `# The explorer

Written by \`npm run bench:explorer\`: all figures are from one run.

- Machine: ${describeMachine()}.
- Browser: Chromium ${figures.version}, without a window, with an empty cache for each load.
- Load average at the end: ${loadavg()[0]!.toFixed(1)}. Times include what other processes used.

## Sizes

Of the files that the browser loaded, as gzip has them; with Brotli, which browsers accept, a tenth less. A check loads the
verifier when it is needed; the curves of signatures only where \`trust.json\` names keys of logs, witnesses or validators,
and the libraries of time stamps only where it names their authorities.

${toTable(['kB with gzip', 'measured', 'aim'], await toSizeRows(figures))}

## Times

${BUILDS} builds, and ${LOADS} loads of \`/\` from a server on the same machine.

${toTable(
  ['ms', 'median', 'longest', 'aim of the median'],
  [
    toTimeRow('build of all files, `verify.html` included', figures.builds, AIMS.buildMs),
    toTimeRow('first contentful paint of `/`, signed in', paints, AIMS.firstPaintMs),
  ],
)}
`;
};

const run = async (options: { chromium?: string; print: boolean }): Promise<void> => {
  const report = await toReport(await measure(options.chromium ?? (await findBrowser())));
  console.log(report);
  if (!options.print) await writeFile(PAGE, report);
};

await new Command('bench:explorer')
  .description('Measures what a browser loads for the explorer, its first paint, and its build')
  .option('--chromium <path>', 'the browser (default: the one on the PATH)')
  .option('--print', 'only print, instead of writing docs/measurements/explorer.md', false)
  .action(run)
  .parseAsync();
