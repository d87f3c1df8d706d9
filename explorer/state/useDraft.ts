// What a person has typed into a form. The tab keeps it until it is recorded or the person signs out, so that neither a
// session that expires nor a server that can't be reached loses it.
import { useState } from 'preact/hooks';
import { ApiError } from '../api/client.ts';
import { claims } from '../api/session.ts';

const PREFIX = 'provenance-ledger-draft';

/** A form that isn't recorded yet. */
export interface Draft<T> {
  readonly entries: T;
  /** The key with which it is recorded. */
  readonly key: string;
  /** Whether the entries are those of an earlier visit of the page. */
  readonly isRestored: boolean;
  readonly change: (changes: Partial<T>) => void;
  /** Empties the form. */
  readonly clear: () => void;
  /**
   * Records what the form has. The same form always sends the same key, so that a repeated request records it once.
   * The draft ends when it is recorded.
   */
  readonly record: <R>(create: (key: string) => Promise<R>) => Promise<R>;
}

interface Kept<T> {
  readonly key: string;
  readonly entries: T;
}

// Another person's draft is nobody else's.
const toName = (name: string): string =>
  [PREFIX, claims.value?.tenant ?? '', claims.value?.subject ?? '', name].join(' ');

/** A new Idempotency-Key. randomUUID is missing where the page is neither from this machine nor encrypted. */
export const newKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(16)).join('-');

const readKept = <T>(name: string): Kept<T> | undefined => {
  const text = sessionStorage.getItem(name);
  return text === null ? undefined : (JSON.parse(text) as Kept<T>);
};

const keep = (name: string, kept: Kept<unknown>): void => {
  try {
    sessionStorage.setItem(name, JSON.stringify(kept));
  } catch (error) {
    // A full storage costs the copy, not the form.
    if ((error as Error).name !== 'QuotaExceededError') throw error;
  }
};

const CONFLICT = new ApiError(
  409,
  'IDEMPOTENCY_CONFLICT',
  'An earlier attempt of this form was recorded after all, with other entries. Look for it before you send this again.',
);

/** The draft of the form with this name; `initial` are the entries of an empty one. */
export const useDraft = <T extends object>(name: string, initial: T): Draft<T> => {
  const [kept] = useState(() => readKept<T>(toName(name)));
  const [state, setState] = useState<Kept<T>>(() => ({
    key: kept?.key ?? newKey(),
    entries: { ...initial, ...kept?.entries },
  }));
  const [isRestored, setRestored] = useState(kept !== undefined);
  const clear = (): void => {
    sessionStorage.removeItem(toName(name));
    setState({ key: newKey(), entries: initial });
    setRestored(false);
  };
  const replace = (toNext: (last: Kept<T>) => Kept<T>): void =>
    setState((last) => {
      const next = toNext(last);
      keep(toName(name), next);
      return next;
    });
  const change = (changes: Partial<T>): void =>
    replace(({ key, entries }) => ({ key, entries: { ...entries, ...changes } }));
  const record = async <R>(create: (key: string) => Promise<R>): Promise<R> => {
    // A form without any entry, such as one with only files, has nothing kept yet: its key must outlast the page, too.
    if (sessionStorage.getItem(toName(name)) === null) keep(toName(name), state);
    try {
      const recorded = await create(state.key);
      sessionStorage.removeItem(toName(name));
      return recorded;
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== CONFLICT.code) throw error;
      replace(({ entries }) => ({ key: newKey(), entries }));
      throw CONFLICT;
    }
  };
  return { entries: state.entries, key: state.key, isRestored, change, clear, record };
};
