// What a process that runs tests tells the runner.

/** A test or a hook begins. */
export interface Begin {
  readonly type: 'begin';
  readonly title: string;
  /** After how many milliseconds mocha ends it; 0: never. */
  readonly limitMs: number;
}

/** A test has ended, or a hook has failed. */
export interface Ended {
  readonly type: 'ended';
  readonly state: 'passed' | 'failed' | 'skipped';
  /** All titles from the outermost suite to the test. */
  readonly title: string;
  /** The file, where the process runs several. */
  readonly file: string | undefined;
  /** Unlike a hook or an error outside of all tests, it can be selected. */
  readonly isTest: boolean;
  /** What failed, as mocha shows it; only of failures. */
  readonly text?: string;
  /** What this machine lacks for the skipped tests of this process. */
  readonly missing?: readonly string[];
  /** Whether a limit or an uncaught error ended the test: what it started may still be running. */
  readonly goesOn?: boolean;
}

/** What a file cost. CPU time includes ended child processes on Linux. */
export interface FileCost {
  readonly wallMs: number;
  readonly cpuMs: number;
  /** CPU time of child processes that have ended. */
  readonly childrenMs: number;
  /** Time in which the thread of the tests waited. */
  readonly idleMs: number;
  /** Processes that were started. */
  readonly processes: number;
}

/** A file has ended. */
export interface FileEnd {
  readonly type: 'fileEnd';
  readonly cost: FileCost;
  /** What the file has left behind, such as `1 x listening server`. */
  readonly leftovers: readonly string[];
  /** Errors that nothing caught while it was loaded, and after its tests. */
  readonly uncaught: readonly string[];
  /** Whether no test is in it, whichever were asked for. */
  readonly isEmpty?: boolean;
  /** Why the file could not be loaded. */
  readonly loadError?: string;
  /** Resident memory of the process, in bytes. */
  readonly memory: number;
}

/** What a process cost that runs several files. */
export interface ProcessCost {
  readonly type: 'processCost';
  readonly cost: FileCost;
}

export type TestEvent = Begin | Ended | FileEnd | ProcessCost;

/** What the runner asks of a worker. */
export interface FileJob {
  readonly file: string;
  /** The source of a regular expression for full titles. */
  readonly pattern: string | undefined;
}

/** Sends an event to the runner, whose child this process is. */
export const send = (event: TestEvent): void => {
  process.send!(event);
};
