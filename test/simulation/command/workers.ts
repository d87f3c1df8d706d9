// Worker processes, each of which runs one seed at a time. A worker that ends, or whose run doesn't end, is replaced,
// and its seed is reported as failed.
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { delay } from '../../support/until.ts';
import type { Plan } from '../plan/plan.ts';
import type { RunReport, RunTask, WorkerMessage } from './messages.ts';
import { PlanChangeError } from './planChange.ts';

/** One worker. It is started at its first task, and again after a failure of its process. */
export interface Worker {
  /**
   * Runs one task; undefined when the worker stopped. Must not run twice at once.
   * @throws PlanChangeError when the task's change names positions that the plan doesn't have.
   */
  run(task: RunTask): Promise<RunReport | undefined>;
  /** Ends the process. No task runs any more. */
  stop(): void;
}

/** How a worker is started. */
export interface WorkerOptions {
  /** The module that calls `serveRuns`. */
  readonly entry: URL;
  readonly args?: readonly string[];
  readonly nodeArgs?: readonly string[];
  /** Milliseconds of real time after which a run counts as hung. */
  readonly hangMs?: number;
}

/** Name of the check that fails when the worker's process fails. */
export const PROCESS_CHECK = 'the process completes the run';
/** Name of the check that fails when a run has not ended after `hangMs`. */
export const HANG_CHECK = 'the run ends';

const HANG_MS = 120_000;
/** Characters of a worker's errors that are shown. */
const ERRORS_SHOWN = 4_000;

interface Started {
  readonly child: ChildProcess;
  /** Whether the command ended it. */
  isStopped: boolean;
  errors(): string;
}

const start = ({ entry, args = [], nodeArgs = [] }: WorkerOptions): Started => {
  const child = fork(fileURLToPath(entry), [...args], { execArgv: [...nodeArgs], silent: true });
  let errors = '';
  child.stderr!.on('data', (chunk: Buffer) => {
    errors = `${errors}${chunk.toString()}`.slice(-ERRORS_SHOWN);
  });
  // `pipe` would add listeners to the stream for each worker.
  child.stdout!.on('data', (chunk: Buffer) => process.stderr.write(chunk));
  return { child, isStopped: false, errors: () => errors.trim() };
};

const toFailure = (task: RunTask, plan: Plan | undefined, check: string, text: string): RunReport => ({
  task,
  plan,
  violations: [{ check, text }],
  counts: {},
  virtualMs: 0,
  tasks: 0,
  story: [],
});

// Resolves with the report, with undefined when the worker stops, or with a failure when the process ends or hangs.
// Rejects when the change doesn't fit the plan.
const runOn = (started: Started, task: RunTask, hangMs: number): Promise<RunReport | undefined> => {
  const { child, errors } = started;
  let plan: Plan | undefined;
  let isHung = false;
  const ending = new AbortController();
  const end = (): void => {
    isHung = true;
    child.kill('SIGKILL');
  };
  delay(hangMs, ending).then(end, () => undefined);
  return new Promise<RunReport | undefined>((resolve, reject) => {
    child.on('message', (message: WorkerMessage) => {
      if (message.kind === 'refused') reject(new PlanChangeError(message.reason));
      else if (message.kind === 'planned') plan = message.plan;
      else resolve({ ...message.outcome, task, story: message.story });
    });
    // After `close` the process has ended and its errors are complete.
    child.on('close', (code, signal) => {
      if (started.isStopped) return resolve(undefined);
      const ended = `process ${child.pid} ended (${signal ?? `exit code ${code}`})\n${errors()}`;
      const hung = `no end after ${hangMs / 1000} s of real time`;
      resolve(isHung ? toFailure(task, plan, HANG_CHECK, hung) : toFailure(task, plan, PROCESS_CHECK, ended));
    });
    // `close` reports a process that has ended meanwhile.
    child.send(task, () => undefined);
  }).finally(() => {
    ending.abort();
    child.removeAllListeners('message').removeAllListeners('close');
  });
};

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null;

/** A worker, which has no process yet. */
export const createWorker = (options: WorkerOptions): Worker => {
  let started: Started | undefined;
  let isStopped = false;
  return {
    run: async (task) => {
      if (isStopped) return undefined;
      if (started === undefined || hasEnded(started.child)) started = start(options);
      return runOn(started, task, options.hangMs ?? HANG_MS);
    },
    stop: () => {
      isStopped = true;
      if (started === undefined) return;
      started.isStopped = true;
      started.child.kill('SIGKILL');
    },
  };
};

/** Runs tasks on all workers until there are none left, or the workers stop. */
export const runTasks = async (
  workers: readonly Worker[],
  tasks: Iterator<RunTask>,
  onReport: (report: RunReport) => void | Promise<void>,
): Promise<void> => {
  const runLane = async (worker: Worker): Promise<void> => {
    for (let next = tasks.next(); next.done !== true; next = tasks.next()) {
      const report = await worker.run(next.value);
      if (report === undefined) return;
      await onReport(report);
    }
  };
  await Promise.all(workers.map(runLane));
};
