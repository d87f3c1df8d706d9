// Long steps as progress bars on standard error; nothing at all for steps that are over in a moment.
import { Presets, SingleBar } from 'cli-progress';
import type { OnStep } from '../ledgerOptions.ts';

const VISIBLE_AFTER_MS = 500;

/** Shows each step that takes longer than half a second. On a terminal a bar, elsewhere a line now and then. */
export const createProgress = (): OnStep => {
  let title = '';
  let startedMs = 0;
  let bar: SingleBar | undefined;
  return (step) => {
    if (step.title !== title) {
      title = step.title;
      startedMs = Date.now();
    }
    if (bar === undefined && step.done < step.total && Date.now() - startedMs > VISIBLE_AFTER_MS) {
      bar = new SingleBar(
        {
          format: `${step.title} {bar} {value}/{total} ${step.unit}, {eta_formatted} left`,
          stream: process.stderr,
          noTTYOutput: true,
        },
        Presets.shades_classic,
      );
      bar.start(step.total, step.done);
    }
    bar?.update(step.done);
    if (step.done < step.total) return;
    bar?.stop();
    bar = undefined;
    title = '';
  };
};
