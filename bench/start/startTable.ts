// The table of bench:start.
import { LEDGER_LIMITS } from '../../host/settings/installationLimits.ts';
import { describeAim } from '../aims.ts';
import { toTable } from '../table.ts';
import type { Milestone, StartFigures } from './measureStart.ts';

/** The number of events that the aims are for. */
export const AIMED_EVENTS = 100_000;
/** The latest first read to aim for. */
export const AIM_READ_MS = 3_000;
/** A write that is accepted at once is answered at most so long after the usual wait for its block. */
export const ACCEPTANCE_MS = 1_000;

/** A start that was measured. */
export interface Start {
  readonly title: string;
  readonly figures: StartFigures;
}

const isReadInTime = ({ figures: { read } }: Start): boolean => read.elapsedMs <= AIM_READ_MS;

// The first write is sent when the first read is answered.
const isWriteAccepted = ({ figures: { read, write } }: Start): boolean =>
  write.elapsedMs - read.elapsedMs <= LEDGER_LIMITS.commitWaitMs + ACCEPTANCE_MS;

const toCells = ({ elapsedMs, mainThreadCpuMs, cpuMs }: Milestone): string =>
  [elapsedMs, mainThreadCpuMs, cpuMs].map((ms) => (ms / 1_000).toFixed(2)).join(' / ');

/** The milestones of the starts side by side, and whether all meet the aims. `events`: those of the ledger. */
export const toStartTable = (events: number, starts: readonly Start[]): string => {
  const aim = (text: string, isMet: (start: Start) => boolean): string =>
    events === AIMED_EVENTS ? describeAim(text, starts.every(isMet)) : '';
  return toTable(
    ['seconds / CPU seconds of the main thread / of all threads', ...starts.map(({ title }) => title), 'aim'],
    [
      [
        'first read answered',
        ...starts.map(({ figures: { read } }) => toCells(read)),
        aim(`≤ ${AIM_READ_MS / 1_000} s`, isReadInTime),
      ],
      [
        'first write answered',
        ...starts.map(({ figures: { write } }) => `${toCells(write)}, ${write.status}`),
        aim('accepted at once', isWriteAccepted),
      ],
      ['chain replayed, first write CONFIRMED', ...starts.map(({ figures }) => toCells(figures.confirmed)), ''],
    ],
  );
};
