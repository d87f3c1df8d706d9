// `Idempotency-Key` (decision 29): a key belongs to the first request that was recorded with it. A request with the
// same key and another body is refused with a conflict, and creates no record.
import type { Attempt, CreationRequest, Refusal } from '../clients/history.ts';
import type { Violation } from '../plan/plan.ts';
import type { ChainCheckInput } from './chainChecks.ts';
import { type Check, runChecks } from './runChecks.ts';

/** What the checks of keys need. */
export type KeyCheckInput = Pick<ChainCheckInput, 'history' | 'records' | 'failed'>;

const CONFLICT = 'IDEMPOTENCY_CONFLICT';
/** Codes of a server that could not look the key up. */
const UNREADABLE_CODES: readonly string[] = ['NOT_RUNNING', 'INDEX_DAMAGED', 'INDEX_REBUILDING'];
/** The same, in the message: a record that cannot be written has the same code, and another message. */
const UNREADABLE_INDEX = 'the index could not be reopened';
/** The same, after a replay that failed: a chain that only accepts no transactions has another message. */
const FAILED_REPLAY = 'The journal is damaged';

// The requests of each key.
const toGroups = ({ history }: KeyCheckInput): CreationRequest[][] => {
  const keyed = history.requests.filter(({ key }) => key !== undefined);
  return [...Map.groupBy(keyed, ({ key }) => key).values()];
};

// The labels of all records that the ledger has, one for each record.
const toRecorded = ({ records, failed }: KeyCheckInput): string[] => [...records, ...failed].map(({ label }) => label);

const checkOnce: Check<KeyCheckInput> = (input) => {
  const recorded = toRecorded(input);
  return toGroups(input).flatMap((group) => {
    const labels = group.map(({ label }) => label);
    const count = recorded.filter((label) => labels.includes(label)).length;
    const answered = group.filter(({ sights }) => sights.length > 0);
    return [
      ...(count > 1 ? [`the requests ${labels.join(', ')} have the same key and ${count} records`] : []),
      ...(answered.length > 1 ? [`the requests ${labels.join(', ')} have the same key and are all answered`] : []),
    ];
  });
};

const isConflict = ({ outcome }: Attempt): boolean => typeof outcome === 'object' && outcome.code === CONFLICT;

// The answer to a line doesn't show which of the two it is.
const mayBeUnreadable = ({ code, message }: Refusal): boolean => code === 'CHAIN_UNAVAILABLE' && message === '';

const isUnreadable = (refusal: Refusal): boolean =>
  UNREADABLE_CODES.includes(refusal.code) ||
  mayBeUnreadable(refusal) ||
  refusal.message === UNREADABLE_INDEX ||
  refusal.message.startsWith(FAILED_REPLAY);

const isRight = (attempt: Attempt): boolean =>
  isConflict(attempt) || typeof attempt.outcome !== 'object' || isUnreadable(attempt.outcome);

const checkConflicts: Check<KeyCheckInput> = (input) => {
  const recorded = new Set(toRecorded(input));
  return toGroups(input).flatMap((group) =>
    group.flatMap(({ label, attempts }) => {
      const others = group.filter((other) => other.label !== label);
      const usedMs = Math.min(...others.flatMap(({ sights }) => sights.map(({ atMs }) => atMs)));
      const wrong = attempts.find((attempt) => attempt.sentMs >= usedMs && !isRight(attempt));
      const isFirst = attempts.some(isConflict) && !others.some((other) => recorded.has(other.label));
      return [
        ...(wrong === undefined ? [] : [`${label}, with a used key, is not refused with a conflict`]),
        ...(isFirst ? [`${label} is refused with a conflict, and its key has no other record`] : []),
      ];
    }),
  );
};

const CHECKS: Readonly<Record<string, Check<KeyCheckInput>>> = {
  'a key has one record': checkOnce,
  'a key conflicts when another request used it': checkConflicts,
};

/** Runs all checks of keys. */
export const checkKeys = (input: KeyCheckInput): Violation[] => runChecks(CHECKS, input);
