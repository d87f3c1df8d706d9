// Requests of many lines: their results are in the order of the lines, a line that can't be recorded is refused and
// changes nothing, and lines of one asset are recorded in their order. The other checks take each line for a request of
// its own.
import type { CreationRequest, LineSending } from '../clients/history.ts';
import { CODES_OF_BROKEN } from '../clients/lines.ts';
import type { Violation } from '../plan/plan.ts';
import type { OrderCheckInput } from './orderChecks.ts';
import { mayFollow } from './orderChecks.ts';
import { type Check, runChecks } from './runChecks.ts';

const checkResults: Check<OrderCheckInput> = ({ history }) =>
  history.lineSendings.flatMap(({ label, results, sent }) => {
    const isInOrder = results.length <= sent.length && results.every((line, at) => line === at + 1);
    return isInOrder ? [] : [`${label} has results for the lines ${results.join(', ')}`];
  });

const checkBroken: Check<OrderCheckInput> = ({ history }) =>
  history.lineSendings.flatMap(({ label, sent, attempts }) =>
    attempts.flatMap((attempt, at) => {
      if (attempt === undefined || sent[at] !== undefined) return [];
      const { outcome } = attempt;
      const isRefused = typeof outcome === 'object' && CODES_OF_BROKEN.includes(outcome.code);
      return isRefused || outcome === 'lost' ? [] : [`line ${at + 1} of ${label} can't be recorded: ${outcome}`];
    }),
  );

// Only then its record is that of this sending.
const isSentOnce = (request: CreationRequest | undefined): request is CreationRequest =>
  request?.attempts.length === 1 && request.sights.length > 0;

const checkOrderOfSending = (input: OrderCheckInput, { label, sent }: LineSending): string[] => {
  const { records } = input;
  const placed = sent.filter(isSentOnce).flatMap((request) => {
    const at = records.findIndex(({ record }) => record.identity === request.sights[0]!.identity);
    return at < 0 ? [] : [{ at, stream: request.streamIdentity, name: request.label }];
  });
  return placed.flatMap((later, line) =>
    placed
      .slice(0, line)
      .filter(
        ({ at, stream }) =>
          stream === later.stream && at > later.at && !mayFollow(input, records[at]!, records[later.at]!),
      )
      .map(({ name }) => `${later.name} precedes ${name}, whose line precedes it in ${label}`),
  );
};

const checkOrder: Check<OrderCheckInput> = (input) =>
  input.history.lineSendings.flatMap((sending) => checkOrderOfSending(input, sending));

const CHECKS: Readonly<Record<string, Check<OrderCheckInput>>> = {
  'results are in the order of their lines': checkResults,
  'a broken line is refused': checkBroken,
  'lines keep their order within an asset': checkOrder,
};

/** Runs all checks of lines. */
export const checkLines = (input: OrderCheckInput): Violation[] => runChecks(CHECKS, input);
