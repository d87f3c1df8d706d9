// A second compliance judge, written from docs/decisions.md alone and as plainly as possible: it scans all events,
// keeps no state, and calculates in BigInt. Where it differs from the ledger's judge, one of them has misread a rule.
import type { PolicyEvent } from '../../ledger/compliance/policyEvent.ts';
import type { Attributes } from '../../ledger/records/attributes.ts';
import type { Alternatives, PolicyContent } from '../../ledger/records/policy.ts';

type Event = PolicyEvent<number>;

export interface NaiveVerdict {
  readonly compliant: boolean;
  readonly reason: string;
  /** Numbers that the evidence must have too. */
  readonly facts: Readonly<Record<string, number | string>>;
  /** References, ascending, of the events that make the asset non-compliant; empty if it complies. */
  readonly guilty: readonly number[];
}

interface Case {
  readonly open: Event;
  readonly close: Event | undefined;
}

const goDuration = (ms: number): string => {
  let left = BigInt(ms) / 1000n;
  const [hours, minutes] = [left / 3600n, (left % 3600n) / 60n];
  left %= 60n;
  if (hours > 0n) return `${hours}h${minutes}m${left}s`;
  return minutes > 0n ? `${minutes}m${left}s` : `${left}s`;
};

const verdict = (reason: string, facts: NaiveVerdict['facts'], guilty: readonly Event[]): NaiveVerdict => ({
  compliant: reason === '',
  reason,
  facts,
  guilty: reason === '' ? [] : guilty.map(({ ref }) => ref).sort((a, b) => a - b),
});

const since = (policy: PolicyContent, events: readonly Event[], atMs: number): NaiveVerdict => {
  const times = events.filter((event) => event.displayType === policy.event_display_type);
  if (times.length === 0) return verdict('No events found', { events_total: 0 }, []);
  let last = times[0]!;
  for (const event of times) if (event.acceptedMs >= last.acceptedMs) last = event;
  const elapsed = atMs - last.acceptedMs;
  const limit = BigInt(policy.time_period_seconds);
  const isLate = BigInt(elapsed) > limit * 1000n;
  const reason = isLate ? `Duration ${goDuration(elapsed)} exceeds limit ${goDuration(Number(limit) * 1000)}` : '';
  return verdict(reason, { elapsed_seconds: elapsed / 1000, events_total: 1 }, [last]);
};

const oldestFirst = (events: readonly Event[]): Event[] => [...events].sort((a, b) => a.acceptedMs - b.acceptedMs);

// Each opening event, oldest first, is matched with the first unmatched closing event that has the same id and is not
// earlier.
const chooseAnswers = (openings: readonly Event[], closings: readonly Event[]): Case[] => {
  let left = oldestFirst(closings);
  return oldestFirst(openings).map((open) => {
    const close = left.find(
      ({ correlation, acceptedMs }) =>
        open.correlation !== undefined && correlation === open.correlation && acceptedMs >= open.acceptedMs,
    );
    left = left.filter((event) => event !== close);
    return { open, close };
  });
};

// Events of one type: for each id the first opens, the second closes it, the third opens. An event without an id opens.
const takeTurns = (events: readonly Event[]): Case[] => {
  const sorted = oldestFirst(events);
  return sorted.flatMap((event, index) => {
    if (event.correlation === undefined) return [{ open: event, close: undefined }];
    const isSameId = (other: Event) => other.correlation === event.correlation;
    const isOpening = sorted.slice(0, index).filter(isSameId).length % 2 === 0;
    return isOpening ? [{ open: event, close: sorted.slice(index + 1).find(isSameId) }] : [];
  });
};

const casesOf = (policy: PolicyContent, events: readonly Event[]): Case[] => {
  const [opening, closing] = [policy.event_display_type, policy.closing_event_display_type];
  const ofType = (type: string) => events.filter(({ displayType }) => displayType === type);
  return opening === closing ? takeTurns(ofType(opening)) : chooseAnswers(ofType(opening), ofType(closing));
};

const eventsOf = (cases: readonly Case[]): Event[] =>
  cases.flatMap(({ open, close }) => (close === undefined ? [open] : [open, close]));

const current = (policy: PolicyContent, events: readonly Event[]): NaiveVerdict => {
  const cases = casesOf(policy, events);
  const open = cases.filter((one) => one.close === undefined);
  const reason = open.length > 0 ? `No closing event for ${policy.event_display_type}` : '';
  return verdict(reason, { open: open.length, pairs: cases.length - open.length }, eventsOf(open));
};

const period = (policy: PolicyContent, events: readonly Event[], atMs: number): NaiveVerdict => {
  const lasted = (one: Case): number => (one.close === undefined ? atMs : one.close.acceptedMs) - one.open.acceptedMs;
  const cases = casesOf(policy, events);
  const limit = BigInt(policy.time_period_seconds) * 1000n;
  const late = cases.filter((one) => BigInt(lasted(one)) > limit);
  const open = cases.filter((one) => one.close === undefined).length;
  const longest = Math.max(...cases.map(lasted));
  const reason = late.length > 0 ? `Duration ${goDuration(longest)} exceeds limit ${goDuration(Number(limit))}` : '';
  const facts = { open, pairs: cases.length - open, exceeding: late.length };
  return verdict(reason, cases.length === 0 ? facts : { ...facts, elapsed_seconds: longest / 1000 }, eventsOf(late));
};

const sumOf = (values: readonly bigint[]): bigint => values.reduce((sum, value) => sum + value, 0n);
const square = (value: bigint): bigint => value * value;
const magnitude = (value: bigint): bigint => (value < 0n ? -value : value);

// Returns the largest number of whole seconds whose square, multiplied by the cube of the count, is at most the sum.
// Searches upwards in steps that halve.
const integerSeconds = (sum: bigint, count: bigint): bigint => {
  let seconds = 0n;
  for (let step = 2n ** 50n; step > 0n; step /= 2n) {
    if (square((seconds + step) * 1000n) * count ** 3n <= sum) seconds += step;
  }
  return seconds;
};

// Parses "1.25" as 125 hundredths.
const ratioOf = (value: number): [bigint, bigint] => {
  const [whole = '', fraction = ''] = value.toFixed(6).split('.');
  return [BigInt(whole + fraction), 10n ** BigInt(fraction.length)];
};

const dynamic = (policy: PolicyContent, events: readonly Event[], atMs: number): NaiveVerdict => {
  const fromMs = BigInt(atMs) - BigInt(policy.dynamic_window) * 1000n;
  const inWindow = events.filter(({ acceptedMs }) => BigInt(acceptedMs) >= fromMs);
  const cases = casesOf(policy, inWindow).filter(({ close }) => close !== undefined);
  if (cases.length < 2) return verdict('', { pairs: cases.length, exceeding: 0 }, []);
  const durations = cases.map(({ open, close }) => BigInt(close!.acceptedMs) - BigInt(open.acceptedMs));
  const count = BigInt(cases.length);
  const sum = sumOf(durations);
  // All values are multiplied by the count: deviation[i] = count * (duration[i] - mean). The sum of their squares is
  // count^3 * variance.
  const deviations = durations.map((duration) => magnitude(count * duration - sum));
  const squares = sumOf(deviations.map(square));
  const [numerator, denominator] = ratioOf(policy.dynamic_variability);
  const isFar = (deviation: bigint): boolean => count * square(deviation * denominator) > square(numerator) * squares;
  const far = cases.filter((_, index) => isFar(deviations[index]!));
  const most = deviations.reduce((a, b) => (b > a ? b : a));
  const farthest = Number(durations[deviations.indexOf(most)]!);
  const mean = goDuration(Number(sum / count));
  const deviation = goDuration(Number(integerSeconds(squares, count)) * 1000);
  const tolerance = `${policy.dynamic_variability} times the standard deviation ${deviation}`;
  const reason = `Duration ${goDuration(farthest)} differs from mean ${mean} by more than ${tolerance}`;
  const facts = {
    pairs: cases.length,
    events_total: 2 * cases.length,
    exceeding: far.length,
    elapsed_seconds: farthest / 1000,
    sum_milliseconds: sum.toString(),
    sum_of_squares_milliseconds: sumOf(durations.map(square)).toString(),
  };
  return verdict(far.length > 0 ? reason : '', facts, eventsOf(far));
};

const OPERATORS = ['!=', '>=', '<=', '=', '>', '<'];

const splitAt = (text: string, separators: readonly string[]): [string, string, string] => {
  for (let index = 0; index < text.length; index += 1) {
    const found = separators.find((separator) => text.startsWith(separator, index));
    if (found !== undefined) return [text.slice(0, index), found, text.slice(index + found.length)];
  }
  throw new Error(`no separator in ${text}`);
};

const isDigits = (text: string): boolean => [...text].every((character) => '0123456789'.includes(character));
const unsigned = (text: string): string => ('+-'.includes(text.charAt(0)) ? text.slice(1) : text);

/** Multiples of 10^-`places` in a decimal number; undefined if the text isn't one. */
const naiveDecimal = (text: string, places: number): bigint | undefined => {
  const [mantissa = '', exponent, ...more] = text.toLowerCase().split('e');
  if (more.length > 0 || (exponent !== undefined && (unsigned(exponent) === '' || !isDigits(unsigned(exponent)))))
    return undefined;
  const [whole = '', fraction = '', ...others] = unsigned(mantissa).split('.');
  if (others.length > 0 || whole + fraction === '' || !isDigits(whole + fraction)) return undefined;
  const zeros = places + Number(exponent ?? 0) - fraction.length;
  const count = BigInt(whole + fraction + '0'.repeat(zeros));
  return mantissa.startsWith('-') ? -count : count;
};

const PLACES = 200;

const ASSERTED: Readonly<Record<string, readonly number[]>> = {
  '=': [0],
  '!=': [-1, 1],
  '>': [1],
  '<': [-1],
  '>=': [0, 1],
  '<=': [-1, 0],
};

// Removes one `attributes.` from the beginning.
const bare = (text: string): string => (text.indexOf('attributes.') === 0 ? text.substring(11) : text);

const assertionHolds = (text: string, attributes: Attributes): boolean => {
  const [name, operator, bound] = splitAt(bare(text), OPERATORS);
  const actual = new Map(Object.entries(attributes)).get(name);
  if (typeof actual !== 'string' || actual.length === 0) return false;
  const [x, y] = [naiveDecimal(actual, PLACES), naiveDecimal(bound, PLACES)];
  const isOrdering = operator.includes('<') || operator.includes('>');
  if (isOrdering && y !== undefined && x === undefined) return false;
  const isNumeric = x !== undefined && y !== undefined;
  const asTexts = Math.sign(Buffer.compare(Buffer.from(actual), Buffer.from(bound)));
  const order = isNumeric ? (x < y ? -1 : x > y ? 1 : 0) : asTexts;
  return ASSERTED[operator]!.includes(order);
};

// The attributes of assertions that order numbers, and are texts of another kind.
const noNumbers = (texts: readonly string[], attributes: Attributes): string => {
  const notes = texts.flatMap((text) => {
    const [name, operator, bound] = splitAt(bare(text), OPERATORS);
    const actual = new Map(Object.entries(attributes)).get(name);
    const isOrdering = operator.includes('<') || operator.includes('>');
    if (typeof actual !== 'string' || actual.length === 0 || !isOrdering) return [];
    const isOther = naiveDecimal(bound, PLACES) !== undefined && naiveDecimal(actual, PLACES) === undefined;
    const shown = [...actual].length > 64 ? `${[...actual].slice(0, 64).join('')}...` : actual;
    return isOther ? [`${name} is ${shown}, not a decimal number`] : [];
  });
  return notes.length === 0 ? '' : ` (${notes.filter((note, at) => notes.indexOf(note) === at).join('; ')})`;
};

const richness = (policy: PolicyContent, attributes: Attributes): NaiveVerdict => {
  const failing = policy.richness_assertions.filter(
    ({ or }) => or.filter((text) => assertionHolds(text, attributes)).length === 0,
  );
  const [first] = failing;
  const reason = first && `No assertion holds: ${first.or.join(' or ')}${noNumbers(first.or, attributes)}`;
  return verdict(reason ?? '', {}, []);
};

// A policy that judges by declared times judges as if events had been accepted then.
const byTheirTime = ({ judged_by }: PolicyContent, events: readonly Event[]): readonly Event[] =>
  judged_by === 'declared' ? events.map((event) => ({ ...event, acceptedMs: event.declaredMs })) : events;

/** Returns the verdict on a policy from all events of an asset, in any order and with any times of acceptance. */
export const naiveJudge = (
  policy: PolicyContent,
  events: readonly Event[],
  attributes: Attributes,
  atMs: number,
): NaiveVerdict => {
  const known = byTheirTime(
    policy,
    events.filter(({ acceptedMs }) => acceptedMs <= atMs),
  ).filter(({ acceptedMs }) => acceptedMs <= atMs);
  return {
    COMPLIANCE_SINCE: () => since(policy, known, atMs),
    COMPLIANCE_CURRENT_OUTSTANDING: () => current(policy, known),
    COMPLIANCE_PERIOD_OUTSTANDING: () => period(policy, known, atMs),
    COMPLIANCE_DYNAMIC_TOLERANCE: () => dynamic(policy, known, atMs),
    COMPLIANCE_RICHNESS: () => richness(policy, attributes),
  }[policy.compliance_type]();
};

const conditionHolds = (text: string, attributes: Attributes): boolean => {
  const [name, separator, value] = splitAt(bare(text), ['!=', '=', ':']);
  const actual = new Map(Object.entries(attributes)).get(name);
  const isPresent = actual !== undefined && !['""', '{}', '[]'].includes(JSON.stringify(actual));
  const isEqual = value === '*' ? isPresent : actual === value;
  return separator === '!=' ? !isEqual : isEqual;
};

/** Whether the filter includes an asset with these attributes. */
export const naiveFilter = (filter: readonly Alternatives[], attributes: Attributes): boolean =>
  filter.filter(({ or }) => !or.map((text) => conditionHolds(text, attributes)).includes(true)).length === 0;
