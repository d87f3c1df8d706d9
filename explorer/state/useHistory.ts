// The events of an asset, newest first, page by page.
import { useCallback, useEffect, useState } from 'preact/hooks';
import type { LedgerEvent } from '../api/client.ts';
import { fetchEvents } from '../api/reads.ts';

/** The events of an asset that are loaded so far. */
export interface History {
  /** Newest first. */
  readonly events: readonly LedgerEvent[];
  /** How many there are in all; undefined before the first answer. */
  readonly total: number | undefined;
  readonly error: Error | undefined;
  readonly isComplete: boolean;
  /** Loads the next older ones. */
  readonly more: () => void;
  readonly reload: () => void;
}

interface State {
  readonly events: readonly LedgerEvent[];
  readonly total?: number;
  readonly next: string;
  readonly error?: Error;
}

const EMPTY: State = { events: [], next: '' };

/** The newest events of an asset, and older ones as they are asked for. */
export const useHistory = (uuid: string, isPublic: boolean): History => {
  const [state, setState] = useState<State>(EMPTY);
  const [round, setRound] = useState(0);
  useEffect(() => {
    const controller = new AbortController();
    setState(EMPTY);
    fetchEvents({ uuid, isPublic }, '', controller.signal)
      .then((page) => !controller.signal.aborted && setState(page))
      .catch((error: Error) => !controller.signal.aborted && setState({ ...EMPTY, error }));
    return () => controller.abort();
  }, [uuid, isPublic, round]);
  const more = useCallback(() => {
    fetchEvents({ uuid, isPublic }, state.next, null)
      .then((page) => setState((last) => ({ ...page, events: [...last.events, ...page.events] })))
      .catch((error: Error) => setState((last) => ({ ...last, error })));
  }, [uuid, isPublic, state.next]);
  const reload = useCallback(() => setRound((last) => last + 1), []);
  const { events, total, error, next } = state;
  return { events, total, error, isComplete: total !== undefined && next === '', more, reload };
};
