// The events of an asset, newest first. Those after the time that the page shows are dimmed.
import { useCallback } from 'preact/hooks';
import type { LedgerEvent } from '../api/client.ts';
import type { History } from '../state/useHistory.ts';
import { toActorName, toEventType } from '../text/names.ts';
import { isLate } from '../text/times.ts';
import { Confirmation } from './badges.tsx';
import { toSummary } from './eventTable.tsx';
import { Identity, Time } from './links.tsx';
import { Empty } from './states.tsx';
import { type RowPlace, WindowedList } from './windowedList.tsx';

const Entry = ({ event, isLater, place }: { event: LedgerEvent; isLater: boolean; place: RowPlace }) => (
  <li class={isLater ? 'later' : undefined} {...place}>
    <p>
      <Identity identity={event.identity}>
        <strong dir="auto">{toEventType(event)}</strong>
      </Identity>
      <span dir="auto">{toActorName(event)}</span>
      {event.confirmation_status === 'CONFIRMED' ? null : <Confirmation status={event.confirmation_status} />}
      <span class="times">
        <Time timestamp={isLate(event) ? event.timestamp_declared : event.timestamp_accepted} />
      </span>
    </p>
    <p class="summary">
      <span dir="auto">{toSummary(event)}</span>
      {isLate(event) ? (
        <span class="times">
          recorded <Time timestamp={event.timestamp_accepted} />
        </span>
      ) : null}
    </p>
  </li>
);

interface TimelineProps {
  readonly history: History;
  /** The time that the page shows; undefined: now. */
  readonly at: string | undefined;
  /** The number of the last event until then; undefined: it isn't known. */
  readonly step: number | undefined;
}

/** The timeline. Only what is near the visible part is loaded and rendered. */
export const EventTimeline = ({ history, at, step }: TimelineProps) => {
  const { total, get, want } = history;
  const count = total ?? 0;
  const atMs = at === undefined ? Number.POSITIVE_INFINITY : Date.parse(at);
  const onWindow = useCallback((first: number, end: number) => want(count - end, count - 1 - first), [want, count]);
  if (total === 0) return <Empty>No event is visible to you.</Empty>;
  const renderRow = (row: number, place: RowPlace) => {
    const event = get(count - 1 - row);
    if (event === undefined)
      return (
        <li class="unread" key={`row ${count - row}`} {...place}>
          Loading …
        </li>
      );
    return (
      <Entry key={event.identity} event={event} isLater={Date.parse(event.timestamp_accepted) > atMs} place={place} />
    );
  };
  const goal = at === undefined || step === undefined || step < 0 ? undefined : step;
  return (
    <WindowedList
      label="Timeline"
      class="timeline"
      count={count}
      renderRow={renderRow}
      onWindow={onWindow}
      goal={goal === undefined ? undefined : count - 1 - goal}
      isGoalThere={goal !== undefined && get(goal) !== undefined}
    />
  );
};
