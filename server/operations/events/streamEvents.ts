// Sends the events that the list of events shows from now on, or from where an earlier stream ended.
import { setTimeout as sleep } from 'node:timers/promises';
import { LedgerError } from '../../../ledger/errors.ts';
import type { ServerDeps } from '../../deps.ts';
import { createSlots, type Slots } from '../../fairness/slots.ts';
import { createTurns } from '../../fairness/turns.ts';
import { STREAM_LIMITS, type StreamLimits } from '../../limits.ts';
import { openEventList } from '../../lists/eventList.ts';
import type { AuthorizedCaller, CallerIdentity, Handler, HandlerRequest } from '../../openapi/handlers.ts';
import { readVisibleAsset, toListName, toReader } from '../../records/sharedRecords.ts';
import { followFeed } from '../../streams/followFeed.ts';
import { createMessageIds } from '../../streams/messageIds.ts';

type Request = HandlerRequest<'streamEvents'>;

const ALL_ASSETS = '-';
/** Events that are read and sent together. */
const PAGE_EVENTS = 50;
const NO_EVENTS = { events: [], isComplete: true } as const;
/**
 * Reads of streams take at most a third of the event loop's time: after each, they pause so many times as long. With
 * more streams each is later, not the writes.
 */
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

const createStreamSlots = ({ max, perTenantMax, perPrincipalMax }: StreamLimits): Slots =>
  createSlots({ max, ofPartyMax: perTenantMax, ofMemberMax: perPrincipalMax });

const takeSlot = (slots: Slots, caller: CallerIdentity, end: () => void): (() => void) => {
  const { issuer, subject } = caller.principal;
  const taken = slots.take({ party: caller.tenantIdentity, member: JSON.stringify([issuer, subject]), end });
  if (typeof taken === 'function') return taken;
  throw new LedgerError(taken === 'own' ? 'STREAM_LIMIT_REACHED' : 'STREAMS_BUSY');
};

export const streamEvents = (deps: ServerDeps): Handler<'streamEvents'> => {
  const { view, pageTokens, stopping, onUnexpectedError, streams: limits = STREAM_LIMITS } = deps;
  const slots = createStreamSlots(limits);
  const runInTurn = createTurns({ nowMs: () => performance.now(), rest: (readMs) => sleep(readMs * PAUSES) });
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
    const displacing = new AbortController();
    closed.addEventListener(
      'abort',
      takeSlot(slots, caller, () => displacing.abort()),
    );
    const { messages, cut } = followFeed({
      authorize,
      read: async (current, next) => {
        if (query === undefined) return { ...NO_EVENTS, next };
        return view.readFeed(tenantIdentity, { ...query, reader: toReader(current) }, next, PAGE_EVENTS);
      },
      runInTurn: (task) => runInTurn(tenantIdentity, task),
      watch: view.watchIndex,
      ids,
      from,
      limits,
      closed,
      stopping,
      displaced: displacing.signal,
      onUnexpectedError,
    });
    return { status: 200, headers: HEADERS, mediaType: 'text/event-stream', lines: messages, cut };
  };
};
