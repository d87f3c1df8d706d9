// What the servers of this process see of requests: tests wait for that instead of waiting for some time.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** A request as its server sees it. */
export interface ArrivedRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

const CHANNEL = 'http.server.request.start';

/** Registers mocha hooks. Returns the function that returns the requests that arrived in this test, oldest first. */
export const useArrivedRequests = (): (() => readonly ArrivedRequest[]) => {
  let arrived: ArrivedRequest[] = [];
  const add = (message: unknown): void => {
    arrived.push(message as ArrivedRequest);
  };
  beforeEach(() => {
    arrived = [];
    subscribe(CHANNEL, add);
  });
  afterEach(() => unsubscribe(CHANNEL, add));
  return () => arrived;
};
