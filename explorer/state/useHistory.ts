// The events of an asset, newest first, page by page.
import { useCallback, useEffect, useState } from 'preact/hooks';
import { api, type LedgerEvent, receive } from '../api/client.ts';

const PAGE = 200;

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

const fetchPage = async (uuid: string, pageToken: string, signal?: AbortSignal): Promise<State> => {
  const query = pageToken === '' ? { page_size: PAGE } : { page_size: PAGE, page_token: pageToken };
  const params = { path: { asset_uuid: uuid }, query };
  const asked = api.GET('/v2/assets/{asset_uuid}/events', signal === undefined ? { params } : { params, signal });
  const { body, headers } = await receive(asked);
  return { events: body.events, total: Number(headers.get('x-total-count')), next: body.next_page_token };
};

/** The newest events of an asset, and older ones as they are asked for. */
export const useHistory = (uuid: string): History => {
  const [state, setState] = useState<State>(EMPTY);
  const [round, setRound] = useState(0);
  useEffect(() => {
    const controller = new AbortController();
    setState(EMPTY);
    fetchPage(uuid, '', controller.signal)
      .then((page) => !controller.signal.aborted && setState(page))
      .catch((error: Error) => !controller.signal.aborted && setState({ ...EMPTY, error }));
    return () => controller.abort();
  }, [uuid, round]);
  const more = useCallback(() => {
    fetchPage(uuid, state.next)
      .then((page) => setState((last) => ({ ...page, events: [...last.events, ...page.events] })))
      .catch((error: Error) => setState((last) => ({ ...last, error })));
  }, [uuid, state.next]);
  const reload = useCallback(() => setRound((last) => last + 1), []);
  const { events, total, error, next } = state;
  return { events, total, error, isComplete: total !== undefined && next === '', more, reload };
};
