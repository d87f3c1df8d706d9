// The order of the records of an asset or a location. Two exceptions, in which the server submits records again, after
// those that were mined meanwhile: a reorg has undone their transaction; or the contract refused a record alone, and
// the server ended before that was final.
import { toHex } from '../../../ledger/encoding/hex.ts';
import { toKey, toStreamIdentityOf } from '../../../ledger/identity.ts';
import { isCreation } from '../../../ledger/records/event.ts';
import type { LedgerRecord } from '../../../ledger/records/record.ts';
import type { CreationRequest } from '../clients/history.ts';
import type { Violation } from '../plan/plan.ts';
import type { ChainCheckInput, ChainRecord } from './chainChecks.ts';
import { type Check, runChecks } from './runChecks.ts';

/** What the checks of order need. */
export interface OrderCheckInput extends Pick<ChainCheckInput, 'history' | 'records'> {
  /** Keys of the records whose transaction had succeeded, until a reorg undid it. */
  readonly undone: ReadonlySet<string>;
  /** Identities of the records that the contract refused alone, and that a later process submitted again. */
  readonly refusedBefore: ReadonlySet<string>;
}

/** Whether a record may follow later ones. */
export const mayBeLate = (
  { undone, refusedBefore }: Pick<OrderCheckInput, 'undone' | 'refusedBefore'>,
  { identity }: LedgerRecord,
): boolean => refusedBefore.has(identity) || undone.has(toHex(toKey(identity)));

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
        return isBehind && !mayBeLate(input, records[at]!.record);
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
  const creations = input.records.map(({ record }) => record).filter((one) => one.type === 'event' && isCreation(one));
  const late = new Set(creations.filter((one) => mayBeLate(input, one)).map(toStreamIdentityOf));
  return findWithoutEffect(input.records)
    .filter(({ record }) => !late.has(toStreamIdentityOf(record)))
    .map(({ record }) => `${record.identity} precedes the creation of its asset`);
};

const checkTimes: Check<OrderCheckInput> = (input) =>
  byStream(input.records).flatMap((stream) => {
    let newest = '';
    return stream.flatMap(({ record }) => {
      const isBack = newest > record.timestamp_accepted && !mayBeLate(input, record);
      if (newest < record.timestamp_accepted) newest = record.timestamp_accepted;
      return isBack ? [`${record.identity} was accepted before a record that precedes it`] : [];
    });
  });

const CHECKS: Readonly<Record<string, Check<OrderCheckInput>>> = {
  'order within an asset': checkAnswered,
  'an asset begins with its creation': checkCreations,
  'acceptance times never go back': checkTimes,
};

/** Runs all checks of order. */
export const checkOrder = (input: OrderCheckInput): Violation[] => runChecks(CHECKS, input);
