import { expect } from 'chai';
import { evaluate } from '../../../../ledger/compliance/judge.ts';
import { aPairPolicy, fails, PASSES, toEvents, toHistory, verdictOn } from '../policies.ts';

const T0 = Date.parse('2026-01-01T00:00:00.000Z');
const HOUR = 3_600_000;
const LONGEST_DIGITS = '9223372036854775807';

describe('COMPLIANCE_DYNAMIC_TOLERANCE', () => {
  const policyOf = (dynamic_variability: number, dynamic_window = LONGEST_DIGITS) =>
    aPairPolicy('COMPLIANCE_DYNAMIC_TOLERANCE', { dynamic_variability, dynamic_window });
  // One pair a day.
  const lasting = (...durationsMs: readonly number[]) =>
    durationsMs.flatMap((duration, day) => [
      ['Open', T0 + 24 * day * HOUR, `${day}`] as const,
      ['Close', T0 + 24 * day * HOUR + duration, `${day}`] as const,
    ]);
  const LATER = T0 + 9999 * HOUR;

  it('passes exactly at the tolerated deviation, and fails a millisecond after', () => {
    // Mean 5 s, deviation 5 s.
    expect(verdictOn(policyOf(1), lasting(0, 10_000), LATER)).to.deep.equal(PASSES);
    expect(verdictOn(policyOf(0.999), lasting(0, 10_000), LATER).compliant).to.equal(false);
    // Mean 10 s, deviation 4 s.
    const spread = [2000, 18_000, 10_000, 10_000, 10_000, 10_000, 10_000, 10_000];
    expect(verdictOn(policyOf(2), lasting(...spread), LATER)).to.deep.equal(PASSES);
    expect(verdictOn(policyOf(1.9999999999), lasting(...spread), LATER).compliant).to.equal(false);
  });

  it('names the duration, the mean and the deviation', () => {
    const { evidence, ...verdict } = evaluate(
      policyOf(1.5),
      toHistory(toEvents(lasting(60_000, 60_000, 60_000, 180_500))),
      {},
      LATER,
    );
    expect(verdict).to.deep.equal(
      fails('Duration 3m0s differs from mean 1m30s by more than 1.5 times the standard deviation 52s'),
    );
    expect(evidence.events.map(({ event }) => event)).to.deep.equal([6, 7, 0, 1, 2, 3, 4, 5]);
    expect(evidence.events[1]).to.deep.equal({ event: 7, acceptedMs: T0 + 72 * HOUR + 180_500, answers: 6 });
    expect(evidence).to.deep.include({
      events_total: 8,
      sum_milliseconds: '360500',
      sum_of_squares_milliseconds: String(3 * 60_000 ** 2 + 180_500 ** 2),
      pairs: 4,
      exceeding: 1,
      elapsed_seconds: 180.5,
    });
    expect(evidence).to.deep.include({ mean_seconds: 90.125, variability: 1.5 });
    expect('standard_deviation_seconds' in evidence && evidence.standard_deviation_seconds).to.be.closeTo(
      52.178,
      0.001,
    );
  });

  it('passes fewer than two pairs, and pairs that are all the same', () => {
    expect(verdictOn(policyOf(0), [], LATER)).to.deep.equal(PASSES);
    expect(verdictOn(policyOf(0), lasting(5), LATER)).to.deep.equal(PASSES);
    expect(verdictOn(policyOf(0), lasting(333_333_333, 333_333_333, 333_333_333), LATER)).to.deep.equal(PASSES);
    expect(verdictOn(policyOf(0), lasting(333_333_333, 333_333_333, 333_333_334), LATER).compliant).to.equal(false);
  });

  it('looks only at pairs in the window, including its edges', () => {
    const given = [
      ['Open', T0, 'a'],
      ['Close', T0 + 9000, 'a'],
      ...([
        ['Open', T0 + 10_000, 'b'],
        ['Close', T0 + 20_000, 'b'],
      ] as const),
    ] as const;
    const eventsAt = (atMs: number) =>
      evaluate(policyOf(1, '20'), toHistory(toEvents(given)), {}, atMs).evidence.events.map(({ event }) => event);
    expect(eventsAt(T0 + 20_000)).to.deep.equal([0, 1, 2, 3]);
    expect(eventsAt(T0 + 20_001)).to.deep.equal([2, 3]);
    expect(eventsAt(T0 + 19_999)).to.deep.equal([0, 1]);
  });

  it('pairs an answer in the window with an opening in it, even if one outside waits for longer', () => {
    const given = [
      ['Open', T0, 'a'],
      ['Open', T0 + 9000, 'a'],
      ['Close', T0 + 10_000, 'a'],
    ] as const;
    const { evidence } = evaluate(policyOf(1, '5'), toHistory(toEvents(given)), {}, T0 + 11_000);
    expect(evidence.events.at(-1)).to.deep.equal({ event: 2, acceptedMs: T0 + 10_000, answers: 1 });
  });
});
