// What ends with a page.
import { useEffect, useMemo } from 'preact/hooks';

/** A signal that is aborted when the component is left, or shows another record: one with another name. */
export const useLeaving = (name = ''): AbortSignal => {
  // Another record has another one.
  const leaving = useMemo(() => new AbortController(), [name]);
  useEffect(() => () => leaving.abort(), [leaving]);
  return leaving.signal;
};
