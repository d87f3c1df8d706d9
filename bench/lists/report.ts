// The page of bench:lists.
import { describeMachine } from '../machine.ts';
import { toTable } from '../table.ts';

/** The 99th percentile of the latency to aim for, in milliseconds. */
const AIM_P99_MS = 50;

/** What was measured of one kind of request. */
export interface ListRow {
  readonly title: string;
  readonly pageSize: number;
  readonly medianMs: number;
  readonly p99Ms: number;
  readonly perSecond: number;
  /** CPU time of the server's main thread for one request, with its part of what the written events need. */
  readonly mainCpuMs: number;
  /** The same of all threads of the server. */
  readonly cpuMs: number;
  readonly writesPerSecond: number;
  /** Bytes of an answer's body. */
  readonly bytes: number;
}

/** The table of the requests. */
export const toListTable = (rows: readonly ListRow[]): string =>
  toTable(
    [
      'request',
      'records',
      'p50, ms',
      'p99, ms',
      'requests/s',
      'main thread, CPU ms',
      'all threads, CPU ms',
      'written/s',
      'bytes',
      '',
    ],
    rows.map((row) => [
      row.title,
      row.pageSize,
      row.medianMs.toFixed(1),
      row.p99Ms.toFixed(1),
      row.perSecond.toFixed(0),
      row.mainCpuMs.toFixed(2),
      row.cpuMs.toFixed(2),
      row.writesPerSecond.toFixed(0),
      row.bytes,
      row.p99Ms <= AIM_P99_MS ? 'met' : 'missed',
    ]),
  );

/** What a run measured, and under which conditions. */
export interface ListRun {
  readonly rows: readonly ListRow[];
  readonly events: number;
  readonly clients: number;
  /** The machine's load averages before and after the measurements. */
  readonly loads: readonly number[];
}

/** The page. */
export const toListReport = ({ rows, events, clients, loads }: ListRun): string => `# Lists over HTTP

Written by \`npm run bench:lists\`: all figures are from one run.

- Machine: ${describeMachine()}.
- Ledger: ${events.toLocaleString('en')} events, that of [reads.md](reads.md).
- Clients: ${clients} in a closed loop, in a second process on the same machine, each with a persistent connection.
- Load average before and after: ${loads.map((load) => load.toFixed(1)).join(', ')}. The benchmark itself is a load of about 2.
- Aim: p99 of ${AIM_P99_MS} ms.

Included: everything that a client's request passes (HTTP, token, authorization, validation, the list, the JSON, the
socket), and what the index does for the events that are written meanwhile: decoding, projection, writes, and rows that
are new for every page. Not included: what accepts and mines these events (the POST, the outbox, signatures, the EVM,
the journal). They come from a generator, in blocks of 4, and none is uncommitted when a list is read.

Each request has values of its own, 5,000 of them in turn, so a filter of 200 values is often one that was requested
before. CPU ms: the server's CPU time divided by the requests, with what the written events need; other processes
prolong the latencies more than that. A count is the header of a page with one record.

${toListTable(rows)}
`;
