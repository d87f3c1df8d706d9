import { getEventListeners } from 'node:events';
import { expect } from 'chai';
import { LedgerError } from '../../../ledger/errors.ts';
import { refuseDisconnected } from '../../../server/http/bodyBytes.ts';
import { countLines, LINES_OF_A_REQUEST } from '../../../server/lines/lineRates.ts';
import { rejectionOf } from '../../support/refusals.ts';
import { postLines, toLines } from '../support/lines.ts';
import { aRecord, createAnAsset } from '../support/requests.ts';
import { startTestServer } from '../support/testServer.ts';

const LINE = { number: 1, value: {} };

async function* toGroups(sizes: readonly number[]) {
  for (const size of sizes) yield Array(size).fill(LINE) as (typeof LINE)[];
}

describe('the rate of lines', () => {
  const countSizes = async (sizes: readonly number[], count: () => Promise<void>, stopping?: AbortSignal) => {
    const waits: number[] = [];
    const wait = async (ms: number): Promise<void> => {
      waits.push(ms);
    };
    const read: number[] = [];
    const { signal: closed } = new AbortController();
    for await (const group of countLines(toGroups(sizes), { count, stopping, closed, wait })) read.push(group.length);
    return { waits, read };
  };

  it('counts every 20 lines as a request, however they arrive', async () => {
    let counted = 0;
    const count = async (): Promise<void> => {
      counted += 1;
    };
    expect(await countSizes([1, 7, 100, 11], count)).to.deep.equal({ waits: [], read: [1, 7, 100, 11] });
    expect(counted).to.equal(Math.floor(119 / LINES_OF_A_REQUEST));
  });

  it('lets lines wait for as long as the rate says, and refuses none', async () => {
    let asked = 0;
    const count = async (): Promise<void> => {
      asked += 1;
      if (asked < 3) throw new LedgerError('RATE_LIMITED', { retryAfterMs: 100 * asked });
    };
    expect(await countSizes([40], count)).to.deep.equal({ waits: [100, 200], read: [40] });
    expect(asked).to.equal(4);
  });

  it('waits with one signal in each request, which leaves nothing at that of the server', async () => {
    let asked = 0;
    const count = async (): Promise<void> => {
      asked += 1;
      if (asked % 2 === 1) throw new LedgerError('RATE_LIMITED', { retryAfterMs: 100 });
    };
    const signals = new Set<AbortSignal>();
    const wait = async (_ms: number, signal: AbortSignal): Promise<void> => void signals.add(signal);
    const { signal: stopping } = new AbortController();
    const { signal: closed } = new AbortController();
    for await (const _ of countLines(toGroups([200, 200]), { count, stopping, closed, wait }))
      expect(getEventListeners(stopping, 'abort')).to.have.length(1);
    expect(signals.size).to.equal(1);
    expect(getEventListeners(stopping, 'abort')).to.have.length(0);
  });

  it('ends what waits when the server stops', async () => {
    const refuse = async (): Promise<void> => {
      throw new LedgerError('RATE_LIMITED', { retryAfterMs: 100 });
    };
    expect(await rejectionOf(countSizes([20], refuse, AbortSignal.abort()))).to.equal('STOPPING');
  });

  it('ends what waits when its client is gone', async () => {
    const count = async (): Promise<void> => {
      throw new LedgerError('RATE_LIMITED', { retryAfterMs: 100 });
    };
    const closing = new AbortController();
    const wait = (_ms: number, signal: AbortSignal): Promise<void> => {
      const aborted = new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
      closing.abort(refuseDisconnected());
      return aborted;
    };
    const { signal: stopping } = new AbortController();
    const lines = countLines(toGroups([20, 20]), { count, stopping, closed: closing.signal, wait });
    expect(await rejectionOf(lines[Symbol.asyncIterator]().next())).to.equal('REQUEST_INVALID');
  });

  it('counts for the tenant, whose next request is refused', async () => {
    const off = { perSecond: 0, burst: 0 };
    const rates = { tenant: { perSecond: 1, burst: 40 }, open: off, tokenFailuresPerMinute: 0 };
    const server = await startTestServer({ rates });
    try {
      const asset = await createAnAsset(server);
      const lines = Array.from({ length: 780 }, () => aRecord({ asset_identity: `assets/${asset}` }));
      const results = await postLines(server, toLines(lines));
      expect(results.map(({ status }) => status)).to.deep.equal(lines.map(() => 200));
      const answers = await Promise.all(Array.from({ length: 30 }, () => server.request('GET', '/svc/v2/assets')));
      expect(answers.map(({ status }) => status)).to.include(429);
    } finally {
      await server.close();
    }
  });
});
