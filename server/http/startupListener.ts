// Listens while the application is being opened: a substitute answers at first, and the application takes its place
// when it is ready.
import type { RequestListener } from 'node:http';

export interface StartupListener {
  /** Passes each request to the current listener. */
  readonly handle: RequestListener;
  /** Makes this the current listener. */
  switchTo(app: RequestListener): void;
}

/** A listener that passes requests to `starting` until it is switched. */
export const createStartupListener = (starting: RequestListener): StartupListener => {
  let current = starting;
  return {
    handle: (request, response) => current(request, response),
    switchTo: (app) => {
      current = app;
    },
  };
};
