// The planned kills of a run: each waits for so many operations of the server, and ends its process before or after the
// last of them.
import type { DecideKill, KillKind, KillPoint } from '../world/processes.ts';

/** A planned kill. */
export interface PlannedKill {
  /** Operations that pass before the one at which the process ends. */
  readonly operations: number;
  readonly point: KillPoint;
  readonly how: KillKind;
  /** Only operations whose names contain this text count; undefined: all do. */
  readonly place?: string;
  /** Of these, only operations on files whose names contain this text; undefined: on all. */
  readonly file?: string;
  /** A kill of the start that follows, if any. */
  readonly next?: PlannedKill;
}

interface ArmedKill extends PlannedKill {
  remaining: number;
}

/** The kills of one run. */
export interface Kills {
  readonly decide: DecideKill;
  /** Counts the operations of a kill from now on. */
  arm(kill: PlannedKill): void;
  /** Counts the operations of a kill from the next start of the server on. */
  armAtStart(kill: PlannedKill): void;
  /** The server starts. */
  onStart(): void;
  /** Number of kills that have not happened. */
  pending(): number;
  /** Removes every kill that has not happened. */
  disarm(): void;
}

const isAimedAt = ({ place, file }: PlannedKill, what: () => string): boolean =>
  [place, file].every((text) => text === undefined || what().includes(text));

// A kill and those that follow it.
const countAll = (kills: readonly PlannedKill[]): number =>
  kills.reduce((count, { next }) => count + (next === undefined ? 1 : 2), 0);

/** Kills of a run, none planned. `onKill` is called with the name of the operation. */
export const createKills = (onKill: (point: KillPoint, what: string) => void): Kills => {
  let armed: ArmedKill[] = [];
  let atStart: PlannedKill[] = [];
  const arm = (kill: PlannedKill): void => void armed.push({ ...kill, remaining: kill.operations });
  return {
    decide: (_process, point, what) => {
      for (const kill of armed) {
        if (kill.point !== point || !isAimedAt(kill, what)) continue;
        kill.remaining -= 1;
        if (kill.remaining >= 0) continue;
        armed = armed.filter((other) => other !== kill);
        if (kill.next !== undefined) atStart.push(kill.next);
        onKill(point, what());
        return kill.how;
      }
      return undefined;
    },
    arm,
    armAtStart: (kill) => void atStart.push(kill),
    onStart: () => {
      for (const kill of atStart) arm(kill);
      atStart = [];
    },
    pending: () => countAll([...armed, ...atStart]),
    disarm: () => {
      armed = [];
      atStart = [];
    },
  };
};
