// Starts on a network with faults, without a network.
import { expect } from 'chai';
import { LedgerError } from '../../ledger/errors.ts';
import { ATTEMPTS_MAX, startStubbornly, TIMEOUT_MS_MAX } from './stubbornStart.ts';

const unavailable = (): LedgerError => new LedgerError('CHAIN_UNAVAILABLE');

describe('a stubborn start', () => {
  it('succeeds on a machine on which every answer takes longer than the first timeout', async () => {
    const proxy = { rate: 0, timeoutMs: 100 };
    const started = await startStubbornly(proxy, async (timeoutMs) => {
      if (timeoutMs < 5_000) throw unavailable();
      return timeoutMs;
    });
    expect(started).to.be.at.least(5_000);
    expect(proxy.timeoutMs).to.equal(started);
  });

  it('succeeds when fewer and fewer requests have a fault', async () => {
    const proxy = { rate: 0.35, timeoutMs: 100 };
    await startStubbornly(proxy, async () => {
      if (proxy.rate > 0.001) throw unavailable();
    });
    expect(proxy.rate).to.be.within(0.0005, 0.001);
  });

  it('keeps rate and timeout when the first attempt succeeds', async () => {
    const proxy = { rate: 0.35, timeoutMs: 100 };
    await startStubbornly(proxy, async () => undefined);
    expect(proxy).to.deep.equal({ rate: 0.35, timeoutMs: 100 });
  });

  it('ends with the error of the last attempt, and no timeout exceeds the limit', async () => {
    const timeouts: number[] = [];
    const refused = startStubbornly({ rate: 0.35, timeoutMs: 100 }, async (timeoutMs) => {
      timeouts.push(timeoutMs);
      throw unavailable();
    });
    const error = await refused.catch((caught: unknown) => caught);
    expect(error).to.have.property('code', 'CHAIN_UNAVAILABLE');
    expect(timeouts).to.have.lengthOf(ATTEMPTS_MAX);
    expect(Math.max(...timeouts)).to.equal(TIMEOUT_MS_MAX);
  });
});
