// The part of a long history that the explorer keeps: any event is found by its number, however the events are spread.
import { expect } from 'chai';
import type { LedgerEvent } from '../../explorer/api/client.ts';
import type { AcceptedRange } from '../../explorer/api/reads.ts';
import { type FetchRange, openEventStore } from '../../explorer/state/eventStore.ts';
import { toRowOffset, toRowWindow } from '../../explorer/text/windows.ts';

const START_MS = Date.UTC(2026, 0, 1);
const EVENTS = 20_000;

const toEvent = (number: number, ms: number): LedgerEvent =>
  ({
    identity: `assets/a/events/${String(number).padStart(6, '0')}`,
    timestamp_accepted: new Date(ms).toISOString(),
    confirmation_status: 'CONFIRMED',
  }) as LedgerEvent;

const SPREADS: Readonly<Record<string, (number: number) => number>> = {
  evenly: (number) => START_MS + number * 1_000,
  'all but one at the end': (number) => START_MS + (number === 0 ? 0 : 315_360_000_000 + number),
  'all but one at the beginning': (number) => START_MS + (number === EVENTS - 1 ? 315_360_000_000 : number),
  'in bursts': (number) => START_MS + Math.floor(number / 2_000) * 86_400_000 + (number % 2_000),
  'with 1,500 in one millisecond': (number) => START_MS + (number < 9_000 ? number : Math.max(9_000, number - 1_500)),
};

// What the server answers, and how often it was asked.
const createServer = (events: LedgerEvent[]) => {
  let requests = 0;
  const fetchRange: FetchRange = async ({ since, before, isOldestFirst, pageToken, size = 200 }: AcceptedRange) => {
    requests += 1;
    const matching = events.filter(
      ({ timestamp_accepted: time }) =>
        (since === undefined || time > since) && (before === undefined || time < before),
    );
    const ordered = isOldestFirst ? matching : matching.toReversed();
    const [from, tokenSince] = pageToken ? pageToken.split(' ') : ['0', since ?? ''];
    const listed = pageToken
      ? events.filter(({ timestamp_accepted: time }) => time > tokenSince! && (before === undefined || time < before))
      : ordered;
    const end = Number(from) + size;
    return {
      events: listed.slice(Number(from), end),
      total: listed.length,
      next: end < listed.length ? `${end} ${tokenSince}` : '',
    };
  };
  return { fetchRange, requests: () => requests };
};

describe('the kept events of an asset', () => {
  for (const [name, toMs] of Object.entries(SPREADS))
    it(`has any event by its number where they are spread ${name}`, async () => {
      const events = Array.from({ length: EVENTS }, (_, number) => toEvent(number, toMs(number)));
      const { fetchRange, requests } = createServer(events);
      const store = await openEventStore(fetchRange);
      expect(store.total()).to.equal(EVENTS);
      expect(store.get(EVENTS - 1)).to.equal(events.at(-1));
      for (const number of [12_345, 0, 1, 199, 200, 9_001, 10_400, 10_499, 10_500, 19_999, 15_000, 2_000, 5_555]) {
        const before = requests();
        await store.load(number);
        expect(store.get(number)?.identity).to.equal(events[number]!.identity);
        expect(requests() - before, `${number}`).to.be.at.most(60);
      }
      expect(await store.findNumber(toMs(7_777))).to.be.at.least(7_777);
      expect(await store.findNumber(START_MS - 1)).to.equal(-1);
    });

  it('takes two requests where events are evenly spread', async () => {
    const events = Array.from({ length: EVENTS }, (_, number) => toEvent(number, SPREADS.evenly!(number)));
    const { fetchRange, requests } = createServer(events);
    const store = await openEventStore(fetchRange);
    const before = requests();
    await store.load(10_000);
    expect(requests() - before).to.be.at.most(2);
  });

  it('keeps a bounded part, and reads the rest again', async () => {
    const events = Array.from({ length: EVENTS }, (_, number) => toEvent(number, SPREADS.evenly!(number)));
    const store = await openEventStore(createServer(events).fetchRange);
    for (let number = 0; number < EVENTS; number += 100) await store.load(number);
    const kept = events.filter((_, number) => store.get(number) !== undefined).length;
    expect(kept).to.be.at.most(4_400);
    await store.load(0);
    expect(store.get(0)).to.equal(events[0]);
  });

  it('adds new events after the others, and replaces one that was pending', async () => {
    const events = Array.from({ length: 3 }, (_, number) => toEvent(number, START_MS + number));
    const store = await openEventStore(createServer(events).fetchRange);
    expect([store.total(), store.isComplete()]).to.deep.equal([3, true]);
    const replaced = { ...events[1]!, confirmation_status: 'FAILED' as const };
    store.add(replaced);
    store.add(toEvent(3, START_MS + 9));
    expect([store.total(), store.get(1), store.get(3)?.identity]).to.deep.equal([
      4,
      replaced,
      'assets/a/events/000003',
    ]);
    events.push(toEvent(3, START_MS + 9), toEvent(4, START_MS + 9));
    await store.catchUp();
    expect([store.total(), store.get(4)?.identity]).to.deep.equal([5, 'assets/a/events/000004']);
  });

  it('has events of one millisecond in the order of the ledger, whichever of their pages are read', async () => {
    const placed = (number: number, ms: number, log_index: number) => ({
      ...toEvent(number, ms),
      ...{ block_number: 7, transaction_index: 0, log_index },
    });
    // By identity, as the server lists them; on the ledger the other way round.
    const same = Array.from({ length: 900 }, (_, at) => placed(1_000 + at, START_MS + 1_000, 900 - at));
    const events = [
      ...Array.from({ length: 1_000 }, (_, number) => toEvent(number, START_MS + number)),
      ...same,
      ...Array.from({ length: 9_000 }, (_, at) => toEvent(1_900 + at, START_MS + 2_000 + at)),
    ];
    const store = await openEventStore(createServer(events).fetchRange);
    for (const number of [1_899, 1_000, 1_450, 9_500, 5_000, 7_000, 3_000, 1_899, 1_000]) await store.load(number);
    for (let number = 1_000; number < 1_900; number += 1) await store.load(number);
    const identities = Array.from({ length: 900 }, (_, at) => store.get(1_000 + at)?.identity);
    expect(identities).to.deep.equal(same.map(({ identity }) => identity).reverse());
    const few = await openEventStore(createServer([...same.slice(0, 3), toEvent(9_999, START_MS + 3_000)]).fetchRange);
    expect([0, 1, 2].map((number) => few.get(number))).to.deep.equal(same.slice(0, 3).reverse());
  });

  it('is empty where there is no event', async () => {
    const store = await openEventStore(createServer([]).fetchRange);
    expect([store.total(), store.isComplete(), store.get(0)]).to.deep.equal([0, true, undefined]);
  });
});

describe('the rendered rows of a long list', () => {
  it('are those near the visible part, and the heights of the others add up', () => {
    const measured = new Map([[2_500, 2_000]]);
    const heights = { count: 100_000, estimate: 50, measured };
    const whole = toRowOffset(heights, 100_000 - 1) + 50;
    for (const top of [0, 1, 999, 2_500_000, whole - 800, whole + 5_000]) {
      const { first, end, above, below } = toRowWindow(heights, top, 800);
      expect(end - first, `${top}`).to.be.within(1, 100);
      expect(above).to.be.at.most(top);
      const rendered = toRowOffset(heights, end - 1) + 50 - toRowOffset(heights, first);
      expect(above + below + rendered).to.be.closeTo(whole, 100);
    }
  });

  it('leave no element higher than a browser draws', () => {
    const { above, below } = toRowWindow({ count: 5_000_000, estimate: 90, measured: new Map() }, 0, 800);
    expect(above + below).to.be.at.most(12_000_000);
  });

  it('are none of an empty list', () => {
    expect(toRowWindow({ count: 0, estimate: 50, measured: new Map() }, 0, 800)).to.include({ first: 0, end: 0 });
  });
});
