// The timers of this process that keep it alive, each with the place that created it.
import { createHook } from 'node:async_hooks';
import { relative } from 'node:path';
import { ROOT } from '../support/sources.ts';

interface Timer {
  readonly timeout: NodeJS.Timeout;
  /** Its stack is rendered only when it is read. */
  readonly created: { readonly stack?: string };
}

const PLACES_MAX = 3;
const timers = new Map<number, Timer>();

const isOwn = (path: string): boolean =>
  path.startsWith(ROOT) && !path.includes('/node_modules/') && !path.endsWith('/test/runner/timers.ts');

/** The lines of this repository in a stack, the innermost first, as path, line and column. */
const toPlaces = (stack: string): string[] =>
  stack
    .split('\n')
    .map((line) => /(?:file:\/\/)?(\/[^()]*):\d+:\d+\)?$/.exec(line))
    .filter((match) => match !== null && isOwn(match[1]!))
    .map((match) => relative(ROOT, match![0].replace(/^file:\/\/|\)$/g, '')))
    .slice(0, PLACES_MAX);

/** Begins to watch the timers of this process, also those of `node:timers/promises`. */
export const watchTimers = (): void => {
  createHook({
    init: (id, type, _trigger, resource) => {
      if (type !== 'Timeout') return;
      const created = {};
      Error.captureStackTrace(created);
      timers.set(id, { timeout: resource as NodeJS.Timeout, created });
    },
    destroy: (id) => timers.delete(id),
    // Promises are many, and no timers.
    trackPromises: false,
  }).enable();
};

/** The places that started the timers which keep this process alive: not those that it may forget, as `fetch` has. */
export const findTimers = (): string[] =>
  [...timers.values()]
    .filter(({ timeout }) => timeout.hasRef())
    .map(({ created }) => toPlaces(created.stack ?? '').join(' < ') || 'an unknown place');
