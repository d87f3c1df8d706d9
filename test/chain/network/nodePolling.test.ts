import { mock } from 'node:test';
import { expect } from 'chai';
import { startNodePolling } from '../../../chain/network/nodePolling.ts';

const POLL_MS = 1_000;
const turns = async (): Promise<void> => {
  for (let count = 0; count < 10; count += 1) await new Promise(setImmediate);
};

describe('the checks of nodes', () => {
  let checks: number;
  let announced: number[];
  let finish: (() => void) | undefined;
  let listeners: Set<() => void>;
  let nodes: { checkAll: () => Promise<void>; final: { number: number; hash: `0x${string}` } | undefined };
  let stop: () => Promise<void>;
  const pass = async (ms: number): Promise<void> => {
    mock.timers.tick(ms);
    await turns();
  };
  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
    [checks, announced, finish, listeners] = [0, [], undefined, new Set()];
    nodes = {
      final: undefined,
      checkAll: async () => {
        checks += 1;
      },
    };
    const onHead = (listener: () => void) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    };
    stop = startNodePolling({
      nodes,
      pollMs: POLL_MS,
      heads: { onHead } as never,
      announce: ({ number }) => announced.push(number),
      look: async () => undefined,
    });
  });
  afterEach(async () => {
    finish?.();
    await stop();
    mock.timers.reset();
  });
  const tell = (): void => {
    for (const listener of listeners) listener();
  };

  it('are repeated, and announce each new final block once', async () => {
    await pass(POLL_MS - 1);
    expect(checks).to.equal(0);
    nodes.final = { number: 7, hash: '0x' };
    await pass(1);
    await pass(POLL_MS);
    nodes.final = { number: 8, hash: '0x' };
    await pass(POLL_MS);
    expect([checks, announced]).to.eql([3, [7, 8]]);
  });

  it('are due at once when a block is announced, one at a time', async () => {
    nodes.checkAll = () => {
      checks += 1;
      return new Promise((resolve) => {
        finish = resolve;
      });
    };
    tell();
    tell();
    tell();
    expect(checks).to.equal(1);
    finish!();
    await turns();
    await pass(0);
    expect(checks).to.equal(2);
    finish!();
    await turns();
    await pass(POLL_MS - 1);
    expect(checks).to.equal(2);
  });

  it('end, and nothing is listened to afterwards', async () => {
    expect(listeners.size).to.equal(1);
    await stop();
    expect(listeners.size).to.equal(0);
    await pass(10 * POLL_MS);
    expect(checks).to.equal(0);
  });
});
