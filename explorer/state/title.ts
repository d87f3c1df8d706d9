// The title of the window.
import { useEffect } from 'preact/hooks';
import { toVisibleLine } from '../../ledger/encoding/visible.ts';

/** Shows what the page is about in the window's title. */
export const useTitle = (title: string): void => {
  useEffect(() => {
    document.title = `${toVisibleLine(title)} · Provenance ledger`;
  }, [title]);
};
