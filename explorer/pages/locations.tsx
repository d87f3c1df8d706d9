// The locations, on a map and in a table.
import { api, type LocationAnswer, receive } from '../api/client.ts';
import { CsvDownload } from '../components/csvDownload.tsx';
import { PositionsMap } from '../components/lazyMap.tsx';
import { Identity } from '../components/links.tsx';
import { type ListColumn, ListTable } from '../components/listTable.tsx';
import type { Marked } from '../components/map.tsx';
import { Pager } from '../components/pager.tsx';
import { Empty, Shown } from '../components/states.tsx';
import { useAddress } from '../state/address.ts';
import { useTitle } from '../state/title.ts';
import { useLoad } from '../state/useLoad.ts';

const PAGE = 100;
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

const fetchLocations = async (pageToken: string, signal: AbortSignal) => {
  const query = { page_size: PAGE, page_token: pageToken };
  return (await receive(api.GET('/v2/locations', { params: { query }, signal }))).body;
};

const fetchForFile = async (pageToken: string, signal: AbortSignal) => {
  const { locations, next_page_token } = await fetchLocations(pageToken, signal);
  return { records: locations, next: next_page_token };
};

/** A location as the map has it. */
export const toMarkedPlace = ({ display_name, latitude, longitude }: LocationAnswer): Marked => ({
  title: display_name,
  latitude: Number(latitude),
  longitude: Number(longitude),
});

export const LocationsPage = () => {
  useTitle('Locations');
  const pageToken = useAddress().parameters.get('page_token') ?? '';
  const loaded = useLoad(pageToken, (signal) => fetchLocations(pageToken, signal));
  return (
    <>
      <h1>Locations</h1>
      <Shown loaded={loaded}>
        {({ locations, next_page_token }) => (
          <>
            <PositionsMap positions={locations.map(toMarkedPlace)} />
            {locations.length === 0 ? <Empty>No location is recorded yet.</Empty> : null}
            {locations.length === 0 ? null : (
              <ListTable
                columns={COLUMNS}
                records={locations}
                keyOf={({ identity }) => identity}
                hasMore={next_page_token !== ''}
              />
            )}
            <Pager next={next_page_token} />
            {locations.length === 0 ? null : <CsvDownload name="locations" fetchPage={fetchForFile} />}
          </>
        )}
      </Shown>
    </>
  );
};
