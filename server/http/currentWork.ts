// What a program is doing, for reports of errors that nothing caught: the request, with which the work began. It
// follows the work through promises, timers and events.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { RequestListener } from 'node:http';

const current = new AsyncLocalStorage<() => string>();

/** Runs a task, and what it begins, under a description, which is called only for a report. */
export const runAsWork = <T>(describe: () => string, task: () => T): T => current.run(describe, task);

/** The description of the work that runs now; undefined outside of all. */
export const describeWork = (): string | undefined => current.getStore()?.();

/** A listener whose requests all have one description. */
export const nameWork = (description: string, listener: RequestListener): RequestListener => {
  const describe = () => description;
  return (request, response) => runAsWork(describe, () => listener(request, response));
};
