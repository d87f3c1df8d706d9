// The door of a server whose application isn't ready yet: it answers from the first moment on, and changes what is behind it.
import type { RequestListener } from 'node:http';

export interface StartingGate {
  /** Passes each request to whatever is behind the door then. */
  readonly handle: RequestListener;
  /** Puts the application behind the door. */
  open(app: RequestListener): void;
}

/** A door with what answers until it is opened. */
export const createStartingGate = (starting: RequestListener): StartingGate => {
  let behind = starting;
  return {
    handle: (request, response) => behind(request, response),
    open: (app) => {
      behind = app;
    },
  };
};
