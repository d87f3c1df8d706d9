// The locations, on a map and in a table.
import { api, type LocationAnswer, receive } from '../api/client.ts';
import { CsvDownload } from '../components/csvDownload.tsx';
import { type FilterField, FilterForm } from '../components/filterForm.tsx';
import { PositionsMap } from '../components/lazyMap.tsx';
import { Identity } from '../components/links.tsx';
import { type ListColumn, ListTable } from '../components/listTable.tsx';
import { Pager } from '../components/pager.tsx';
import { Empty, Shown } from '../components/states.tsx';
import { useAddress } from '../state/address.ts';
import { useTitle } from '../state/title.ts';
import { useLoad } from '../state/useLoad.ts';
import { listFilters } from '../text/filters.ts';
import { toMarkedPlaces } from '../text/positions.ts';

const PAGE = 100;
const SIMPLE: readonly FilterField[] = [
  { name: 'display_name', title: 'Name' },
  { name: 'description', title: 'Description' },
  {
    name: 'order_by',
    title: 'Order',
    values: [
      ['', 'newest first'],
      ['DISPLAY_NAME', 'by name'],
    ],
  },
];
const COLUMNS: readonly ListColumn<LocationAnswer>[] = [
  {
    title: 'Name',
    cell: ({ identity, display_name }) => <Identity identity={identity}>{display_name}</Identity>,
    sortBy: ({ display_name }) => display_name,
  },
  { title: 'Description', cell: ({ description }) => description, isLong: true },
  { title: 'Latitude', cell: ({ latitude }) => latitude, sortBy: ({ latitude }) => Number(latitude) },
  { title: 'Longitude', cell: ({ longitude }) => longitude, sortBy: ({ longitude }) => Number(longitude) },
];

const toQuery = (parameters: URLSearchParams): Record<string, string> =>
  Object.fromEntries([...parameters].filter(([name]) => name !== 'sort'));

const fetchLocations = async (parameters: URLSearchParams, changes: object, signal: AbortSignal) => {
  const query = { ...toQuery(parameters), ...changes };
  const header = { 'x-request-total-count': 'true' } as const;
  const { body, headers } = await receive(api.GET('/v2/locations', { params: { query, header }, signal }));
  return { ...body, total: Number(headers.get('x-total-count')) };
};

const fetchForFile = async (parameters: URLSearchParams, pageToken: string, signal: AbortSignal) => {
  const changes = { page_size: PAGE, page_token: pageToken };
  const { locations, next_page_token } = await fetchLocations(parameters, changes, signal);
  return { records: locations, next: next_page_token };
};

const Found = ({ locations, next }: { locations: readonly LocationAnswer[]; next: string }) => {
  const { parameters } = useAddress();
  if (locations.length === 0)
    return (
      <Empty>
        {listFilters(parameters).length === 0
          ? 'No location is recorded yet.'
          : 'No location matches. Remove a filter.'}
      </Empty>
    );
  return (
    <>
      <PositionsMap positions={toMarkedPlaces(locations)} />
      <ListTable columns={COLUMNS} records={locations} keyOf={({ identity }) => identity} hasMore={next !== ''} />
      <Pager next={next} />
      <CsvDownload name="locations" fetchPage={(pageToken, signal) => fetchForFile(parameters, pageToken, signal)} />
    </>
  );
};

export const LocationsPage = () => {
  useTitle('Locations');
  const { parameters } = useAddress();
  const loaded = useLoad(parameters.toString(), (signal) => fetchLocations(parameters, { page_size: PAGE }, signal));
  return (
    <>
      <h1>
        Locations <small>{loaded.value?.total.toLocaleString()}</small>
      </h1>
      <FilterForm simple={SIMPLE} more={[]} maps={[['attributes', 'the location']]} />
      <Shown loaded={loaded}>
        {({ locations, next_page_token }) => <Found locations={locations} next={next_page_token} />}
      </Shown>
    </>
  );
};
