import { expect } from 'chai';
import { evaluate } from '../../../ledger/compliance/judge.ts';
import { aPairPolicy, aPolicy, fails, PASSES, toEvents, toHistory, verdictOn } from './policies.ts';

const T0 = Date.parse('2026-01-01T00:00:00.000Z');
const HOUR = 3_600_000;
const LONGEST_DIGITS = '9223372036854775807';

const opening = (atMs: number, id?: string) => ['Open', atMs, id] as const;
const closing = (atMs: number, id?: string) => ['Close', atMs, id] as const;

const TYPES = { event_display_type: 'Open', closing_event_display_type: 'Close' };

describe('COMPLIANCE_SINCE', () => {
  const policy = aPolicy('COMPLIANCE_SINCE', { event_display_type: 'Open', time_period_seconds: '10' });
  const given = [['Open', Date.parse('2026-01-01T16:20:37.759Z')]] as const;
  const on = (time: string) => verdictOn(policy, given, Date.parse(`2026-01-01T${time}Z`));

  it('evaluates the acceptance example', () => {
    expect(on('16:20:39')).to.deep.equal(PASSES);
    expect(on('16:20:58')).to.deep.equal(fails('Duration 20s exceeds limit 10s'));
  });

  it('fails from the first millisecond after the limit', () => {
    expect(on('16:20:47.759')).to.deep.equal(PASSES);
    expect(on('16:20:47.760')).to.deep.equal(fails('Duration 10s exceeds limit 10s'));
  });

  it('fails without an event of the type up to the time', () => {
    expect(verdictOn(policy, [], T0)).to.deep.equal(fails('No events found'));
    expect(verdictOn(policy, [['Close', T0]], T0)).to.deep.equal(fails('No events found'));
    expect(on('16:20:37.758')).to.deep.equal(fails('No events found'));
    expect(on('16:20:37.759')).to.deep.equal(PASSES);
  });

  it('counts from the event that was accepted last, whatever its place in the ledger', () => {
    const given = [opening(T0), opening(T0 + 2500), opening(T0 + 1)];
    const verdict = evaluate(policy, toHistory(toEvents(given)), {}, T0 + 14_000);
    expect(verdict).to.deep.equal({
      ...fails('Duration 11s exceeds limit 10s'),
      evidence: {
        event_display_type: 'Open',
        events: [{ event: 1, acceptedMs: T0 + 2500 }],
        events_total: 1,
        limit_seconds: '10',
        elapsed_seconds: 11.5,
      },
    });
  });

  it('accepts the largest limit of 64 bits', () => {
    expect(verdictOn({ ...policy, time_period_seconds: LONGEST_DIGITS }, [['Open', 0]], T0)).to.deep.equal(PASSES);
  });
});

describe('COMPLIANCE_CURRENT_OUTSTANDING', () => {
  const policy = aPairPolicy('COMPLIANCE_CURRENT_OUTSTANDING');
  const OUTSTANDING = fails('No closing event for Open');
  const closed = [opening(T0, 'a'), closing(T0 + 11_000, 'a')];

  it('evaluates the acceptance example', () => {
    expect(verdictOn(policy, closed.slice(0, 1), T0)).to.deep.equal(OUTSTANDING);
    expect(verdictOn(policy, closed, T0 + 12_000)).to.deep.equal(PASSES);
    expect(verdictOn(policy, closed, T0 + 6000)).to.deep.equal(OUTSTANDING);
  });

  it('passes without any opening event', () => {
    expect(verdictOn(policy, [], T0)).to.deep.equal(PASSES);
    expect(verdictOn(policy, [['Close', T0, 'a']], T0)).to.deep.equal(PASSES);
  });

  for (const [name, expected, ...histories] of [
    [
      'accepts an answer of the same millisecond, even if it comes first on the ledger',
      PASSES,
      [opening(T0, 'a'), closing(T0, 'a')],
      [closing(T0, 'a'), opening(T0, 'a')],
    ],
    [
      'accepts no answer that was accepted earlier',
      OUTSTANDING,
      [closing(T0 - 1, 'a'), opening(T0, 'a')],
      [opening(T0, 'a'), closing(T0 - 1, 'a')],
    ],
    [
      'accepts no answer with another id, or without one',
      OUTSTANDING,
      [opening(T0, 'a'), closing(T0 + 1, 'b')],
      [opening(T0), closing(T0 + 1)],
    ],
  ] as const)
    it(name, () => {
      for (const given of histories)
        expect(verdictOn(policy, given, Math.max(...given.map(([, atMs]) => atMs)))).to.deep.equal(expected);
    });

  it('requires as many answers as openings of an id', () => {
    const twice = [opening(T0, 'a'), opening(T0 + 1, 'a'), closing(T0 + 2, 'a')];
    const verdict = evaluate(policy, toHistory(toEvents(twice)), {}, T0 + 9);
    expect(verdict).to.deep.equal({
      ...OUTSTANDING,
      evidence: { ...TYPES, events: [{ event: 1, acceptedMs: T0 + 1 }], events_total: 1, pairs: 1, open: 1 },
    });
    expect(verdictOn(policy, [...twice, closing(T0 + 2, 'a')], T0 + 9)).to.deep.equal(PASSES);
  });

  it('lets events of one type open and close alternately', () => {
    const turns = { ...policy, closing_event_display_type: 'Open' };
    const given = [opening(T0, 'a'), opening(T0 + 1, 'a'), opening(T0 + 2, 'a')];
    expect(verdictOn(turns, given, T0)).to.deep.equal(OUTSTANDING);
    expect(verdictOn(turns, given, T0 + 1)).to.deep.equal(PASSES);
    expect(evaluate(turns, toHistory(toEvents(given)), {}, T0 + 2).evidence).to.deep.equal({
      event_display_type: 'Open',
      closing_event_display_type: 'Open',
      events: [{ event: 2, acceptedMs: T0 + 2 }],
      events_total: 1,
      pairs: 1,
      open: 1,
    });
  });

  it('lists 100 outstanding events, and counts all', () => {
    const many = Array.from({ length: 250 }, (_, index) => opening(T0 + index, String(index)));
    const { evidence } = evaluate(policy, toHistory(toEvents(many)), {}, T0 + HOUR);
    expect(evidence.events.map(({ event }) => event)).to.deep.equal(many.slice(0, 100).map((_, index) => index));
    expect(evidence.events_total).to.equal(250);
  });
});

describe('COMPLIANCE_PERIOD_OUTSTANDING', () => {
  const policy = aPairPolicy('COMPLIANCE_PERIOD_OUTSTANDING', { time_period_seconds: '259200' });
  const OVER = fails('Duration 73h0m0s exceeds limit 72h0m0s');

  it('evaluates the acceptance example', () => {
    const pair = (hours: number) => [opening(T0, 'a'), closing(T0 + hours * HOUR, 'a')];
    expect(verdictOn(policy, pair(71), T0 + 999 * HOUR)).to.deep.equal(PASSES);
    expect(verdictOn(policy, pair(73), T0 + 999 * HOUR)).to.deep.equal(OVER);
    expect(verdictOn(policy, pair(99), T0 + 71 * HOUR)).to.deep.equal(PASSES);
    expect(verdictOn(policy, pair(99), T0 + 73 * HOUR)).to.deep.equal(OVER);
  });

  it('passes at exactly the limit, open or closed', () => {
    const limitMs = 72 * HOUR;
    for (const [overMs, expected] of [
      [0, true],
      [1, false],
    ] as const) {
      const closeMs = T0 + limitMs + overMs;
      const pair = [opening(T0, 'a'), closing(closeMs, 'a')];
      expect(verdictOn(policy, pair.slice(0, 1), closeMs).compliant).to.equal(expected);
      expect(verdictOn(policy, pair, closeMs + HOUR).compliant).to.equal(expected);
    }
  });

  it('names the longest duration, and all durations over the limit', () => {
    const given = [
      opening(T0, 'a'),
      opening(T0, 'b'),
      closing(T0 + 80 * HOUR, 'a'),
      closing(T0 + HOUR, 'b'),
      opening(T0 + HOUR, 'c'),
    ];
    expect(evaluate(policy, toHistory(toEvents(given)), {}, T0 + 91 * HOUR)).to.deep.equal({
      ...fails('Duration 90h0m0s exceeds limit 72h0m0s'),
      evidence: {
        ...TYPES,
        events: [
          { event: 4, acceptedMs: T0 + HOUR },
          { event: 0, acceptedMs: T0 },
          { event: 2, acceptedMs: T0 + 80 * HOUR, answers: 0 },
        ],
        events_total: 3,
        pairs: 2,
        open: 1,
        exceeding: 2,
        limit_seconds: '259200',
        elapsed_seconds: 90 * 3600,
      },
    });
  });
});

describe('every verdict', () => {
  it('is plain JSON, and independent of later events', () => {
    const given = [opening(T0, 'a'), closing(T0 + 5000, 'a'), opening(T0 + 6000, 'b'), closing(T0 + 9000, 'b')];
    const later = [opening(T0 + 99_000, 'a'), closing(T0 + 99_001, 'b')];
    const limits = { time_period_seconds: '4', dynamic_window: '60', dynamic_variability: 0.5 };
    for (const type of ['SINCE', 'CURRENT_OUTSTANDING', 'PERIOD_OUTSTANDING', 'DYNAMIC_TOLERANCE'] as const) {
      const policy = aPairPolicy(`COMPLIANCE_${type}`, limits);
      const verdict = evaluate(policy, toHistory(toEvents(given)), {}, T0 + 50_000);
      expect(JSON.parse(JSON.stringify(verdict))).to.deep.equal(verdict);
      expect(evaluate(policy, toHistory(toEvents([...given, ...later])), {}, T0 + 50_000)).to.deep.equal(verdict);
    }
  });

  it('judges by declared times where the policy says so, of the events that were accepted by then', () => {
    const [policy, declared] = [{}, { judged_by: 'declared' as const }].map((judged) =>
      aPolicy('COMPLIANCE_SINCE', { event_display_type: 'Open', time_period_seconds: '60', ...judged }),
    );
    const old = ['Open', T0, undefined, T0 - HOUR] as const;
    expect(verdictOn(policy!, [old], T0)).to.eql(PASSES);
    expect(verdictOn(declared!, [old], T0)).to.eql(fails('Duration 1h0m0s exceeds limit 1m0s'));
    for (const later of [T0 + 1, T0 - HOUR])
      expect(verdictOn(declared!, [['Open', T0 + 1, undefined, later]], T0)).to.eql(fails('No events found'));
    const early = ['Open', T0, undefined, T0 + 1] as const;
    expect(verdictOn(declared!, [early], T0)).to.eql(fails('No events found'));
    expect(verdictOn(declared!, [early, ['Open', T0, undefined, T0 - 60_000], old], T0)).to.eql(PASSES);
  });

  it('names the declared time of a deciding event, too, if it differs by more than a minute', () => {
    const policy = aPolicy('COMPLIANCE_SINCE', { event_display_type: 'Open', time_period_seconds: '60' });
    const decidedBy = (declaredMs: number) =>
      evaluate(policy, toHistory(toEvents([['Open', T0, undefined, declaredMs]])), {}, T0).evidence.events;
    for (const apart of [60_001, -60_001])
      expect(decidedBy(T0 + apart)).to.eql([{ event: 0, acceptedMs: T0, declaredMs: T0 + apart }]);
    for (const apart of [60_000, -60_000, 0]) expect(decidedBy(T0 + apart)).to.eql([{ event: 0, acceptedMs: T0 }]);
  });
});
