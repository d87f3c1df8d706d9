// What bench:reads found, as tables: the sizes side by side, each figure with its aim.
import { describeMachine } from '../machine.ts';
import type { FilledIndex } from './fill.ts';
import type { Measured } from './measure.ts';
import { AIMS, type BenchQuery } from './queries.ts';

/** Events that a rebuild should take in each second. */
const REBUILD_AIM = 20_000;

/** One query on the indexes of all sizes, with one number of clients. */
export interface QueryRow {
  readonly query: Pick<BenchQuery, 'title' | 'aim'>;
  readonly clients: number;
  /** By size. */
  readonly answers: readonly number[];
  readonly measured: readonly Measured[];
}

const toCount = (count: number): string => Math.round(count).toLocaleString('en');
const toMs = (ms: number): string => ms.toFixed(ms < 10 ? 2 : 0);

const toTable = (header: readonly string[], rows: readonly (readonly string[])[]): string =>
  [header, header.map((_, at) => (at === 0 ? '---' : '---:')), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');

// `met`, or the sizes at which the aim was missed.
const toVerdict = (isMet: readonly boolean[], sizes: readonly number[]): string =>
  isMet.every((met) => met)
    ? 'met'
    : `missed at ${sizes
        .filter((_, at) => !isMet[at])
        .map(toCount)
        .join(', ')}`;

/** How fast the indexes were made, and how large they are. */
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

/** The queries with one number of clients: median and p99 in ms, and requests a second. */
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

/** What each query takes of the main thread's time with one client, and how much it answers. */
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

Written by \`npm run bench:reads\`: everything here is of one run. Machine: ${describeMachine()}. Load average before and after the rebuilds, and at
the end: ${loads.map((load) => load.toFixed(1)).join(', ')}. The process itself is a load of 1 to 2; what is above was others'.

The ledger is generated, always the same (\`bench/reads/readsLedger.ts\`): one tenant with one asset for each 100 events, and a second
tenant a fiftieth as large. The first asset has a tenth of all events; of the others, few have most (a power law). An event has seven attributes of its own, one of
them a text that no other has, one shared by two, the others of 4 to 100,000 values of which few come up most; every second event sets its asset's status.
200 people. Events are accepted up to a minute out of order, in blocks of 1 to 200 records.

The logs go through the follower, projection and store of an installation. The time that making them took is taken off (LevelDB's own
threads go on writing meanwhile). "CPU s" counts the main thread alone. Bytes are the directory's, compressed by LevelDB.

The requests go to the ledger view, where the server asks, in the same process, without HTTP; each has values of its own. Clients are closed loops: each asks
again when it has its answer. Up to 100 requests or 0.5 s of warm-up, then 1,000 requests or 2 s, whichever ends first. All clients share one
thread, so with 32 each waits for the 31 others: the median is about 32 times the work of one request, and the rate says how much the thread can do.

A deep page is page 500, or the one in the middle of a list that is shorter. Pages have 100 records. The last table has what one request takes of the
main thread's time, which others on the machine don't change, beside the answer: the number of records on the last page read, or the count.

${tables}
`;
