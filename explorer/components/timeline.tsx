// The events of an asset, newest first. Those after the time that the page shows are dimmed.
import type { LedgerEvent } from '../api/client.ts';
import type { History } from '../state/useHistory.ts';
import { toActorName, toEventType } from '../text/names.ts';
import { isLate } from '../text/times.ts';
import { Confirmation } from './badges.tsx';
import { toSummary } from './eventTable.tsx';
import { Identity, Time } from './links.tsx';
import { Empty } from './states.tsx';

const Entry = ({ event, isLater }: { event: LedgerEvent; isLater: boolean }) => (
  <li class={isLater ? 'later' : undefined}>
    <p>
      <Identity identity={event.identity}>
        <strong dir="auto">{toEventType(event)}</strong>
      </Identity>{' '}
      <span dir="auto">{toActorName(event)}</span>{' '}
      {event.confirmation_status === 'CONFIRMED' ? null : <Confirmation status={event.confirmation_status} />}
      {isLate(event) ? (
        <span class="times">
          <Time timestamp={event.timestamp_declared} />, recorded <Time timestamp={event.timestamp_accepted} />
        </span>
      ) : (
        <span class="times">
          <Time timestamp={event.timestamp_accepted} />
        </span>
      )}
    </p>
    <p class="summary" dir="auto">
      {toSummary(event)}
    </p>
  </li>
);

/** `at`: the time that the page shows; undefined: now. */
export const EventTimeline = ({ history, at }: { history: History; at: string | undefined }) => {
  const { events, total, isComplete, more } = history;
  const atMs = at === undefined ? Number.POSITIVE_INFINITY : Date.parse(at);
  if (isComplete && events.length === 0) return <Empty>No event is visible to you.</Empty>;
  return (
    <>
      <ol class="timeline">
        {events.map((event) => (
          <Entry key={event.identity} event={event} isLater={Date.parse(event.timestamp_accepted) > atMs} />
        ))}
      </ol>
      {isComplete || total === undefined ? null : (
        <button type="button" onClick={more}>
          Show older events ({(total - events.length).toLocaleString()} more)
        </button>
      )}
    </>
  );
};
