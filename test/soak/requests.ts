// What a client requested of one asset and what it was answered, and the comparison with the asset's events.
import type { ConfirmationStatus } from '../../ledger/records/commitment.ts';
import type { EventResource } from '../../ledger/records/event.ts';

/** How a client sends an event. One that vanishes disconnects before its answer. */
export type Manner = 'with key' | 'without key' | 'vanishing';

/** Where the ledger has an event, as an answer states it. */
export interface Place {
  readonly identity: string;
  readonly status: ConfirmationStatus;
  readonly block: number;
  readonly transaction: string;
  readonly log: number;
}

/** One event that a client requested. Its number is its position among the requests of its client. */
export interface LoadRequest {
  readonly manner: Manner;
  /** Every answer to it; more than one where the client repeated it with its key. */
  readonly answers: Place[];
  /** The client went on while this request may still have been in progress, so later ones may precede it. */
  isOvertakable: boolean;
}

/** An event of an asset, with the number of its request. */
export interface ListedEvent extends Place {
  readonly number: number;
}

/** The place of an event. */
export const toPlace = (event: EventResource): Place => ({
  identity: event.identity,
  status: event.confirmation_status,
  block: event.block_number,
  transaction: event.transaction_id,
  log: event.log_index,
});

/** The place of an event that a client requested, and the number that it gave it. */
export const toListedEvent = (event: EventResource): ListedEvent => ({
  ...toPlace(event),
  number: Number(event.event_attributes.number),
});

const isSamePlace = (answer: Place, listed: Place): boolean =>
  answer.identity === listed.identity &&
  (answer.status === 'PENDING' ||
    (answer.status === 'CONFIRMED' &&
      answer.block === listed.block &&
      answer.transaction === listed.transaction &&
      answer.log === listed.log));

const findUnrequested = (requests: readonly LoadRequest[], events: readonly ListedEvent[]): string[] =>
  events
    .filter(({ number }) => requests[number] === undefined)
    .map(({ identity, number }) => `${identity} was never requested (number ${number})`);

const findUnconfirmed = (events: readonly ListedEvent[]): string[] =>
  events.filter(({ status }) => status !== 'CONFIRMED').map(({ identity, status }) => `${identity} is ${status}`);

const findRepeated = (events: readonly ListedEvent[]): string[] => {
  const byNumber = Map.groupBy(events, ({ number }) => number);
  return [...byNumber.values()]
    .filter(({ length }) => length > 1)
    .map((same) => `one request has ${same.length} events: ${same.map(({ identity }) => identity).join(', ')}`);
};

const findWrongAnswers = (requests: readonly LoadRequest[], events: readonly ListedEvent[]): string[] => {
  const byNumber = new Map(events.map((event) => [event.number, event]));
  return requests.flatMap(({ answers }, number) => {
    const listed = byNumber.get(number);
    return answers
      .filter((answer) => listed === undefined || !isSamePlace(answer, listed))
      .map((answer) => `answered ${JSON.stringify(answer)}, but the ledger has ${JSON.stringify(listed)}`);
  });
};

// A client waits for each answer, so its events are in the order of its requests.
const findDisorder = (requests: readonly LoadRequest[], events: readonly ListedEvent[]): string[] => {
  const ordered = events.filter(({ number }) => requests[number]?.isOvertakable === false);
  return ordered
    .filter(({ number }, at) => at > 0 && number < ordered[at - 1]!.number)
    .map(({ identity, number }) => `${identity} (number ${number}) follows a later request`);
};

/**
 * Compares the requests of a client with all events of its asset after the creation, oldest first. Returns each
 * difference: an event that is missing, elsewhere, duplicated, out of order, not CONFIRMED, or never requested.
 */
export const findDifferences = (requests: readonly LoadRequest[], events: readonly ListedEvent[]): string[] => [
  ...findUnrequested(requests, events),
  ...findUnconfirmed(events),
  ...findRepeated(events),
  ...findWrongAnswers(requests, events),
  ...findDisorder(requests, events),
];
