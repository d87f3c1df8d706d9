// Adds up the reports of runs, for the progress line and the summary.
import type { RunReport } from './messages.ts';

/** Sums of reports. */
export interface Tally {
  add(report: RunReport): void;
  readonly runs: number;
  /** Reports with violations, in the order of their arrival. */
  readonly failures: readonly RunReport[];
  /** The summary, with the seeds for each second of real time that passed. */
  format(elapsedMs: number): string;
}

const SEEDS_SHOWN = 5;

const toThousands = (number: number): string => Math.round(number).toLocaleString('en-US');

const toLines = (title: string, rows: readonly (readonly [name: string, value: string])[]): string[] => {
  const nameColumns = Math.max(...rows.map(([name]) => name.length));
  const valueColumns = Math.max(...rows.map(([, value]) => value.length));
  return [title, ...rows.map(([name, value]) => `  ${name.padEnd(nameColumns)}  ${value.padStart(valueColumns)}`)];
};

// The name of a count is `group: name`. The groups are in alphabetical order, the most frequent name of each first.
const toGroups = (counts: ReadonlyMap<string, number>): Map<string, [name: string, value: string][]> => {
  const groups = new Map<string, [string, string][]>();
  const sorted = [...counts].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  for (const [fullName, value] of sorted) {
    const [group = '', ...name] = fullName.split(': ');
    const rows = groups.get(group) ?? [];
    groups.set(group, [...rows, [name.join(': '), toThousands(value)]]);
  }
  return new Map([...groups].sort(([a], [b]) => (a < b ? -1 : 1)));
};

const formatFailures = (failures: readonly RunReport[]): string[] => {
  if (failures.length === 0) return [];
  const byCheck = Map.groupBy(failures, ({ violations }) => violations[0]!.check);
  const rows = [...byCheck].map(([check, reports]) => {
    const seeds = reports.slice(0, SEEDS_SHOWN).map(({ task }) => task.seed);
    const more = reports.length > SEEDS_SHOWN ? ', ...' : '';
    return [check, `${reports.length} (${seeds.join(', ')}${more})`] as const;
  });
  return ['', ...toLines('Failures by check, with seeds', rows)];
};

/** Sums that are zero. */
export const createTally = (): Tally => {
  const counts = new Map<string, number>();
  const failures: RunReport[] = [];
  let runs = 0;
  let virtualMs = 0;
  const formatTotals = (elapsedMs: number): string => {
    const seconds = elapsedMs / 1000;
    const virtualHours = (virtualMs / 3_600_000).toFixed(1);
    const rate = (runs / Math.max(seconds, 0.001)).toFixed(1);
    return (
      `${toThousands(runs)} ${runs === 1 ? 'seed' : 'seeds'}: ${toThousands(runs - failures.length)} clean, ${toThousands(failures.length)} failed. ` +
      `${seconds.toFixed(1)} s, ${rate} seeds/s, ${virtualHours} h of virtual time.`
    );
  };
  return {
    add: (report) => {
      runs += 1;
      virtualMs += report.virtualMs;
      for (const [name, value] of Object.entries(report.counts)) counts.set(name, (counts.get(name) ?? 0) + value);
      if (report.violations.length > 0) failures.push(report);
    },
    get runs() {
      return runs;
    },
    failures,
    format: (elapsedMs) =>
      [
        ...[...toGroups(counts)].flatMap(([group, rows]) => [...toLines(group, rows), '']),
        formatTotals(elapsedMs),
        ...formatFailures(failures),
      ].join('\n'),
  };
};
