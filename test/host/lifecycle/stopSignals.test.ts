import { expect } from 'chai';
import { createStopRequests } from '../../../host/lifecycle/stopSignals.ts';

describe('signals that stop a process', () => {
  let nowMs: number;
  let seen: string[];
  let receive: (signal: NodeJS.Signals) => void;
  beforeEach(() => {
    nowMs = 5_000;
    seen = [];
    receive = createStopRequests({
      stop: (signal) => seen.push(`stop ${signal}`),
      end: (signal) => seen.push(`end ${signal}`),
      nowMs: () => nowMs,
    });
  });

  it('stop it once when npm and the terminal repeat the same signal within a second', () => {
    receive('SIGINT');
    receive('SIGINT');
    nowMs += 1_000;
    receive('SIGINT');
    expect(seen).to.eql(['stop SIGINT']);
  });

  it('end it at once when they are repeated later', () => {
    receive('SIGTERM');
    nowMs += 1_001;
    receive('SIGTERM');
    expect(seen).to.eql(['stop SIGTERM', 'end SIGTERM']);
  });

  it('end it at once when a different signal follows at any time', () => {
    receive('SIGINT');
    receive('SIGTERM');
    expect(seen).to.eql(['stop SIGINT', 'end SIGTERM']);
  });
});
