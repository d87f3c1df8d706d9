// Simulated processes of an operating system: runs of a server. Whatever a process does outside itself passes through
// `perform`, and a process can be killed before and after every such operation.
import { AsyncLocalStorage } from 'node:async_hooks';
import { theWorld } from './world.ts';

/** The end of a process: SIGKILL keeps what the operating system has; a power failure loses what isn't synced. */
export type KillKind = 'SIGKILL' | 'power failure';

/** One run of a program on a simulated machine. */
export interface SimulatedProcess {
  readonly name: string;
  /** Name of the machine, whose disk and clock it uses. */
  readonly machine: string;
  isAlive(): boolean;
  /** Runs a task as part of this process: timers and promises that it creates belong to the process. */
  run<T>(task: () => T): T;
  /**
   * Ends the process at once. Operations that are in progress take effect or don't; nothing that it waits for is ever
   * answered.
   */
  kill(kind: KillKind): void;
}

/** An operation on something outside the process: a disk, a chain, a network. */
export interface Operation<T> {
  /** Its name in stories: `sync 000003.log of the outbox`. */
  readonly what: () => string;
  /** Shortest and longest time until it takes effect, in virtual milliseconds. */
  readonly delayMs: readonly [number, number];
  /** Whether it changes anything outside the process, so that the process can be killed before and after it. */
  readonly changes: boolean;
  /** What it does, at one moment. Its result or error is the operation's. */
  readonly effect: () => T;
}

/** Where a process may be killed: before an operation takes effect, or after that and before it is answered. */
export type KillPoint = 'before' | 'after';

/** Decides at each kill point whether the process ends there. */
export type DecideKill = (process: SimulatedProcess, point: KillPoint, what: () => string) => KillKind | undefined;

interface RunningProcess extends SimulatedProcess {
  /** Effects of the operations in progress. */
  readonly inProgress: Set<() => void>;
  /** Kills the process; the story has the point after `is killed`. */
  killAt(kind: KillKind, point: () => string): void;
}

const storage = new AsyncLocalStorage<RunningProcess>();
let decideKill: DecideKill = () => undefined;

/** Sets who decides about kills from now on. */
export const setKills = (decide: DecideKill): void => {
  decideKill = decide;
};

/** The process that the running code belongs to; undefined outside of simulated processes. */
export const currentProcess = (): SimulatedProcess | undefined => storage.getStore();

/** A new process on a machine. `onKilled` is called once, after the operations in progress took effect or didn't. */
export const startProcess = (options: {
  name: string;
  machine: string;
  onKilled: (kind: KillKind) => void;
}): SimulatedProcess => {
  const { name, machine, onKilled } = options;
  let isAlive = true;
  const inProgress = new Set<() => void>();
  let enter: ReturnType<typeof AsyncLocalStorage.snapshot> | undefined;
  const started: RunningProcess = {
    name,
    machine,
    inProgress,
    isAlive: () => isAlive,
    run: (task) => {
      // Made once: `storage.run` copies the context of the caller each time.
      enter ??= storage.run(started, () => AsyncLocalStorage.snapshot());
      return enter(task);
    },
    kill: (kind) => started.killAt(kind, () => ''),
    killAt: (kind, point) => {
      if (!isAlive) return;
      isAlive = false;
      theWorld().note(name, () => `is killed${point()} (${kind})`);
      const random = theWorld().stream('kills');
      for (const effect of inProgress) if (random.chance(0.5)) effect();
      inProgress.clear();
      onKilled(kind);
    },
  };
  return started;
};

// What a killed process waits for.
const never = <T>(): Promise<T> => new Promise<T>(() => undefined);

// `sync 000003.log` as `syncing 000003.log`.
const toGerund = (what: string): string => what.replace(/^(\w+?)e?(?= )/, '$1ing');

const reachKillPoint = (process: RunningProcess, point: KillPoint, what: () => string): void => {
  const kind = decideKill(process, point, what);
  if (kind === undefined) return;
  process.killAt(kind, () => ` ${point} ${toGerund(what())}`);
};

const performIn = <T>(process: RunningProcess, { what, delayMs, changes, effect }: Operation<T>): Promise<T> => {
  if (changes) reachKillPoint(process, 'before', what);
  if (!process.isAlive()) return never();
  const world = theWorld();
  return new Promise<T>((resolve, reject) => {
    const takeEffect = (): void => {
      try {
        const result = effect();
        if (changes && process.isAlive()) reachKillPoint(process, 'after', what);
        if (process.isAlive()) resolve(result);
      } catch (error) {
        if (process.isAlive()) reject(error);
      }
    };
    if (changes) process.inProgress.add(takeEffect);
    world.schedule(world.stream('latency').integer(...delayMs), () => {
      if (!process.isAlive()) return;
      process.inProgress.delete(takeEffect);
      process.run(takeEffect);
    });
  });
};

/**
 * Performs an operation of the running process: resolves or rejects as its effect does, or never when the process is
 * killed. Outside of processes it takes effect at once.
 */
export const perform = <T>(operation: Operation<T>): Promise<T> => {
  const process = storage.getStore();
  if (process === undefined) return new Promise((resolve) => resolve(operation.effect()));
  return performIn(process, operation);
};
