// Sends the events that the list of events shows from now on, or from where an earlier stream ended.
import { setTimeout as sleep } from 'node:timers/promises';
import { LedgerError } from '../../../ledger/errors.ts';
import type { ServerDeps } from '../../deps.ts';
import { STREAM_LIMITS } from '../../limits.ts';
import { openEventList } from '../../lists/eventList.ts';
import type { AuthorizedCaller, Handler, HandlerRequest } from '../../openapi/handlers.ts';
import { readVisibleAsset, toListName, toReader } from '../../records/sharedRecords.ts';
import { createFeedTurns } from '../../streams/feedTurns.ts';
import { followFeed } from '../../streams/followFeed.ts';
import { createMessageIds } from '../../streams/messageIds.ts';
import { createStreamSlots } from '../../streams/streamSlots.ts';

type Request = HandlerRequest<'streamEvents'>;

const ALL_ASSETS = '-';
/** Events that are read and sent together. */
const PAGE_EVENTS = 50;
const NO_EVENTS = { events: [], isComplete: true } as const;
/** Reads of streams take at most a third of the event loop's time. */
const PAUSES = 2;
// Proxies must not collect messages before they pass them on.
const HEADERS = { 'x-accel-buffering': 'no' };

// The caller as it is now. Its token, its right and the asset that it follows must be as they were.
const createAuthorize =
  ({ view }: ServerDeps, { caller, query }: Request, assetUuid: string | undefined) =>
  async (): Promise<AuthorizedCaller> => {
    const current = await caller.reauthorize();
    if (current.isRestricted !== caller.isRestricted) throw new LedgerError('FORBIDDEN');
    if (assetUuid === undefined) return current;
    const asset = await readVisibleAsset(view, current, { assetUuid, ownerIdentity: query.tenant_identity });
    if (asset === undefined) throw new LedgerError('ASSET_NOT_FOUND');
    return current;
  };

export const streamEvents = (deps: ServerDeps): Handler<'streamEvents'> => {
  const { view, pageTokens, stopping, onUnexpectedError, streams: limits = STREAM_LIMITS } = deps;
  const slots = createStreamSlots(limits);
  const runInTurn = createFeedTurns({ nowMs: () => performance.now(), pause: sleep, pauses: PAUSES });
  return async (request) => {
    const { caller, params, headers, closed } = request;
    const assetUuid = params.asset_uuid === ALL_ASSETS ? undefined : params.asset_uuid;
    const { tenantIdentity } = caller;
    const list = toListName(`assets/${params.asset_uuid}/events:stream`, caller);
    const { query } = openEventList(deps, { tenantIdentity, list, query: request.query, assetUuid });
    const ids = createMessageIds(pageTokens, JSON.stringify([tenantIdentity, list]));
    const authorize = createAuthorize(deps, request, assetUuid);
    const last = headers['Last-Event-ID'];
    const from = last === undefined ? await view.readFeedEnd() : ids.decode(last);
    await authorize();
    if (stopping?.aborted) throw new LedgerError('STOPPING');
    closed.throwIfAborted();
    const release = slots.take(caller);
    closed.addEventListener('abort', release);
    const { messages, cut } = followFeed({
      authorize,
      read: async (current, next) => {
        if (query === undefined) return { ...NO_EVENTS, next };
        return view.readFeed(tenantIdentity, { ...query, reader: toReader(current) }, next, PAGE_EVENTS);
      },
      runInTurn,
      watch: view.watchIndex,
      ids,
      from,
      limits,
      closed,
      stopping,
      onUnexpectedError,
    });
    return { status: 200, headers: HEADERS, mediaType: 'text/event-stream', lines: messages, cut };
  };
};
