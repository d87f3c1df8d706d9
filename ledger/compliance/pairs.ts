// Which event answers which (decision 42). An event answers one other event at most: an answer that counted twice would
// pass work that was not done.
import type { PolicyEvent } from './policyEvent.ts';
import { inSteps, type Steps } from './steps.ts';
import { findFrom, type Timeline } from './timeline.ts';
import { createWaitingOpenings } from './waitingOpenings.ts';

interface Answers<Ref> {
  /** Oldest first. */
  readonly openings: Timeline<Ref>;
  /** The answer to the opening of the same index; undefined while it is open. */
  readonly answers: readonly (PolicyEvent<Ref> | undefined)[];
  /**
   * Whether two openings of an id never waited at once. Then the pairs among the events from any time on are the pairs
   * of this pairing that opened from then on.
   */
  readonly isPlain: boolean;
}

/** Opening events with their answers. A pair has the same index in each list. */
export interface Pairing<Ref> extends Answers<Ref> {
  /** Milliseconds since the epoch. */
  readonly openedMs: Float64Array;
  /** Milliseconds from the opening to its answer; of an open one, to the time of the verdict. */
  readonly elapsedMs: Float64Array;
  /** Number of openings without an answer. */
  readonly open: number;
}

interface Matcher<Ref> {
  open(event: PolicyEvent<Ref>): void;
  /** Answers the oldest waiting opening of the event's id. Returns false when none waits. */
  close(event: PolicyEvent<Ref>): boolean;
  result(): Answers<Ref>;
}

const createMatcher = <Ref>(): Matcher<Ref> => {
  const openings: PolicyEvent<Ref>[] = [];
  const answers: (PolicyEvent<Ref> | undefined)[] = [];
  const waiting = createWaitingOpenings();
  let isPlain = true;
  return {
    open: (event) => {
      openings.push(event);
      answers.push(undefined);
      if (waiting.add(event.correlation)) isPlain = false;
    },
    close: (event) => {
      const answered = waiting.removeOldest(event.correlation);
      if (answered === undefined) return false;
      answers[answered] = event;
      return true;
    },
    result: () => ({ openings, answers, isPlain }),
  };
};

function* matchTypes<Ref>(openings: Timeline<Ref>, closings: Timeline<Ref>): Steps<Answers<Ref>> {
  const matcher = createMatcher<Ref>();
  let [opened, closed] = [0, 0];
  // Of the same millisecond the opening comes first.
  const isClosingNext = (): boolean =>
    opened >= openings.length || (closed < closings.length && closings[closed]!.judgedMs < openings[opened]!.judgedMs);
  yield* inSteps(openings.length + closings.length, (from, to) => {
    for (let event = from; event < to; event += 1) {
      if (isClosingNext()) matcher.close(closings[closed++]!);
      else matcher.open(openings[opened++]!);
    }
  });
  return matcher.result();
}

function* matchAlternating<Ref>(events: Timeline<Ref>): Steps<Answers<Ref>> {
  const matcher = createMatcher<Ref>();
  yield* inSteps(events.length, (from, to) => {
    for (let index = from; index < to; index += 1) if (!matcher.close(events[index]!)) matcher.open(events[index]!);
  });
  // Whether an event opens or closes depends on the number of events before it.
  return { ...matcher.result(), isPlain: false };
}

function* measure<Ref>(matched: Answers<Ref>, atMs: number): Steps<Pairing<Ref>> {
  const { openings, answers } = matched;
  const openedMs = new Float64Array(openings.length);
  const elapsedMs = new Float64Array(openings.length);
  let open = 0;
  yield* inSteps(openings.length, (from, to) => {
    for (let index = from; index < to; index += 1) {
      const answer = answers[index];
      if (answer === undefined) open += 1;
      openedMs[index] = openings[index]!.judgedMs;
      elapsedMs[index] = (answer === undefined ? atMs : answer.judgedMs) - openedMs[index]!;
    }
  });
  return { ...matched, openedMs, elapsedMs, open };
}

/**
 * The pairs of two timelines. The openings choose in the order of their times; each takes the earliest closing
 * event of its correlation id that is not earlier than itself and not taken yet. An event without a correlation id has
 * no answer and is none.
 * @param closings undefined where opening and closing events have the same type: then the events of an id open and
 * close alternately.
 * @param atMs time of the verdict, in milliseconds since the epoch.
 */
export function* toPairing<Ref>(
  openings: Timeline<Ref>,
  closings: Timeline<Ref> | undefined,
  atMs: number,
): Steps<Pairing<Ref>> {
  const matched = closings === undefined ? matchAlternating(openings) : matchTypes(openings, closings);
  return yield* measure(yield* matched, atMs);
}

/** The pairs of a plain pairing that opened at or after a time. */
export function* slicePairing<Ref>(pairing: Pairing<Ref>, fromMs: number): Steps<Pairing<Ref>> {
  const from = findFrom(pairing.openedMs.length, (index) => pairing.openedMs[index]!, fromMs);
  const answers = pairing.answers.slice(from);
  let open = 0;
  yield* inSteps(answers.length, (start, end) => {
    for (let index = start; index < end; index += 1) if (answers[index] === undefined) open += 1;
  });
  return {
    openings: pairing.openings.slice(from),
    answers,
    openedMs: pairing.openedMs.subarray(from),
    elapsedMs: pairing.elapsedMs.subarray(from),
    open,
    isPlain: true,
  };
}
