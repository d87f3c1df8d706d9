// What happens after an error that nothing caught: a defect of this program. One line says in which request or command
// it occurred, what is open is closed in order within a bounded time, and the process ends with an exit code of its
// own. It never goes on half working. What was accepted is on the disk by then, as after a kill.
import { basename } from 'node:path';
import { describeWork } from '../../server/http/currentWork.ts';
import { toErrorLine } from '../watching/errorText.ts';
import { reportLine, reportProblem } from '../watching/reports.ts';

/** Exit code of a process that ends because of an error that nothing caught (`EX_SOFTWARE` of sysexits.h). */
export const UNCAUGHT_EXIT_CODE = 70;
/** How long the process may take to close what is open: longer than a server waits for requests in progress. */
const CLOSE_MS_MAX = 20_000;
/** Errors that follow the first one while the process closes; those beyond are not printed. */
const LINES_MAX = 10;

/** What ends a process. */
export interface UncaughtEnd {
  /** Closes what is open. */
  readonly close: () => Promise<void>;
  readonly exit: (code: number) => void;
  /** What the process runs, where the error belongs to no request. */
  readonly name: string;
}

/** Returns the handler of errors that nothing caught. */
export const createEndOnUncaught = ({ close, exit, name }: UncaughtEnd): ((error: unknown) => void) => {
  let errors = 0;
  const report = (error: unknown): void => {
    errors += 1;
    if (errors > LINES_MAX) return;
    reportLine(`${describeWork() ?? name}: an error that nothing caught: ${toErrorLine(error)}`);
  };
  const end = async (): Promise<void> => {
    const cut = setTimeout(exit, CLOSE_MS_MAX, UNCAUGHT_EXIT_CODE);
    await close().catch((failure: unknown) => reportProblem(`${name} can't close in order`, failure));
    clearTimeout(cut);
    exit(UNCAUGHT_EXIT_CODE);
  };
  return (error) => {
    report(error);
    if (errors > 1) return;
    reportLine(`${name} ends with exit code ${UNCAUGHT_EXIT_CODE}`);
    void end();
  };
};

let closeOpen: () => Promise<void> = async () => undefined;

/** Sets what closes everything that this process has open, when an error that nothing caught ends it. */
export const closeOnUncaught = (close: () => Promise<void>): void => {
  closeOpen = close;
};

/** Ends this process after an error that nothing caught, a rejected promise included. */
export const endOnUncaught = (): void => {
  const end = createEndOnUncaught({
    close: () => closeOpen(),
    exit: (code) => process.exit(code),
    name: basename(process.argv[1] ?? 'node'),
  });
  process.on('uncaughtException', end);
};
