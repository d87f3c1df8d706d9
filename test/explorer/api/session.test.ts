// What answers say of a session: the server's time, by which its token ends.
import { mock } from 'node:test';
import { expect } from 'chai';
import { api } from '../../../explorer/api/client.ts';
import { isExpired, serverAheadMs, signIn } from '../../../explorer/api/session.ts';
import { until } from '../../support/until.ts';
import { toToken, useStubs } from '../inNode/stubs.ts';
import { useWatchedExpiry } from '../inNode/watchedExpiry.ts';

const PATH = '/svc/v2/assets';
const START_MS = 1_000_000;
const HOUR_MS = 3_600_000;

describe('the server’s time in the explorer', () => {
  const { answers, sent, document } = useStubs();

  const dated = (ms: number): { date: string } => ({ date: new Date(ms).toUTCString() });
  const receive = async (atMs: number): Promise<void> => {
    answers.set(PATH, (_, response) => void response.writeHead(200, dated(atMs)).end());
    await api.GET('/v2/assets');
  };
  // An answer that the server gave at `atMs`, and that comes when it is released.
  const hold = async (atMs: number): Promise<() => Promise<void>> => {
    let release: () => void;
    answers.set(PATH, (_, response) => {
      release = () => response.writeHead(200, dated(atMs)).end();
    });
    const before = sent.length;
    const received = api.GET('/v2/assets');
    await until(() => sent.length > before);
    return async () => {
      release();
      await received;
    };
  };

  useWatchedExpiry(['Date'], START_MS);

  it('is that of the first answer, and that of one that shows another time', async () => {
    await receive(START_MS + HOUR_MS);
    expect(serverAheadMs.value).to.equal(HOUR_MS);
    await receive(START_MS + HOUR_MS + 1_000);
    expect(serverAheadMs.value).to.equal(HOUR_MS);
    mock.timers.setTime(START_MS + 2 * HOUR_MS);
    await receive(START_MS + HOUR_MS);
    expect(serverAheadMs.value).to.equal(-HOUR_MS);
  });

  it('stays what it was on a slow answer, which says only between which times it was given', async () => {
    await receive(START_MS);
    const release = await hold(START_MS);
    mock.timers.setTime(START_MS + HOUR_MS);
    await release();
    expect(serverAheadMs.value).to.equal(0);
  });

  it('is corrected when the first answer was slow', async () => {
    const release = await hold(START_MS);
    mock.timers.setTime(START_MS + HOUR_MS);
    await release();
    await receive(START_MS + HOUR_MS);
    expect(serverAheadMs.value).to.equal(0);
  });

  it('ends a session that expired while the machine slept, although an answer was on its way', async () => {
    signIn(toToken({ exp: (START_MS + HOUR_MS) / 1_000 }));
    await receive(START_MS);
    const release = await hold(START_MS);
    mock.timers.setTime(START_MS + HOUR_MS);
    await release();
    expect(isExpired.value).to.equal(false);
    document.dispatchEvent(new Event('visibilitychange'));
    expect(isExpired.value).to.equal(true);
  });
});
