// The events of all assets, or of one, by filters that the address keeps.
import { api, receive } from '../api/client.ts';
import { CsvDownload } from '../components/csvDownload.tsx';
import { ASSET_PARAMETER, EventFilterForm } from '../components/eventFilters.tsx';
import { EventTable } from '../components/eventTable.tsx';
import { Pager } from '../components/pager.tsx';
import { Empty, Shown } from '../components/states.tsx';
import { useAddress } from '../state/address.ts';
import { useTitle } from '../state/title.ts';
import { useLoad } from '../state/useLoad.ts';
import { uuidOf } from '../text/names.ts';

const PAGE = 50;
const DOWNLOADED_AT_ONCE = 200;
/** Parameters of the page that the server doesn't know. Any other is passed on: it names those that are none. */
const OWN = ['sort', ASSET_PARAMETER];

const fetchPage = async (parameters: URLSearchParams, changes: object, signal: AbortSignal) => {
  const query = { ...Object.fromEntries([...parameters].filter(([name]) => !OWN.includes(name))), ...changes };
  const asset = parameters.get(ASSET_PARAMETER);
  const path = { asset_uuid: asset === null ? '-' : uuidOf(asset) };
  const { body, headers } = await receive(
    api.GET('/v2/assets/{asset_uuid}/events', { params: { path, query }, signal }),
  );
  return { events: body.events, next: body.next_page_token, total: Number(headers.get('x-total-count')) };
};

const fetchForFile = async (parameters: URLSearchParams, pageToken: string, signal: AbortSignal) => {
  const changes = { page_size: DOWNLOADED_AT_ONCE, page_token: pageToken };
  const { events, next } = await fetchPage(parameters, changes, signal);
  return { records: events, next };
};

export const FilteredEventsPage = () => {
  useTitle('Events');
  const { parameters } = useAddress();
  const loaded = useLoad(parameters.toString(), (signal) => fetchPage(parameters, { page_size: PAGE }, signal));
  return (
    <>
      <h1>
        Events <small>{loaded.value?.total.toLocaleString()}</small>
      </h1>
      <EventFilterForm />
      <Shown loaded={loaded}>
        {({ events, next }) =>
          events.length === 0 ? (
            <Empty>No event matches. Remove a filter.</Empty>
          ) : (
            <>
              <EventTable events={events} hasMore={next !== ''} />
              <Pager next={next} />
              <CsvDownload
                name="events"
                fetchPage={(pageToken, signal) => fetchForFile(parameters, pageToken, signal)}
              />
            </>
          )
        }
      </Shown>
    </>
  );
};
