// The order of the records of an asset or a location: that of their acceptance, except for late records.
import { isCreation } from '../../../ledger/records/event.ts';
import type { CreationRequest } from '../clients/history.ts';
import type { Violation } from '../plan/plan.ts';
import type { ChainCheckInput, ChainRecord } from './chainChecks.ts';
import type { LateRecords } from './lateRecords.ts';
import { type Check, runChecks } from './runChecks.ts';
import type { Submissions } from './submissions.ts';

/** What the checks of order need. */
export interface OrderCheckInput extends Pick<ChainCheckInput, 'history' | 'records'> {
  readonly late: LateRecords;
  readonly submissions: Submissions['records'];
}

/** Whether a record may come after one that was accepted later. */
export const mayFollow = (
  { late, submissions }: OrderCheckInput,
  { record }: ChainRecord,
  other: ChainRecord,
): boolean => {
  const againMs = late.get(record.identity);
  return againMs !== undefined && submissions.get(other.record.identity)!.firstMs < againMs;
};

const byStream = (records: readonly ChainRecord[]): ChainRecord[][] => [
  ...Map.groupBy(records, ({ log }) => log.streamKey).values(),
];

const firstSentMs = ({ attempts }: CreationRequest): number => attempts[0]!.sentMs;

const checkAnswered: Check<OrderCheckInput> = (input) => {
  const { history, records } = input;
  const position = new Map(records.map(({ record }, at) => [record.identity, at]));
  const answered = history.requests.flatMap((request) => {
    const first = request.sights[0];
    const at = first && position.get(first.identity);
    return at === undefined ? [] : [{ request, at, answeredMs: first!.atMs }];
  });
  return answered.flatMap((later) =>
    answered
      .filter(({ request, at, answeredMs }) => {
        const isSameAsset =
          request.streamIdentity !== undefined && request.streamIdentity === later.request.streamIdentity;
        const isBehind = isSameAsset && answeredMs < firstSentMs(later.request) && at > later.at;
        return isBehind && !mayFollow(input, records[at]!, records[later.at]!);
      })
      .map(({ request }) => `${later.request.label} was sent after ${request.label} was answered, and precedes it`),
  );
};

/** The events on the chain that have no effect, because the creation of their asset comes after them. */
export const findWithoutEffect = (records: readonly ChainRecord[]): ChainRecord[] =>
  byStream(records).flatMap((stream) => {
    const creation = stream.findIndex(({ record }) => record.type === 'event' && isCreation(record));
    return creation === -1 ? [] : stream.slice(0, creation);
  });

const checkCreations: Check<OrderCheckInput> = (input) => {
  const creations = input.records.filter(({ record }) => record.type === 'event' && isCreation(record));
  const ofStream = new Map(creations.map((creation) => [creation.log.streamKey, creation]));
  return findWithoutEffect(input.records)
    .filter((one) => !mayFollow(input, ofStream.get(one.log.streamKey)!, one))
    .map(({ record }) => `${record.identity} precedes the creation of its asset`);
};

const checkTimes: Check<OrderCheckInput> = (input) =>
  byStream(input.records).flatMap((stream) =>
    stream.flatMap((one, at) => {
      const { identity, timestamp_accepted: acceptedAt } = one.record;
      const isBack = stream
        .slice(0, at)
        .some((other) => other.record.timestamp_accepted > acceptedAt && !mayFollow(input, one, other));
      return isBack ? [`${identity} was accepted before a record that precedes it`] : [];
    }),
  );

const CHECKS: Readonly<Record<string, Check<OrderCheckInput>>> = {
  'order within an asset': checkAnswered,
  'an asset begins with its creation': checkCreations,
  'acceptance times never go back': checkTimes,
};

/** Runs all checks of order. */
export const checkOrder = (input: OrderCheckInput): Violation[] => runChecks(CHECKS, input);
