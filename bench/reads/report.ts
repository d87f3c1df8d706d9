// The results of bench:reads as tables: the sizes side by side, each figure with its aim.
import { describeMachine } from '../machine.ts';
import { toTable } from '../table.ts';
import { AIMS, type BenchQuery } from './benchQueries.ts';
import type { FilledIndex } from './fill.ts';
import type { Measured } from './measure.ts';

/** The events per second to aim for in a rebuild. */
const REBUILD_AIM = 20_000;

/** The results of one query on the indexes of all sizes, with one number of clients. */
export interface QueryRow {
  readonly query: Pick<BenchQuery, 'title' | 'aim'>;
  readonly clients: number;
  /** By size. */
  readonly answers: readonly number[];
  readonly measured: readonly Measured[];
}

const toCount = (count: number): string => Math.round(count).toLocaleString('en');
const toMs = (ms: number): string => ms.toFixed(ms < 10 ? 2 : 0);

// `met`, or the sizes at which the aim was missed.
const toVerdict = (isMet: readonly boolean[], sizes: readonly number[]): string =>
  isMet.every((met) => met)
    ? 'met'
    : `missed at ${sizes
        .filter((_, at) => !isMet[at])
        .map(toCount)
        .join(', ')}`;

/** The table of the rebuilds: their pace, and the size of the indexes. */
export const toRebuildTable = (indexes: readonly FilledIndex[]): string =>
  toTable(
    [
      'events',
      'assets',
      'blocks',
      'events/s',
      'events per CPU s',
      'bytes/event',
      `aim: ${toCount(REBUILD_AIM)} events/s`,
    ],
    indexes.map(({ tenant, events, blocks, rebuild, bytes }) => {
      const perSecond = (events / rebuild.elapsedMs) * 1000;
      return [
        toCount(tenant.events),
        toCount(tenant.assets),
        toCount(blocks),
        toCount(perSecond),
        toCount((events / rebuild.cpuMs) * 1000),
        toCount(bytes / events),
        perSecond >= REBUILD_AIM ? 'met' : 'missed',
      ];
    }),
  );

const toCell = ({ medianMs, p99Ms, perSecond }: Measured): string =>
  `${toMs(medianMs)} / ${toMs(p99Ms)} / ${toCount(perSecond)}`;

/**
 * The table of the queries with one number of clients: median and 99th percentile in milliseconds, and requests per
 * second.
 */
export const toQueryTable = (rows: readonly QueryRow[], sizes: readonly number[]): string =>
  toTable(
    ['request', ...sizes.map((size) => `${toCount(size)}: p50 / p99 / per s`), 'aim: p99, ms', ''],
    rows.map(({ query, measured }) => [
      query.title,
      ...measured.map(toCell),
      String(AIMS[query.aim]),
      toVerdict(
        measured.map(({ p99Ms }) => p99Ms <= AIMS[query.aim]),
        sizes,
      ),
    ]),
  );

/** The table of the main thread's CPU time for each query with one client, and of the size of the answer. */
export const toWorkTable = (rows: readonly QueryRow[], sizes: readonly number[]): string =>
  toTable(
    ['request', ...sizes.map((size) => `${toCount(size)}: CPU ms`), 'answer'],
    rows.map(({ query, answers, measured }) => [
      query.title,
      ...measured.map(({ cpuMs }) => cpuMs.toFixed(3)),
      answers.map(toCount).join(', '),
    ]),
  );

/** The page docs/measurements/reads.md. `loads` are the machine's load averages during the run. */
export const toReport = (tables: string, loads: readonly number[]): string => `# Reads of the index

Written by \`npm run bench:reads\`: all figures are from one run.

- Machine: ${describeMachine()}.
- Load average before the rebuilds, after them, and at the end: ${loads.map((load) => load.toFixed(1)).join(', ')}.
  The process itself is a load of 1 to 2; the rest is from other processes.

The ledger is generated and always the same (\`bench/reads/readsLedger.ts\`): one tenant with one asset for each 100
events, and a second tenant a fiftieth as large. The first asset has a tenth of all events; the others follow a power
law. An event has seven attributes of its own: one with a unique text, one with a text that two events share, the
others with 4 to 100,000 values of which few are frequent. Every second event sets its asset's status. There are 200
people. Events are accepted up to a minute out of order, in blocks of 1 to 200 records.

The logs pass through the follower, projection and store of an installation. The time for generating them is
subtracted (the thread that decodes logs and LevelDB's own threads continue meanwhile). "CPU s" counts the main thread
only. Bytes are those of the directory, compressed by LevelDB.

The requests call the ledger view, as the server does, in the same process and without HTTP; each has its own values.
Clients are closed loops: each sends its next request when it has its answer. Up to 100 requests or 0.5 s of warm-up
are followed by 1,000 requests or 2 s, whichever ends first. All clients share one thread, so with 32 clients each
waits for the other 31: the median is about 32 times the work of one request, and the rate is the capacity of the
thread.

A deep page is page 500, or the middle one of a shorter list. Pages have 100 records. The last table has the time of
the main thread for one request, which other processes don't change, and the answer: the number of records on the last
page read, or the count.

${tables}
`;
