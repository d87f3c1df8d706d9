// Clients that read lists page by page while records are added.
import { toUuid } from '../../../ledger/identity.ts';
import type { LocationResource } from '../../../ledger/records/location.ts';
import type { SimulatedHandlers } from '../server/serverProcess.ts';
import { theWorld } from '../world/world.ts';
import { type ClientWorld, toSight } from './creations.ts';
import { describeOutcome, exchange, toOutcome, wait } from './exchange.ts';
import type { History, ListedItem, ListPage, ListQuery, ListWalk } from './history.ts';
import { type AnswerParts, requestAs } from './request.ts';

interface ListBody {
  readonly assets?: readonly ListedItem[];
  readonly events?: readonly ListedItem[];
  readonly locations?: readonly ListedItem[];
  readonly next_page_token: string;
}

/** Requests of one client, for pages and for repetitions. */
const REQUESTS_MAX = 24;
const PAUSE_MS = [0, 600] as const;
const RETRY_MS = [100, 3_000] as const;

const HANDLERS = { assets: 'listAssets', events: 'listEvents', locations: 'listLocations' } as const;

const fetchPage = (
  handlers: SimulatedHandlers,
  { list, tenantIdentity, streamIdentity, order, pageSize }: ListQuery,
  token: string,
): Promise<AnswerParts<ListBody>> => {
  const first = { order_by: order, ...(pageSize !== undefined && { page_size: pageSize }) };
  return requestAs<ListBody>(tenantIdentity, handlers[HANDLERS[list]], {
    params: list === 'events' ? { asset_uuid: streamIdentity === undefined ? '-' : toUuid(streamIdentity) } : {},
    query: token === '' ? first : { page_token: token },
    headers: { 'x-request-total-count': 'true' },
  });
};

const toLabel = ({ attributes, event_attributes, asset_attributes }: ListedItem): unknown =>
  attributes?.label ?? event_attributes?.label ?? asset_attributes?.label;

// An item that a list shows is an answer about its record.
const noteItem = (history: History, list: ListQuery['list'], sentMs: number, item: ListedItem): void => {
  const atMs = theWorld().nowMs();
  if (list === 'locations') history.locationSights.push({ sentMs, atMs, shown: item as unknown as LocationResource });
  const kind = list === 'assets' ? 'createAsset' : 'createEvent';
  const label = toLabel(item);
  const request = history.requests.find((one) => one.label === label && one.kind === kind);
  if (list !== 'locations') request?.sights.push(toSight(sentMs, item));
};

const toPage = ({ list }: ListQuery, sentMs: number, { body, headers }: AnswerParts<ListBody>): ListPage => ({
  sentMs,
  atMs: theWorld().nowMs(),
  items: body[list]!,
  total: Number(headers?.['x-total-count']),
  isLast: body.next_page_token === '',
});

/** Reads a list from its first page to its last, unless the server refuses too many requests. Never rejects. */
export const walkList = async ({ machine, network, history }: ClientWorld, query: ListQuery): Promise<void> => {
  const { list, streamIdentity = 'the tenant', order, pageSize } = query;
  const what = `lists ${list} of ${streamIdentity} (${order}, ${pageSize ?? 'no'} page size)`;
  const note = (text: () => string): void => theWorld().note('client', () => `${what}: ${text()}`);
  const random = theWorld().stream('clients');
  const walk: ListWalk = { ...query, pages: [] };
  history.walks.push(walk);
  let token = '';
  for (let requests = 0; requests < REQUESTS_MAX; requests += 1) {
    const sentMs = theWorld().nowMs();
    const result = await exchange(machine, network, (handlers) => fetchPage(handlers, query, token));
    const outcome = toOutcome(result);
    history.reads.push({ what: `a list of ${list}`, identity: undefined, sentMs, outcome });
    if (result !== 'lost' && 'answer' in result) {
      const page = toPage(query, sentMs, result.answer);
      walk.pages.push(page);
      for (const item of page.items) noteItem(history, list, sentMs, item);
      note(() => `${page.items.length} of ${page.total}: ${page.items.map(toLabel).join(', ')}`);
      if (page.isLast) return;
      token = result.answer.body.next_page_token;
      await wait(random.integer(...PAUSE_MS));
    } else {
      note(() => describeOutcome(outcome));
      await wait(random.integer(...RETRY_MS));
    }
  }
};
