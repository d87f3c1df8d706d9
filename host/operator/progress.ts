// The progress of long steps on standard error: on a terminal one line that is redrawn, elsewhere a line now and then.
// A step that is over within half a second shows nothing.
import { toVisibleLine } from '../../ledger/encoding/visible.ts';
import { thisProcess } from '../commandProcess.ts';
import type { OnStep } from '../ledgerOptions.ts';

/** Where progress is printed: a stream such as standard error. */
export interface ProgressOutput {
  readonly isTTY?: boolean | undefined;
  /** Width of a terminal. */
  readonly columns?: number | undefined;
  write(text: string): unknown;
}

type ProgressStep = Parameters<OnStep>[0];

interface RunningStep extends ProgressStep {
  readonly beganMs: number;
  /** When it was drawn last; undefined when it wasn't yet. */
  readonly drawnMs: number | undefined;
}

const VISIBLE_AFTER_MS = 500;
const TERMINAL_PERIOD_MS = 100;
const LINES_PERIOD_MS = 2_000;
const COLUMNS = 80;
const MEBIBYTE = 2 ** 20;

const toCounts = ({ unit, done, total }: ProgressStep): string =>
  unit === 'bytes' ? `${Math.floor(done / MEBIBYTE)}/${Math.ceil(total / MEBIBYTE)} MiB` : `${done}/${total} ${unit}`;

const toTimeLeft = ({ done, total, beganMs }: RunningStep, nowMs: number): string => {
  if (done === 0 || done === total) return '';
  return `, ${Math.ceil(((nowMs - beganMs) / done) * ((total - done) / 1_000))} s left`;
};

const toLine = (step: RunningStep, nowMs: number): string =>
  `${step.title}: ${toCounts(step)}${toTimeLeft(step, nowMs)}`;

/** Shows each step that takes longer than half a second. `end` ends a step that will not be completed. */
export const createProgress = (
  output: ProgressOutput = thisProcess().stderr,
  nowMs: () => number = () => performance.now(),
): OnStep & { readonly end: () => void } => {
  let step: RunningStep | undefined;
  let timer: NodeJS.Timeout | undefined;
  const print = (text: string, end: string): void => {
    const line = toVisibleLine(text);
    if (output.isTTY) output.write(`\r\x1b[K${line.slice(0, (output.columns ?? COLUMNS) - 1)}${end}`);
    else output.write(`${line}\n`);
  };
  const draw = (): void => {
    const atMs = nowMs();
    const periodMs = output.isTTY ? TERMINAL_PERIOD_MS : LINES_PERIOD_MS;
    if (step === undefined || atMs - step.beganMs < VISIBLE_AFTER_MS) return;
    if (step.drawnMs !== undefined && atMs - step.drawnMs < periodMs) return;
    step = { ...step, drawnMs: atMs };
    print(toLine(step, atMs), '');
  };
  const end = (): void => {
    clearInterval(timer);
    if (step?.drawnMs !== undefined) print(`${step.title}: ${toCounts(step)}`, '\n');
    step = undefined;
  };
  const onStep: OnStep = (given) => {
    if (given.title !== step?.title) {
      end();
      step = { ...given, beganMs: nowMs(), drawnMs: undefined };
      // A step that counts rarely is drawn all the same.
      timer = setInterval(draw, VISIBLE_AFTER_MS).unref();
    } else step = { ...step, ...given };
    if (given.done >= given.total) end();
    else draw();
  };
  return Object.assign(onStep, { end });
};
