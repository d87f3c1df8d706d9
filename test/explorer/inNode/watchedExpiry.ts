// The watch over the end of a session, as main.tsx starts it, with a clock that tests move.
import { mock } from 'node:test';
import { serverAheadMs, signOut } from '../../../explorer/api/session.ts';
import { watchExpiry } from '../../../explorer/state/expiry.ts';

/**
 * Registers mocha hooks that watch, and stop the clock at `nowMs` in each test, which begins signed out and before the
 * first answer of a server.
 * @param apis what waits for the stopped clock; requests need real timers
 */
export const useWatchedExpiry = (apis: readonly ('Date' | 'setTimeout')[], nowMs: number): void => {
  before(() => watchExpiry());
  beforeEach(() => {
    mock.timers.enable({ apis: [...apis], now: nowMs });
    serverAheadMs.value = undefined;
  });
  afterEach(() => {
    signOut();
    mock.timers.reset();
    serverAheadMs.value = undefined;
  });
};
