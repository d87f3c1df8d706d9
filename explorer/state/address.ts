// The part of the address after the question mark: what a list shows, and the time that a page shows.
import { useLocation } from 'preact-iso';

export interface Address {
  readonly parameters: URLSearchParams;
  /** Goes to this page with these parameters changed; undefined removes one. */
  readonly change: (changes: Readonly<Record<string, string | undefined>>, isReplaced?: boolean) => void;
  /** The address of this page with these parameters changed. */
  readonly toLink: (changes: Readonly<Record<string, string | undefined>>) => string;
}

/** The parameters of the page's address. */
export const useAddress = (): Address => {
  const { path, url, route } = useLocation();
  const at = url.indexOf('?');
  const parameters = new URLSearchParams(at < 0 ? '' : url.slice(at));
  const toLink: Address['toLink'] = (changes) => {
    const changed = new URLSearchParams(parameters);
    for (const [name, value] of Object.entries(changes))
      if (value === undefined || value === '') changed.delete(name);
      else changed.set(name, value);
    const text = changed.toString();
    return text === '' ? path : `${path}?${text}`;
  };
  return { parameters, toLink, change: (changes, isReplaced) => route(toLink(changes), isReplaced) };
};
