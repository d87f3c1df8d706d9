// The events of an asset: those that are shown, and the newest ones as they are committed.
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { LedgerEvent } from '../api/client.ts';
import { followEvents } from '../api/eventStream.ts';
import { fetchEventRange } from '../api/reads.ts';
import { token } from '../api/session.ts';
import { type EventStore, openEventStore } from './eventStore.ts';

/** The events of an asset, by numbers that count from the oldest. */
export interface History {
  /** How many there are; undefined before the first answer. */
  readonly total: number | undefined;
  /** Whether all of them are there. */
  readonly isComplete: boolean;
  readonly error: Error | undefined;
  /** The event with a number; undefined if it isn't there yet. */
  readonly get: (number: number) => LedgerEvent | undefined;
  /** Has the events from one number to another read, both included, as soon as no others are being read. */
  readonly want: (first: number, last: number) => void;
  /** Reads one event. Rejects with ApiError. */
  readonly read: (number: number) => Promise<LedgerEvent | undefined>;
  /** The number of the last event accepted at or before a time; -1 if there is none. Rejects with ApiError. */
  readonly findNumber: (ms: number) => Promise<number>;
  readonly reload: () => void;
}

interface Wanted {
  readonly first: number;
  readonly last: number;
}

const findMissing = (store: EventStore, { first, last }: Wanted): number | undefined => {
  for (let number = Math.min(last, store.total() - 1); number >= first; number -= 1)
    if (store.get(number) === undefined) return number;
  return undefined;
};

// Reads what is wanted, one page at a time: what isn't wanted any more is left out.
const createReading = (store: EventStore, onRead: () => void, onError: (error: Error) => void) => {
  let wanted: Wanted | undefined;
  let isReading = false;
  const run = async (): Promise<void> => {
    for (let missing = findMissing(store, wanted!); missing !== undefined; missing = findMissing(store, wanted!)) {
      await store.load(missing);
      if (store.get(missing) === undefined) return;
      onRead();
    }
  };
  return (next: Wanted): void => {
    wanted = next;
    if (isReading) return;
    isReading = true;
    run()
      .catch(onError)
      .finally(() => {
        isReading = false;
      });
  };
};

interface State {
  readonly store?: EventStore | undefined;
  readonly error?: Error | undefined;
}

/** The events of an asset. On pages with a token, new ones are added as they are committed. */
export const useHistory = (uuid: string, isPublic: boolean): History => {
  const [{ store, error }, setState] = useState<State>({});
  const [, setVersion] = useState(0);
  const [round, setRound] = useState(0);
  const wantRef = useRef<((wanted: Wanted) => void) | undefined>(undefined);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const update = (): void => {
      setVersion((last) => last + 1);
      setState((last) => (last.error === undefined || signal.aborted ? last : { store: last.store }));
    };
    const fail = (problem: Error): void => setState((last) => (signal.aborted ? last : { ...last, error: problem }));
    const follow = (opened: EventStore): Promise<void> =>
      followEvents(`/svc/v2/assets/${uuid}/events:stream`, signal, {
        onEvent: (event) => {
          opened.add(event);
          update();
        },
        onConnected: (isConnected) => {
          if (isConnected) opened.catchUp().then(update, fail);
        },
      });
    const open = async (): Promise<void> => {
      const opened = await openEventStore((range) => fetchEventRange({ uuid, isPublic }, range, signal));
      wantRef.current = createReading(opened, update, fail);
      setState({ store: opened });
      if (!isPublic) await follow(opened);
    };
    setState({});
    open().catch(fail);
    return () => controller.abort();
  }, [uuid, isPublic, round, token.value]);
  return {
    total: store?.total(),
    isComplete: store?.isComplete() ?? false,
    error,
    get: useCallback((number) => store?.get(number), [store]),
    want: useCallback((first, last) => wantRef.current?.({ first, last }), [store]),
    read: useCallback(
      async (number) => {
        await store?.load(number);
        return store?.get(number);
      },
      [store],
    ),
    findNumber: useCallback(async (ms) => (await store?.findNumber(ms)) ?? -1, [store]),
    reload: useCallback(() => setRound((last) => last + 1), []),
  };
};
