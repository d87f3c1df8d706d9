import { expect } from 'chai';
import { createStopRequests } from '../../../host/lifecycle/stopSignals.ts';

describe('signals that ask a process to stop', () => {
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

  it('stop it once, however often npm and the terminal bring the same one', () => {
    receive('SIGINT');
    receive('SIGINT');
    nowMs += 1_000;
    receive('SIGINT');
    expect(seen).to.eql(['stop SIGINT']);
  });

  it('end it at once when they come again later', () => {
    receive('SIGTERM');
    nowMs += 1_001;
    receive('SIGTERM');
    expect(seen).to.eql(['stop SIGTERM', 'end SIGTERM']);
  });

  it('end it at once when another comes, whenever that is', () => {
    receive('SIGINT');
    receive('SIGTERM');
    expect(seen).to.eql(['stop SIGINT', 'end SIGTERM']);
  });
});
