// npm run bench:growth: how the cost of an event grows with the ledger. One ledger grows from size to size. Writes
// docs/measurements/growth.md and growth.svg.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Command, InvalidArgumentError } from 'commander';
import { describeMachine } from '../machine.ts';
import { toGrowthTable } from './growthTable.ts';
import { measureSize, type SizeFigures } from './measureSize.ts';
import { drawPlot, type Panel } from './plot.ts';

const SIZE_MIN = 1_000;
const PAGE = fileURLToPath(new URL('../../docs/measurements/growth.md', import.meta.url));
const PLOT = fileURLToPath(new URL('../../docs/measurements/growth.svg', import.meta.url));

const parseSizes = (text: string): number[] => {
  const sizes = text.split(',').map(Number);
  const isAscending = sizes.every((size, at) => Number.isSafeInteger(size) && size > (sizes[at - 1] ?? SIZE_MIN - 1));
  if (isAscending) return sizes;
  throw new InvalidArgumentError(
    `It is a list of ascending whole numbers from ${SIZE_MIN} on, with commas between them.`,
  );
};

const toPanels = (sizes: readonly SizeFigures[]): Panel[] => {
  const toSeries = (name: string, pick: (figures: SizeFigures) => number) => ({
    name,
    // Memory that is freed meanwhile may be more than what is added.
    values: sizes.map((figures) => Math.max(0, pick(figures))),
  });
  return [
    {
      title: 'CPU time of the main thread per event',
      unit: 'µs',
      series: [toSeries('write', (size) => size.writeCpuUs), toSeries('rebuild', (size) => size.rebuildCpuUs)],
    },
    {
      title: 'Files per event',
      unit: 'bytes',
      series: [toSeries('journal', (size) => size.journalBytes), toSeries('index', (size) => size.indexBytes)],
    },
    {
      title: 'Memory per event',
      unit: 'kB',
      series: [
        toSeries('while written', (size) => size.writeMemoryBytes / 1_000),
        toSeries('at the first read', (size) => size.startedMemoryBytes / size.events / 1_000),
      ],
    },
    { title: 'Start to the first read', unit: 's', series: [toSeries('start', (size) => size.startSeconds)] },
    {
      title: 'Median of a read',
      unit: 'ms',
      series: [toSeries('first page', (size) => size.pageMs), toSeries('count', (size) => size.countMs)],
    },
  ];
};

const toReport = (sizes: readonly SizeFigures[]): string => `# How cost grows with the ledger

Written by \`npm run bench:growth -- --sizes ${sizes.map(({ events }) => events).join(',')}\`.
Machine: ${describeMachine()}. Load average at the end: ${loadavg()[0]!.toFixed(1)}; elapsed times include what other processes used.

![The figures of the table over the number of events](growth.svg)

${toGrowthTable(sizes)}

One ledger on the embedded chain grows from each size to the next. Its events have 8 attributes on average and one asset
for each hundred. They are written through the ledger's writer in one process, 1,000 at once and so in the largest
batches, without HTTP: the figures have no part of a request. CPU time and memory are for the events after the first
tenth of each step; memory is the growth of the resident memory, which up to some 15,000 events is mostly caches and
buffers that grow to their bounds, and V8's young generation. A server is then started on the directory and its first
list of assets is requested until it is answered. Once the chain is replayed, its memory has grown as much as by writing
all events. Rebuild and reads are those of \`npm run bench:reads\`, on an index of as many events whose chain is
generated; reads have one client. [start.md](start.md) measures starts alone.
`;

const measureAll = async (root: string, sizes: readonly number[]): Promise<SizeFigures[]> => {
  const measured: SizeFigures[] = [];
  const dataDir = join(root, 'data');
  for (const [at, to] of sizes.entries()) {
    console.error(`${to} events ...`);
    const order = { dataDir, from: sizes[at - 1] ?? 0, to, total: sizes.at(-1)! };
    measured.push(await measureSize(root, order));
  }
  return measured;
};

const run = async (options: { sizes: number[]; print: boolean }): Promise<void> => {
  const root = await mkdtemp(join(tmpdir(), 'provenance-growth-'));
  try {
    const measured = await measureAll(root, options.sizes);
    const report = toReport(measured);
    console.log(report);
    if (options.print) return;
    const events = measured.map((figures) => figures.events);
    await writeFile(PLOT, drawPlot('How cost grows with the ledger', events, toPanels(measured)));
    await writeFile(PAGE, report);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
};

await new Command('bench:growth')
  .description('Measures how the cost of an event grows with the ledger, and writes docs/measurements/growth.md')
  .option(
    '--sizes <list>',
    'sizes in events, ascending; 1000000 need gigabytes of memory',
    parseSizes,
    [10_000, 30_000, 100_000, 300_000, 1_000_000],
  )
  .option('--print', 'only print, leave docs/measurements/growth.md and growth.svg as they are', false)
  .action(run)
  .parseAsync();
