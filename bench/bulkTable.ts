// The table of bench:bulk.
import { describeAim } from './aims.ts';
import { toTable } from './table.ts';

/** Events a second to aim for. */
const AIMS = { bulk: 5_000, export: 20_000 };

/** What one measurement took. */
export interface BulkResult {
  readonly title: string;
  readonly kind: keyof typeof AIMS;
  readonly events: number;
  readonly seconds: number;
  /** CPU time of the server's main thread. */
  readonly mainMs: number;
}

/** The measurements with their rate, the CPU time of an event, and whether the aim is met. */
export const toBulkTable = (rows: readonly BulkResult[]): string =>
  toTable(
    ['', 'events/s', 'main thread, µs an event', 'events measured', 'aim: events/s'],
    rows.map(({ title, kind, events, seconds, mainMs }) => [
      title,
      (events / seconds).toFixed(0),
      ((mainMs * 1000) / events).toFixed(0),
      events,
      describeAim(`≥ ${AIMS[kind].toLocaleString('en-US')}`, events / seconds >= AIMS[kind]),
    ]),
  );
