// One place for files of tests: a process that runs one file after another, and is replaced when it can't be trusted.
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FileEnd, TestEvent } from './events.ts';
import { type Failure, type FileProgress, type FileResult, startFile } from './fileResult.ts';
import { removeDirectory } from './removeDirectory.ts';
import { type SilenceLimits, startTestProcess, type TestProcess } from './testProcess.ts';

const WORKER = fileURLToPath(new URL('worker.ts', import.meta.url));
// A process keeps every module that it has loaded; this bounds the memory of all of them.
const MEMORY_MAX_BYTES = 1_200_000_000;

/** What a run of tests is made with. */
export interface RunOptions {
  /** The source of a regular expression for full titles. */
  readonly pattern: string | undefined;
  /** Default limit of a test, in milliseconds. */
  readonly timeoutMs: number;
  readonly silence: SilenceLimits;
  /** A directory of this run alone. */
  readonly directory: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly onTest: () => void;
  readonly onFailure: (failure: Failure) => void;
}

/** Runs files, one at a time. */
export interface TestWorker {
  run(file: string, onBegin: (progress: FileProgress) => void): Promise<FileResult>;
  /** Kills the process with what it started. */
  close(): Promise<void>;
}

interface Running {
  readonly process: TestProcess;
  readonly directory: string;
  readonly ended: Promise<void>;
}

interface Outcome {
  readonly result: FileResult;
  readonly isReusable: boolean;
}

// After a timeout or an uncaught error the test goes on in its process, and would take time from the next files.
const isReusable = (progress: FileProgress, end: FileEnd): boolean =>
  !progress.goesOn() &&
  end.leftovers.length === 0 &&
  end.uncaught.length === 0 &&
  end.loadError === undefined &&
  end.memory < MEMORY_MAX_BYTES;

/** Creates a worker; its process starts with the first file. */
export const createTestWorker = (options: RunOptions): TestWorker => {
  let running: Running | undefined;
  let progress: FileProgress | undefined;
  let finish: (outcome: Outcome) => void = () => undefined;

  const onEvent = (event: TestEvent): void => {
    // Some are on their way when the worker is closed.
    if (progress === undefined) return;
    if (event.type === 'begin') progress.current = event.title;
    if (event.type === 'ended') {
      progress.add(event);
      options.onTest();
    }
    if (event.type === 'fileEnd')
      finish({ result: progress.end(event, running!.process.takeOutput()), isReusable: isReusable(progress, event) });
  };

  const open = (): Running => {
    // The name is short, because the path of a socket may have only a hundred characters.
    const directory = mkdtempSync(join(options.directory, 'w'));
    const { promise: ended, resolve } = Promise.withResolvers<void>();
    const started = startTestProcess(
      [WORKER, String(options.timeoutMs)],
      { ...options.env, TMPDIR: directory },
      options.silence,
      {
        onEvent,
        onEnd: ({ reason, output }) => {
          const left = removeDirectory(directory);
          running = undefined;
          if (progress !== undefined)
            finish({ result: progress.breakOff(`${reason}${left}`, output), isReusable: false });
          resolve();
        },
      },
    );
    return { process: started, directory, ended };
  };

  const close = async (): Promise<void> => {
    // Its end is no failure.
    progress = undefined;
    running?.process.kill();
    await running?.ended;
  };

  return {
    close,
    run: async (file, onBegin) => {
      progress = startFile(file, options.onFailure);
      onBegin(progress);
      try {
        running ??= open();
      } catch (error) {
        return progress.breakOff((error as Error).message, '');
      }
      const { promise, resolve } = Promise.withResolvers<Outcome>();
      finish = resolve;
      running.process.sendJob({ file, pattern: options.pattern });
      const outcome = await promise;
      if (!outcome.isReusable) await close();
      return outcome.result;
    },
  };
};
