// The newest events: those of the list, and each that is committed from then on.
import { useEffect, useState } from 'preact/hooks';
import { api, type LedgerEvent, receive } from '../api/client.ts';
import { followEvents } from '../api/eventStream.ts';
import { isExpired, token } from '../api/session.ts';
import { type Loaded, useLoad } from './useLoad.ts';

const EVENTS = 25;
const STREAM = '/svc/v2/assets/-/events:stream';

/** The newest events, newest first, and how many there are in all. */
export interface Newest {
  readonly events: readonly LedgerEvent[];
  readonly total: number;
}

/** The newest events, and whether new ones arrive. */
export interface LiveEvents {
  readonly loaded: Loaded<Newest>;
  readonly isConnected: boolean;
}

const fetchNewest = async (signal: AbortSignal): Promise<Newest> => {
  const params = { path: { asset_uuid: '-' }, query: { page_size: EVENTS } };
  const { body, headers } = await receive(api.GET('/v2/assets/{asset_uuid}/events', { params, signal }));
  return { events: body.events, total: Number(headers.get('x-total-count')) };
};

// An event of the list may arrive once more: as one that was pending.
const merge = (listed: Newest, arrived: readonly LedgerEvent[]): Newest => {
  const known = new Set(listed.events.map(({ identity }) => identity));
  const added = arrived.filter(({ identity }) => !known.has(identity)).length;
  const replaced = new Map([...arrived, ...listed.events].toReversed().map((event) => [event.identity, event]));
  return { events: [...replaced.values()].toReversed().slice(0, EVENTS), total: listed.total + added };
};

/** Follows the newest events while the page is shown. */
export const useNewest = (): LiveEvents => {
  const loaded = useLoad('newest', fetchNewest);
  const [arrived, setArrived] = useState<readonly LedgerEvent[]>([]);
  const [isConnected, setConnected] = useState(false);
  const { reload } = loaded;
  useEffect(() => {
    // The server ends the stream of a token that has expired. After a new sign-in the list is loaded again.
    if (isExpired.value) return;
    const controller = new AbortController();
    followEvents(STREAM, controller.signal, {
      onEvent: (event) => setArrived((last) => [event, ...last]),
      onConnected: (isNow) => {
        setConnected(isNow);
        if (isNow) reload();
      },
    });
    return () => {
      controller.abort();
      setConnected(false);
    };
  }, [token.value, isExpired.value, reload]);
  const { value } = loaded;
  return { loaded: { ...loaded, value: value && merge(value, arrived) }, isConnected };
};
