// The contract's tests, which Hardhat runs in one process.
import { fileURLToPath } from 'node:url';
import type { FileCost } from './events.ts';
import { type FileProgress, type FileResult, startFile } from './fileResult.ts';
import { startTestProcess } from './testProcess.ts';
import type { RunOptions, TestWorker } from './testWorker.ts';

const HARDHAT = fileURLToPath(new URL('../../node_modules/hardhat/dist/src/cli.js', import.meta.url));
const PASSED = 'exit code 0';
// Failed tests are known already.
const FAILED = 'exit code 1';

/** The folder whose tests run with Hardhat. */
export const CONTRACTS = 'test/contracts';

/** Creates a worker for one run of `CONTRACTS` or of files in it, separated by spaces. */
export const createContractsWorker = (options: RunOptions): TestWorker => {
  let kill: () => void = () => undefined;
  let ended: Promise<void> = Promise.resolve();

  const start = (progress: FileProgress, onEnd: (result: FileResult) => void): void => {
    let cost: FileCost | undefined;
    const files = progress.file === CONTRACTS ? [] : progress.file.split(' ');
    const grep = options.pattern === undefined ? [] : ['--grep', options.pattern];
    const { promise, resolve } = Promise.withResolvers<void>();
    ended = promise;
    const started = startTestProcess(
      [HARDHAT, 'test', 'mocha', '--no-compile', ...grep, ...files],
      options.env,
      options.silence,
      {
        onEvent: (event) => {
          if (event.type === 'processCost') cost = event.cost;
          if (event.type === 'begin') progress.current = event.title;
          if (event.type !== 'ended') return;
          progress.add(event);
          options.onTest();
        },
        onEnd: ({ reason, output }) => {
          const isDone = reason.endsWith(PASSED) || (progress.count() > 0 && reason.endsWith(FAILED));
          onEnd(
            isDone && cost !== undefined
              ? progress.end({ type: 'fileEnd', cost, leftovers: [], uncaught: [], memory: 0 }, output)
              : progress.breakOff(reason, output),
          );
          resolve();
        },
      },
    );
    kill = started.kill;
  };

  return {
    run: (file, onBegin) =>
      new Promise((resolve) => {
        const progress = startFile(file, options.onFailure);
        onBegin(progress);
        start(progress, resolve);
      }),
    close: async () => {
      kill();
      await ended;
    },
  };
};
