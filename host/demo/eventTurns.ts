// In which requests events are sent, so that those of one asset keep their order though several applications record
// them: the events of a turn are sent when those of the turns before are recorded.
import type { DemoAuthor } from './plan.ts';

const REQUEST_EVENTS_MAX = 500;

/** Something that an application sends. */
interface Authored {
  readonly author: DemoAuthor;
}

/** Events of one application that are sent in one request. */
export interface EventRequest<T> {
  readonly author: DemoAuthor;
  readonly events: readonly T[];
}

const toRequests = <T extends Authored>(events: readonly T[]): EventRequest<T>[] => {
  const requests: EventRequest<T>[] = [];
  for (const author of ['carrier', 'port', 'inspector'] as const) {
    const own = events.filter((event) => event.author === author);
    for (let from = 0; from < own.length; from += REQUEST_EVENTS_MAX)
      requests.push({ author, events: own.slice(from, from + REQUEST_EVENTS_MAX) });
  }
  return requests;
};

/**
 * The requests that send the events of several assets, in the order in which they are to be sent. Each list has the
 * events of one asset, oldest first; an event by another application than the one before it is in a later turn.
 */
export const toEventRequests = <T extends Authored>(assets: readonly (readonly T[])[]): EventRequest<T>[] => {
  const turns: T[][] = [];
  for (const events of assets) {
    let turn = 0;
    for (const [position, event] of events.entries()) {
      if (position > 0 && event.author !== events[position - 1]!.author) turn += 1;
      turns[turn] ??= [];
      turns[turn]!.push(event);
    }
  }
  return turns.flatMap(toRequests);
};
