import { expect } from 'chai';
import { createRandom } from '../../../bench/random.ts';
import { toEventRanges } from '../../../ledger/compliance/eventRange.ts';
import { createJudge, evaluate } from '../../../ledger/compliance/judge.ts';
import type { PolicyEvent } from '../../../ledger/compliance/policyEvent.ts';
import type { Verdict } from '../../../ledger/compliance/verdict.ts';
import type { Attributes, AttributeValue } from '../../../ledger/records/attributes.ts';
import type { Alternatives, PolicyContent } from '../../../ledger/records/policy.ts';
import { naiveFilter, naiveJudge } from '../../support/naiveJudge.ts';
import { runs } from '../../support/propertyRuns.ts';
import { aPairPolicy, aPolicy, matchesFilter, toHistory } from './policies.ts';

const HISTORIES = 12_000;
// So that a test stays within its limit, more runs are more tests.
const SEEDS = Array.from({ length: runs(1).numRuns }, () => Math.floor(Math.random() * 2 ** 32));

// Random numbers below `n`, the same ones for the same seed.
const createNumbers = (seed: number): ((n: number) => number) => {
  const random = createRandom(seed);
  return (n) => Math.floor(random() * n);
};

type Random = (n: number) => number;
const pick = <T>(random: Random, values: readonly T[]): T => values[random(values.length)]!;
const listOf = <T>(length: number, make: () => T): T[] => Array.from({ length }, make);

interface History {
  readonly events: readonly PolicyEvent<number>[];
  readonly stepMs: number;
  readonly atMs: number;
}

type Unplaced = Omit<PolicyEvent<number>, 'ref' | 'declaredMs' | 'judgedMs'>;

// Few ids, so that several events have the same id.
const aMixture = (random: Random, timeOf: (step: number) => number): Unplaced[] => {
  const correlations = pick(random, [['a'], ['a', 'b'], ['a', 'b', 'c', 'd'], ['a', 'b', undefined]]);
  return listOf(random(13), () => ({
    displayType: pick(random, ['Open', 'Open', 'Close', 'Close', 'Other']),
    correlation: pick(random, correlations),
    acceptedMs: timeOf(random(10)),
  }));
};

// An id for each pair, so that there are enough pairs for a mean and a deviation.
const somePairs = (random: Random, timeOf: (step: number) => number): Unplaced[] =>
  Array.from({ length: random(8) }, (_, id) => {
    const opened = random(6);
    const closed = opened + pick(random, [0, 1, 1, 1, 1, 2, 4]);
    return [
      { displayType: 'Open', correlation: String(id), acceptedMs: timeOf(opened) },
      { displayType: 'Close', correlation: String(id), acceptedMs: timeOf(closed) },
    ];
  }).flat();

// Times lie on a coarse grid, so that equal times and periods of exactly the limit are common; a few are a millisecond
// off.
const aHistory = (random: Random): History => {
  const stepMs = pick(random, [1, 400, 1000, 1000, 10_000, 3_600_000, 1e11]);
  const baseMs = pick(random, [0, 1_763_000_000_000, 250_000_000_000_000]);
  const timeOf = (step: number) => baseMs + step * stepMs + (random(6) === 0 ? 1 : 0);
  const events = (random(3) === 0 ? somePairs : aMixture)(random, timeOf);
  if (random(3) > 0) events.sort((a, b) => a.acceptedMs - b.acceptedMs);
  const toDeclaredMs = ({ acceptedMs }: Unplaced): number => (random(3) === 0 ? acceptedMs : timeOf(random(14)));
  const placed = events.map((event, ref) => {
    return { ...event, ref, declaredMs: toDeclaredMs(event), judgedMs: event.acceptedMs };
  });
  return { events: placed, stepMs, atMs: timeOf(4 + random(10)) };
};

const policiesFor = (random: Random, stepMs: number): PolicyContent[] => {
  const seconds = () => String(Math.max(1, Math.floor((random(9) * stepMs) / 1000)));
  const types = random(8) === 0 ? { closing_event_display_type: 'Open' } : {};
  const dynamic_variability = pick(random, [0, 0.5, 1, 1, 1.1, 1.25, 2]);
  const policies = [
    aPolicy('COMPLIANCE_SINCE', { event_display_type: 'Open', time_period_seconds: seconds() }),
    aPairPolicy('COMPLIANCE_CURRENT_OUTSTANDING', types),
    aPairPolicy('COMPLIANCE_PERIOD_OUTSTANDING', { ...types, time_period_seconds: seconds() }),
    aPairPolicy('COMPLIANCE_DYNAMIC_TOLERANCE', {
      ...types,
      dynamic_variability,
      dynamic_window: random(3) === 0 ? '999999999999999999' : seconds(),
    }),
  ];
  return policies.map((policy) => (random(3) === 0 ? { ...policy, judged_by: 'declared' } : policy));
};

// The events for which the asset doesn't comply come first; for DYNAMIC_TOLERANCE, others follow.
const refsOf = ({ compliant, evidence }: Verdict<number>): number[] => {
  const guilty = 'mean_seconds' in evidence ? 2 * evidence.exceeding : evidence.events.length;
  const refs = evidence.events.slice(0, guilty).map(({ event }) => event);
  return compliant ? [] : refs.sort((a, b) => a - b);
};

// The part of a history in the ranges of a policy: no other event may be needed to evaluate the policy.
const inRanges = (policy: PolicyContent, { events, atMs }: History): PolicyEvent<number>[] => {
  const known = events.filter(({ acceptedMs }) => acceptedMs <= atMs);
  const taken = toEventRanges([policy], atMs).flatMap(({ displayType, fromMs }) => {
    const typed = known.filter((event) => event.displayType === displayType);
    const lastMs = Math.max(...typed.map(({ acceptedMs }) => acceptedMs));
    const last = typed.findLast(({ acceptedMs }) => acceptedMs === lastMs);
    return typed.filter((event) => event === last || event.acceptedMs >= fromMs);
  });
  return events.filter((event) => taken.includes(event));
};

const sameFacts = (evidence: object, facts: Readonly<Record<string, number | string>>): object =>
  Object.fromEntries(Object.keys(facts).map((name) => [name, (evidence as Record<string, unknown>)[name]]));

// Compares texts first: a chai assertion for each of half a million verdicts would take longer than the judging.
const expectSame = (
  verdict: Verdict<number>,
  naive: ReturnType<typeof naiveJudge>,
  describeCase: () => string,
): void => {
  const { compliant, reason, evidence } = verdict;
  const mine = { compliant, reason, facts: sameFacts(evidence, naive.facts), guilty: refsOf(verdict) };
  if (JSON.stringify(mine) !== JSON.stringify(naive)) expect(mine, describeCase()).to.deep.equal(naive);
};

// How often each case that must occur occurred.
const createTally = () => {
  const counts: Record<string, number> = {};
  return { counts, count: (name: string, isSeen = true) => (counts[name] = (counts[name] ?? 0) + (isSeen ? 1 : 0)) };
};

type Tally = ReturnType<typeof createTally>;

const tallyVerdict = ({ count }: Tally, policy: PolicyContent, { compliant, evidence }: Verdict<number>): void => {
  count(`${policy.compliance_type} ${compliant}`);
  if ('limit_seconds' in evidence) {
    count(`${policy.compliance_type} exactly the limit`, evidence.elapsed_seconds === Number(evidence.limit_seconds));
  }
  if (!('standard_deviation_seconds' in evidence)) return;
  const { standard_deviation_seconds: deviation = 0, mean_seconds: mean = 0, elapsed_seconds: elapsed = 0 } = evidence;
  count('no deviation', deviation === 0);
  count('exactly the deviation', deviation > 0 && Math.abs(elapsed - mean) === evidence.variability * deviation);
};

const tallyHistory = ({ count }: Tally, { events, atMs }: History): void => {
  const times = events.map(({ acceptedMs }) => acceptedMs);
  const open = events.filter(({ displayType }) => displayType === 'Open');
  const close = events.filter(({ displayType }) => displayType === 'Close');
  const isRepeated = (some: typeof open) => some.filter(({ correlation }) => correlation === 'a').length > 1;
  count('no event', events.length === 0);
  count('equal times', new Set(times).size < times.length);
  count(
    'out of order',
    times.some((time, index) => index > 0 && time < times[index - 1]!),
  );
  count(
    'after the time of evaluation',
    times.some((time) => time > atMs),
  );
  count(
    'without correlation',
    open.some(({ correlation }) => correlation === undefined),
  );
  count('several opens and closes of one id', isRepeated(open) && isRepeated(close));
  count(
    'close before open',
    close.some((one) =>
      open.some((other) => other.correlation === one.correlation && other.acceptedMs > one.acceptedMs),
    ),
  );
};

const NUMBERS = [
  '0',
  '-0',
  '0.0',
  '0.1',
  '0.10',
  '.1',
  '1e-1',
  '-0.1',
  '7',
  '7.0',
  '+7',
  '10',
  '1e1',
  '9',
  '-7',
  '5.',
  '007',
  '1E+2',
  '1e40',
];
const LONG = [
  '12345678901234567890',
  '12345678901234567891',
  '12345678901234567890.0',
  '0.30000000000000004',
  '0.3',
  '9007199254740993',
  '9007199254740992',
  '1e-60',
];
const TEXTS = [
  'abc',
  'abd',
  'ab',
  'Z',
  'é',
  '\uffff',
  '\u{10000}',
  ' 7',
  '0x7',
  '1,5',
  '1.2.3',
  'NaN',
  'Infinity',
  'e5',
  '.',
  '-',
  '1e',
  '*',
  'a:b',
  'a=b',
];
const VALUES = [...NUMBERS, ...LONG, ...TEXTS];
const NAMES = ['rad', 'rad level', 'loc', '__proto__', 'toString'];
const PREFIXES = ['', 'attributes.'];
const OPERATORS = ['=', '!=', '<', '>', '<=', '>='];

const attributesOf = (random: Random): Attributes => {
  const value = (): AttributeValue =>
    pick(random, [pick(random, VALUES), pick(random, VALUES), '', {}, [], { a: '7' }, [{ a: '7' }]]);
  return Object.fromEntries(listOf(random(5), () => [pick(random, NAMES), value()]));
};

const listsOf = (random: Random, text: () => string): Alternatives[] =>
  listOf(1 + random(3), () => ({ or: listOf(1 + random(3), text) }));

for (const seed of SEEDS) {
  describe(`the judge against a naive one (seed ${seed})`, () => {
    it(`agrees on ${HISTORIES} random histories`, () => {
      const random = createNumbers(seed);
      const tally = createTally();
      for (let run = 0; run < HISTORIES; run += 1) {
        const history = aHistory(random);
        const evaluatePolicy = createJudge(toHistory(history.events), {}, history.atMs);
        tallyHistory(tally, history);
        for (const policy of policiesFor(random, history.stepMs)) {
          const verdict = evaluatePolicy(policy);
          tallyVerdict(tally, policy, verdict);
          const ofRanges = evaluate(policy, toHistory(inRanges(policy, history)), {}, history.atMs);
          if (JSON.stringify(ofRanges) !== JSON.stringify(verdict)) expect(ofRanges).to.deep.equal(verdict);
          const describeCase = () => JSON.stringify({ seed, run, policy, ...history });
          expectSame(verdict, naiveJudge(policy, history.events, {}, history.atMs), describeCase);
        }
      }
      expect(Object.keys(tally.counts)).to.have.lengthOf(19);
      for (const [name, count] of Object.entries(tally.counts)) expect(count, name).to.be.greaterThan(HISTORIES / 1000);
    });

    it(`agrees on the attributes of ${HISTORIES} random assets`, () => {
      const random = createNumbers(seed);
      const tally = createTally();
      for (let run = 0; run < HISTORIES; run += 1) {
        const attributes = attributesOf(random);
        const text = () =>
          pick(random, PREFIXES) + pick(random, NAMES) + pick(random, OPERATORS) + pick(random, VALUES);
        const policy = aPolicy('COMPLIANCE_RICHNESS', { richness_assertions: listsOf(random, text) });
        const verdict = createJudge<number>(toHistory([]), attributes, 0)(policy);
        tally.count(String(verdict.compliant));
        expectSame(verdict, naiveJudge(policy, [], attributes, 0), () =>
          JSON.stringify({ seed, run, policy, attributes }),
        );
      }
      for (const verdict of ['true', 'false']) expect(tally.counts[verdict]).to.be.greaterThan(HISTORIES / 100);
    });

    it('agrees on the assets that a filter matches', () => {
      const random = createNumbers(seed);
      const tally = createTally();
      const values = ['7', 'abc', 'a:b', 'a=b', '*', '!=', '{}'];
      for (let run = 0; run < HISTORIES / 4; run += 1) {
        const attributes = attributesOf(random);
        const text = () =>
          pick(random, PREFIXES) + pick(random, NAMES) + pick(random, ['=', ':', '!=']) + pick(random, values);
        const asset_filter = listsOf(random, text);
        const isNamed = matchesFilter(asset_filter, attributes);
        tally.count(String(isNamed));
        if (isNamed !== naiveFilter(asset_filter, attributes))
          expect.fail(JSON.stringify({ seed, run, asset_filter, attributes }));
      }
      for (const answer of ['true', 'false']) expect(tally.counts[answer]).to.be.greaterThan(HISTORIES / 100);
    });
  });
}
