// What a page has asked the server for: not there yet, there, or refused.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';

export interface Loaded<T> {
  /** Undefined before the first answer. While a later one is awaited, the last one. */
  readonly value: T | undefined;
  readonly error: Error | undefined;
  readonly reload: () => void;
}

interface State<T> {
  readonly key: string;
  readonly value?: T;
  readonly error?: Error;
}

/**
 * Loads something, and again when its key changes.
 * @param key names what is loaded: other values are other things.
 * @param load undefined: there is nothing to load.
 */
export const useLoad = <T>(key: string, load: ((signal: AbortSignal) => Promise<T>) | undefined): Loaded<T> => {
  const [state, setState] = useState<State<T>>({ key });
  const [round, setRound] = useState(0);
  const newest = useRef(load);
  newest.current = load;
  useEffect(() => {
    const controller = new AbortController();
    newest
      .current?.(controller.signal)
      .then((value) => !controller.signal.aborted && setState({ key, value }))
      .catch((error: Error) => !controller.signal.aborted && setState((last) => ({ ...last, key, error })));
    return () => controller.abort();
  }, [key, round]);
  const reload = useCallback(() => setRound((last) => last + 1), []);
  const isOfKey = state.key === key;
  return { value: isOfKey ? state.value : undefined, error: isOfKey ? state.error : undefined, reload };
};

/** Calls a function each period, in milliseconds, while the page is visible. */
export const useInterval = (call: () => void, periodMs: number): void => {
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') call();
    }, periodMs);
    return () => clearInterval(timer);
  }, [call, periodMs]);
};
