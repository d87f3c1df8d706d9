// The slider "as it was at": each step is an event of the asset, from the oldest one on; the last one is now. A date
// leads to the last event until then.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { LedgerEvent } from '../api/client.ts';
import { useAddress } from '../state/address.ts';
import type { History } from '../state/useHistory.ts';
import { fromFormTime, toFormTime } from '../text/filters.ts';
import { toEventType } from '../text/names.ts';
import { isLate, toLocal } from '../text/times.ts';
import { Time } from './links.tsx';

/** How long a reader rests on a step before an event that isn't there is asked for. */
const REST_MS = 200;

interface TimeSliderProps {
  readonly history: History;
  /** The time that the page shows; undefined: now. */
  readonly at: string | undefined;
  /** The number of the last event until then; undefined: it isn't known yet. */
  readonly step: number | undefined;
}

const toStepText = (event: LedgerEvent | undefined, step: number, total: number): string => {
  if (step === total) return 'now';
  const number = `event ${(step + 1).toLocaleString()} of ${total.toLocaleString()}`;
  if (event === undefined) return number;
  const happened = isLate(event) ? ` of ${toLocal(event.timestamp_declared)}` : '';
  return `after ${toEventType(event)}${happened}, recorded ${toLocal(event.timestamp_accepted)}, ${number}`;
};

// Goes to the step that a reader has chosen; at once if its event is there.
const useChoice = ({ get, read, total = 0 }: History) => {
  const { change } = useAddress();
  const [chosen, setChosen] = useState<number>();
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const rounds = useRef(0);
  useEffect(() => () => clearTimeout(timer.current), []);
  const show = (event: LedgerEvent | undefined): void => change({ at: event?.timestamp_accepted }, true);
  const choose = (step: number): void => {
    setChosen(step);
    clearTimeout(timer.current);
    rounds.current += 1;
    const round = rounds.current;
    const event = get(step);
    if (step >= total || event !== undefined) {
      show(event);
      return;
    }
    const ask = (): void => {
      // What went wrong is said by the list, which needs the same event.
      read(step).then(
        (found) => round === rounds.current && found !== undefined && show(found),
        () => undefined,
      );
    };
    timer.current = setTimeout(ask, REST_MS);
  };
  return { chosen, choose };
};

const JumpForm = ({ at }: { at: string | undefined }) => {
  const { change } = useAddress();
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    const text = new FormData(event.currentTarget as HTMLFormElement).get('date');
    change({ at: fromFormTime(String(text), at ?? '') });
  };
  return (
    <form class="inline" onSubmit={submit} key={at}>
      <label>
        As recorded until
        <input type="datetime-local" step="1" name="date" required defaultValue={toFormTime(at ?? '')} />
      </label>
      <button type="submit">Go</button>
    </form>
  );
};

/** The slider, and a form for a date. */
export const TimeSlider = ({ history, at, step }: TimeSliderProps) => {
  const { toLink } = useAddress();
  const { chosen, choose } = useChoice(history);
  const { total = 0, get } = history;
  // Events of the same time are steps of their own.
  const isChosen = chosen !== undefined && (chosen >= total ? at === undefined : isAt(get(chosen), at));
  const shown = isChosen ? Math.min(chosen, total) : at === undefined ? total : Math.max(0, step ?? 0);
  const event = get(shown);
  if (total === 0) return null;
  return (
    <div class="slider">
      <label>
        As it was
        <input
          type="range"
          min={0}
          max={total}
          value={shown}
          aria-valuetext={toStepText(event, shown, total)}
          onInput={({ currentTarget }) => choose(Number(currentTarget.value))}
        />
      </label>
      <output>
        {event === undefined ? (
          toStepText(event, shown, total)
        ) : (
          <>
            after <strong dir="auto">{toEventType(event)}</strong>
            {isLate(event) ? (
              <>
                {' '}
                of <Time timestamp={event.timestamp_declared} />
              </>
            ) : null}
            , recorded <Time timestamp={event.timestamp_accepted} />,{' '}
            {`event ${(shown + 1).toLocaleString()} of ${total.toLocaleString()}`}
          </>
        )}{' '}
        {at === undefined ? null : <a href={toLink({ at: undefined })}>now</a>}
      </output>
      <JumpForm at={at} />
    </div>
  );
};

// Whether the page shows the time of an event. One that isn't there yet is on its way.
const isAt = (event: LedgerEvent | undefined, at: string | undefined): boolean =>
  event === undefined || event.timestamp_accepted === at;
