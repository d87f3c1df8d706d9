// The slider "as it was at": each step is an event of the asset; the last one is now.
import { useAddress } from '../state/address.ts';
import type { History } from '../state/useHistory.ts';
import { toEventType } from '../text/names.ts';
import { Time } from './links.tsx';

/** `at`: the time that the page shows; undefined: now. */
export const TimeSlider = ({ history: { events, isComplete }, at }: { history: History; at: string | undefined }) => {
  const { change } = useAddress();
  const steps = events.toReversed();
  const atMs = at === undefined ? Number.POSITIVE_INFINITY : Date.parse(at);
  const found = steps.findLastIndex(({ timestamp_accepted }) => Date.parse(timestamp_accepted) <= atMs);
  const step = at === undefined ? steps.length : Math.max(0, found);
  const event = steps[step];
  const show = (chosen: number): void => change({ at: steps[chosen]?.timestamp_accepted }, true);
  if (steps.length === 0) return null;
  return (
    <div class="slider">
      <label>
        As it was
        <input
          type="range"
          min={0}
          max={steps.length}
          value={step}
          aria-valuetext={event === undefined ? 'now' : `after ${toEventType(event)}, ${event.timestamp_accepted}`}
          onInput={({ currentTarget }) => show(Number(currentTarget.value))}
        />
      </label>
      <output>
        {event === undefined ? (
          'now'
        ) : (
          <>
            after <strong dir="auto">{toEventType(event)}</strong>, <Time timestamp={event.timestamp_accepted} />
          </>
        )}
      </output>
      {isComplete ? null : <span class="hint">The newest {events.length} events; load more below.</span>}
    </div>
  );
};
