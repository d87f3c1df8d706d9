import { syncBuiltinESMExports } from 'node:module';
import { mock } from 'node:test';
import { expect } from 'chai';
import type { FeedEvent, FeedPage } from '../../../indexer/feedView.ts';
import { LedgerError } from '../../../ledger/errors.ts';
import { STREAM_LIMITS, type StreamLimits } from '../../../server/limits.ts';
import type { AuthorizedCaller } from '../../../server/openapi/handlers.ts';
import { type FollowedFeed, followFeed } from '../../../server/streams/followFeed.ts';

type Position = FeedPage['next'];

const CALLER = {} as AuthorizedCaller;
const LIMITS = { ...STREAM_LIMITS, heartbeatMs: 300, gatherMs: 20, checkMs: 100 };

const at = (blockNumber: number): Position => ({ blockNumber, logIndex: 0 });
const toEvent = (block: number): FeedEvent => ({ json: Buffer.from(`{"n":${block}}`), next: at(block) });
const toMessage = (block: number): string => `id: ${block}\ndata: {"n":${block}}\n\n`;
const OPENING = 'retry: 1000\nid: 1\n\n';
const turns = async (): Promise<void> => {
  for (let count = 0; count < 10; count += 1) await new Promise(setImmediate);
};

describe('a stream of events', () => {
  let pages: (FeedPage | Error)[];
  let steps: string[];
  let onChange: () => void;
  let closed: AbortController;
  let stopping: AbortController;
  let displacing: AbortController;
  let isWatched: boolean;
  let unexpected: unknown[];
  let authorize: () => Promise<AuthorizedCaller>;

  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
    syncBuiltinESMExports();
    [pages, steps, unexpected, isWatched] = [[], [], [], false];
    [closed, stopping, displacing] = [new AbortController(), new AbortController(), new AbortController()];
    authorize = async () => CALLER;
  });
  afterEach(() => {
    closed.abort();
    mock.timers.reset();
    syncBuiltinESMExports();
  });

  const readNext = async (from: Position): Promise<FeedPage> => {
    steps.push(`read ${from.blockNumber}`);
    const page = pages.shift() ?? { events: [], next: from, isComplete: true };
    if (page instanceof Error) throw page;
    return page;
  };
  const follow = (limits: StreamLimits = LIMITS): FollowedFeed =>
    followFeed({
      authorize: () => {
        steps.push('authorize');
        return authorize();
      },
      read: (_, from) => readNext(from),
      runInTurn: (task) => task(),
      watch: (listener) => {
        onChange = listener;
        isWatched = true;
        return () => {
          isWatched = false;
        };
      },
      ids: { encode: ({ blockNumber }) => String(blockNumber), decode: () => at(0) },
      from: at(1),
      limits,
      closed: closed.signal,
      stopping: stopping.signal,
      displaced: displacing.signal,
      onUnexpectedError: (error) => unexpected.push(error),
    });
  const countReads = (): number => steps.filter((step) => step.startsWith('read')).length;
  // What the stream says next, which may need time to pass.
  const next = ({ messages }: FollowedFeed): { value?: string | undefined; isDone?: boolean } => {
    const result: { value?: string; isDone?: boolean } = {};
    void messages.next().then(({ value, done }) => {
      result.isDone = done === true;
      if (done !== true) result.value = value;
    });
    return result;
  };
  const readOne = async (feed: FollowedFeed): Promise<string | undefined> => {
    const result = next(feed);
    await turns();
    return result.value;
  };
  const endOf = async (feed: FollowedFeed): Promise<boolean | undefined> => {
    const result = next(feed);
    await turns();
    return result.isDone;
  };

  it('begins with its position, and sends page after page without a pause', async () => {
    pages = [
      { events: [toEvent(2), toEvent(3)], next: at(4), isComplete: false },
      { events: [], next: at(5), isComplete: false },
      { events: [toEvent(6)], next: at(7), isComplete: true },
    ];
    const feed = follow();
    expect(await readOne(feed)).to.equal(OPENING);
    expect(await readOne(feed)).to.equal(toMessage(2) + toMessage(3));
    expect(await readOne(feed)).to.equal(toMessage(6));
    expect(steps).to.eql(['authorize', 'read 1', 'authorize', 'read 4', 'authorize', 'read 5']);
  });

  it('sends a heartbeat with its position when nothing changes', async () => {
    pages = [{ events: [toEvent(2)], next: at(3), isComplete: true }];
    const feed = follow({ ...LIMITS, checkMs: 10_000 });
    await readOne(feed);
    await readOne(feed);
    const beat = next(feed);
    await turns();
    mock.timers.tick(299);
    await turns();
    expect(beat.value).to.equal(undefined);
    mock.timers.tick(1);
    await turns();
    expect(beat.value).to.equal(': heartbeat\nid: 3\n\n');
  });

  it('gathers what comes after a change before it reads', async () => {
    const feed = follow({ ...LIMITS, checkMs: 10_000 });
    await readOne(feed);
    const event = next(feed);
    await turns();
    expect(countReads()).to.equal(1);
    pages = [{ events: [toEvent(2)], next: at(3), isComplete: true }];
    onChange();
    await turns();
    mock.timers.tick(19);
    await turns();
    expect(countReads()).to.equal(1);
    mock.timers.tick(1);
    await turns();
    expect(event.value).to.equal(toMessage(2));
  });

  it('ends without an error when its caller may no longer read it', async () => {
    const feed = follow();
    await readOne(feed);
    authorize = async () => {
      throw new LedgerError('FORBIDDEN');
    };
    expect(await endOf(feed)).to.equal(true);
    expect([unexpected, feed.cut.aborted]).to.eql([[], false]);
  });

  it('ends and reports an error that is no refusal', async () => {
    const failure = new Error('the disk is broken');
    pages = [failure];
    const feed = follow();
    await readOne(feed);
    expect(await endOf(feed)).to.equal(true);
    expect(unexpected).to.eql([failure]);
  });

  it('checks its caller at each interval, and ends during a wait when it may no longer read', async () => {
    const feed = follow();
    await readOne(feed);
    const last = next(feed);
    await turns();
    for (let count = 0; count < 2; count += 1) {
      mock.timers.tick(LIMITS.checkMs);
      await turns();
    }
    expect(steps).to.eql(['authorize', 'read 1', 'authorize', 'authorize']);
    expect(last.isDone).to.equal(undefined);
    authorize = async () => {
      throw new LedgerError('FORBIDDEN');
    };
    mock.timers.tick(LIMITS.checkMs);
    await turns();
    expect([last.isDone, countReads()]).to.eql([true, 1]);
  });

  it('ends when a check lasts until the next', async () => {
    const feed = follow();
    await readOne(feed);
    const last = next(feed);
    await turns();
    authorize = () => new Promise(() => undefined);
    mock.timers.tick(LIMITS.checkMs);
    await turns();
    expect(last.isDone).to.equal(undefined);
    mock.timers.tick(LIMITS.checkMs);
    await turns();
    expect(last.isDone).to.equal(true);
  });

  it('cuts the connection when its client leaves a message unread', async () => {
    const feed = follow({ ...LIMITS, unreadMs: 0 });
    mock.timers.tick(LIMITS.checkMs);
    await turns();
    expect(feed.cut.aborted).to.equal(false);
    await readOne(feed);
    mock.timers.tick(LIMITS.checkMs);
    await turns();
    expect(feed.cut.aborted).to.equal(true);
    expect(await endOf(feed)).to.equal(true);
  });

  it('waits for a client that takes its time, and for one that has read everything', async () => {
    const slow = follow();
    await readOne(slow);
    mock.timers.tick(LIMITS.checkMs);
    await turns();
    expect(slow.cut.aborted).to.equal(false);
    const idle = follow({ ...LIMITS, unreadMs: 0 });
    await readOne(idle);
    next(idle);
    await turns();
    mock.timers.tick(LIMITS.checkMs);
    await turns();
    expect(idle.cut.aborted).to.equal(false);
  });

  it('ends at once when the server stops, without another read', async () => {
    const feed = follow();
    await readOne(feed);
    const last = next(feed);
    await turns();
    stopping.abort();
    await turns();
    expect([last.isDone, countReads(), feed.cut.aborted]).to.eql([true, 1, false]);
  });

  it('reads nothing in its turn when it ended before', async () => {
    const feed = follow();
    await readOne(feed);
    authorize = async () => {
      stopping.abort();
      return CALLER;
    };
    expect(await endOf(feed)).to.equal(true);
    expect(countReads()).to.equal(0);
  });

  it('leaves neither a watch nor a check when its answer is closed', async () => {
    const feed = follow();
    await readOne(feed);
    expect(isWatched).to.equal(true);
    closed.abort();
    expect(await endOf(feed)).to.equal(true);
    expect(isWatched).to.equal(false);
    steps = [];
    mock.timers.tick(10 * LIMITS.checkMs);
    await turns();
    expect(steps).to.eql([]);
  });
});
