// The title of the window.
import { useEffect } from 'preact/hooks';

/** Shows what the page is about in the window's title. */
export const useTitle = (title: string): void => {
  useEffect(() => {
    document.title = `${title} · Provenance ledger`;
  }, [title]);
};
