// The page of bench:sharing.
import { describeMachine } from '../machine.ts';
import { toTable } from '../table.ts';
import type { Latencies } from './sideBySide.ts';

/** The aim: with sharing, p99 is at most so many times that without. */
const AIM_FACTOR = 2;

/** What was measured of one kind of request. */
export interface SharingRow {
  readonly title: string;
  readonly pageSize: number;
  readonly bytes: readonly [without: number, withSharing: number];
  readonly without: Latencies;
  readonly withSharing: Latencies;
}

const toCell = ({ medianMs, p99Ms, cpuMedianMs, cpuP99Ms }: Latencies): string =>
  `${medianMs.toFixed(1)} / ${p99Ms.toFixed(1)}; ${cpuMedianMs.toFixed(1)} / ${cpuP99Ms.toFixed(1)}`;

const toFactors = (of: (latencies: Latencies) => number, { without, withSharing }: SharingRow): string =>
  (of(withSharing) / of(without)).toFixed(1);

const isMet = ({ without, withSharing }: SharingRow, of: (latencies: Latencies) => number): boolean =>
  of(withSharing) <= AIM_FACTOR * of(without);

/** The table of the requests. */
export const toSharingTable = (rows: readonly SharingRow[]): string =>
  toTable(
    [
      'request',
      'records',
      'without: p50 / p99; CPU, ms',
      'shared: p50 / p99; CPU, ms',
      'p50 ×',
      'p99 ×',
      'CPU p50 ×',
      'CPU p99 ×',
      'KiB',
      `p99 × ${AIM_FACTOR}`,
    ],
    rows.map((row) => [
      row.title,
      row.pageSize,
      toCell(row.without),
      toCell(row.withSharing),
      toFactors(({ medianMs }) => medianMs, row),
      toFactors(({ p99Ms }) => p99Ms, row),
      toFactors(({ cpuMedianMs }) => cpuMedianMs, row),
      toFactors(({ cpuP99Ms }) => cpuP99Ms, row),
      row.bytes.map((each) => Math.round(each / 1024)).join(' / '),
      isMet(row, ({ p99Ms }) => p99Ms) ? 'met' : 'missed',
    ]),
  );

/** What a run measured, and under which conditions. */
export interface SharingRun {
  readonly sections: readonly { readonly title: string; readonly text: string; readonly rows: readonly SharingRow[] }[];
  readonly events: number;
  readonly policies: number;
  /** The machine's load averages before and after the measurements. */
  readonly loads: readonly number[];
}

/** The tables, each below its heading. */
export const toSections = ({ sections }: Pick<SharingRun, 'sections'>): string =>
  sections.map(({ title, text, rows }) => `## ${title}\n\n${text}\n\n${toSharingTable(rows)}`).join('\n\n');

const toSummary = (sections: SharingRun['sections']): string => {
  const rows = sections.flatMap((section) => section.rows);
  const count = (of: (latencies: Latencies) => number): number => rows.filter((row) => isMet(row, of)).length;
  const [p99, median] = [count(({ p99Ms }) => p99Ms), count(({ medianMs }) => medianMs)];
  const [cpuP99, cpuMedian] = [count(({ cpuP99Ms }) => cpuP99Ms), count(({ cpuMedianMs }) => cpuMedianMs)];
  return `- Within twice: ${p99} of ${rows.length} kinds of requests by the p99 of the latency, ${median} by its p50; ${cpuP99} by the p99 of
  the CPU time, ${cpuMedian} by its p50.`;
};

/** The page. */
export const toSharingReport = (run: SharingRun): string => `# Lists over own and shared records

Written by \`npm run bench:sharing\`: all figures are from one run.

- Machine: ${describeMachine()}.
- Ledger: that of [reads.md](reads.md). The owner has ${run.events.toLocaleString('en')} events of
  ${Math.floor(run.events / 100).toLocaleString('en')} assets, the reader a fiftieth of that.
- Access policies: ${run.policies} of the owner, all for the reader. Each has two lists of two conditions and matches
  about a tenth of the assets. They permit four lists of attribute names and five of display types, in turn; one of
  four lists and one of five is \`*\`.
- Load average before and after: ${run.loads.map((load) => load.toFixed(1)).join(', ')}. The process itself is a load of 1;
  the rest is from other processes.
- Aim: p99 within twice that of the same list without sharing.
${toSummary(run.sections)}

"Without" is the owner's list of its own records; "shared" is the reader's list of its own records and of those that are
shared with it. Each request without sharing is followed by the same one with sharing, one at a time, in the process of
the index and without HTTP, so that other load on the machine affects both alike. CPU is the main thread's time on a
processor for one request, p50 and p99, which other processes prolong little; the p99 of the latency is mostly theirs
when they are busy. Lists of events are always counted, as the server does.
A later page begins after 2,000 records. KiB: the answer's size, without and with sharing.

${toSections(run)}
`;
