// When a chain counts as stalled.
import { expect } from 'chai';
import { createStallWatch, type FoundStall, type Observation } from '../../../chain/network/stallWatch.ts';

const START_MS = 1_700_000_000_000;
const ON_DEMAND = { usualMs: 1_000, promisedMs: undefined, silenceMsMax: undefined };
const EACH_SECOND = { usualMs: 1_000, promisedMs: 1_000, silenceMsMax: 3_000 };
const SLOW = { usualMs: 15_000, promisedMs: 15_000, silenceMsMax: 45_000 };

const toWaiting = (fromMs: number | undefined, isRecovered = false) =>
  fromMs === undefined ? undefined : { sinceMs: START_MS + fromMs, isRecovered };

describe('the watch for stalls', () => {
  let judge: (observation: Observation) => FoundStall | undefined;
  beforeEach(() => {
    judge = createStallWatch();
  });
  const look = (
    afterMs: number,
    number: number,
    options: {
      intervals?: Observation['intervals'];
      waitingFromMs?: number;
      unfinalFromMs?: number;
      finalBlocks?: number;
      isRecovered?: boolean;
    } = {},
  ): FoundStall | undefined =>
    judge({
      nowMs: START_MS + afterMs,
      head: { number, timestampSeconds: START_MS / 1_000 + number },
      intervals: 'intervals' in options ? options.intervals : EACH_SECOND,
      finalBlocks: options.finalBlocks ?? 1,
      unmined: toWaiting(options.waitingFromMs, options.isRecovered),
      unfinal: toWaiting(options.unfinalFromMs, options.isRecovered),
    });
  // Looks as often as a server does.
  const watch = (fromMs: number, toMs: number, ...given: [number, Parameters<typeof look>[2]?]) => {
    for (let ms = fromMs; ms < toMs; ms += 500) look(ms, ...given);
    return look(toMs, ...given);
  };

  it('finds silence after three intervals where blocks are promised, since the newest block', () => {
    expect(look(0, 0)).to.equal(undefined);
    expect(look(1_100, 1)).to.equal(undefined);
    expect(watch(1_600, 4_100, 1)).to.equal(undefined);
    expect(look(4_101, 1)).to.eql({ cause: 'silence', sinceMs: START_MS + 1_000 });
    expect(look(400_000, 1)).to.eql({ cause: 'silence', sinceMs: START_MS + 1_000 });
    expect(look(400_100, 2)).to.equal(undefined);
  });

  it('never finds silence on a chain that makes blocks on demand, or whose blocks are unknown', () => {
    for (const intervals of [ON_DEMAND, undefined]) {
      expect(watch(0, 86_400_000, 7, { intervals })).to.equal(undefined);
    }
  });

  it('finds a transaction that waits longer than 30 s, on any chain', () => {
    for (const intervals of [ON_DEMAND, undefined]) {
      judge = createStallWatch();
      expect(watch(500, 30_500, 7, { intervals, waitingFromMs: 500 })).to.equal(undefined);
      expect(look(30_501, 7, { intervals, waitingFromMs: 500 })).to.eql({
        cause: 'transaction',
        sinceMs: START_MS + 500,
      });
      expect(look(30_600, 8, { intervals })).to.equal(undefined);
    }
  });

  it('finds that each transaction waits longer than 30 s, although the oldest is always another one', () => {
    // One is sent every 2.5 s and mined after 45 s.
    const found: (FoundStall | undefined)[] = [];
    for (let ms = 0; ms <= 200_000; ms += 500) {
      const oldestFromMs = Math.max(0, Math.ceil((ms - 45_000) / 2_500)) * 2_500;
      found.push(look(ms, Math.floor(ms / 1_000), { waitingFromMs: oldestFromMs }));
    }
    expect(found.slice(0, 61)).to.deep.equal(Array(61).fill(undefined));
    expect(new Set(found.slice(61).map((stall) => stall?.cause))).to.deep.equal(new Set(['transaction']));
  });

  it('finds a transaction that waits for three intervals, where they are longer', () => {
    watch(0, 43_500, 44, { intervals: SLOW, waitingFromMs: 0 });
    expect(watch(44_000, 45_000, 45, { intervals: SLOW, waitingFromMs: 0 })).to.equal(undefined);
    expect(look(45_001, 45, { intervals: SLOW, waitingFromMs: 0 })).to.include({ cause: 'transaction' });
  });

  it('finds a transaction that is mined and not final, although blocks come', () => {
    const unfinal = { intervals: ON_DEMAND, unfinalFromMs: 0 };
    for (let ms = 0; ms <= 30_000; ms += 500) expect(look(ms, ms, unfinal)).to.equal(undefined);
    expect(look(30_500, 30_500, unfinal)).to.eql({ cause: 'finality', sinceMs: START_MS });
    expect(look(31_000, 31_000, { intervals: ON_DEMAND })).to.equal(undefined);
  });

  it('gives a transaction three times as many blocks as usual to become final', () => {
    const unfinal = { intervals: ON_DEMAND, finalBlocks: 96, unfinalFromMs: 0 };
    expect(watch(0, 288_000, 7, unfinal)).to.equal(undefined);
    expect(look(288_500, 7, unfinal)).to.eql({ cause: 'finality', sinceMs: START_MS });
  });

  it('counts the time before the start of this process since the newest block', () => {
    const recovered = { intervals: ON_DEMAND, isRecovered: true };
    expect(watch(3_600_000, 3_603_000, 7, { ...recovered, waitingFromMs: 0 })).to.equal(undefined);
    const found = look(3_603_001, 7, { ...recovered, waitingFromMs: 0 });
    expect(found).to.eql({ cause: 'transaction', sinceMs: START_MS + 7_000 });
    judge = createStallWatch();
    expect(watch(3_600_000, 3_603_500, 3_600, { ...recovered, waitingFromMs: 0 })).to.equal(undefined);
  });

  it('keeps the beginning of a stall whose cause changes', () => {
    expect(watch(1_000, 31_500, 1, { waitingFromMs: 900 })).to.include({ cause: 'silence' });
    expect(look(31_600, 2, { waitingFromMs: 900 })).to.eql({ cause: 'transaction', sinceMs: START_MS + 1_000 });
  });

  it('counts no time without answers, which proves no stall', () => {
    const waiting = { waitingFromMs: 0 };
    watch(0, 500, 1, waiting);
    expect(look(600_000, 1, waiting)).to.equal(undefined);
    expect(look(600_500, 1, waiting)).to.equal(undefined);
    expect(look(600_501, 1, waiting)).to.include({ cause: 'silence' });
    // A stall that was found lasts until a block comes.
    expect(look(900_000, 1, waiting)).to.include({ cause: 'silence' });
    judge = createStallWatch();
    const onDemand = { ...waiting, intervals: ON_DEMAND };
    expect(look(600_000, 1, onDemand)).to.equal(undefined);
    expect(watch(600_500, 628_000, 1, onDemand)).to.equal(undefined);
    expect(look(628_001, 1, onDemand)).to.include({ cause: 'transaction' });
  });

  it("counts by this machine's clock, whatever the validators' clocks say", () => {
    const head = { number: 7, timestampSeconds: 5 };
    const seen = { head, intervals: EACH_SECOND, finalBlocks: 1, unmined: undefined, unfinal: undefined };
    expect(judge({ ...seen, nowMs: START_MS })).to.equal(undefined);
    expect(judge({ ...seen, nowMs: START_MS + 2_000 })).to.equal(undefined);
    const future = { ...seen, head: { number: 8, timestampSeconds: START_MS } };
    expect(judge({ ...future, nowMs: START_MS + 3_100 })).to.equal(undefined);
    expect(judge({ ...future, nowMs: START_MS + 5_000 })).to.equal(undefined);
    expect(judge({ ...future, nowMs: START_MS + 7_000 })).to.eql({ cause: 'silence', sinceMs: START_MS + 3_100 });
  });
});
