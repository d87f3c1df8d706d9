// The locations, on a map and in a table.
import { api, type LocationAnswer, receive } from '../api/client.ts';
import { PositionsMap } from '../components/lazyMap.tsx';
import { Identity } from '../components/links.tsx';
import type { Marked } from '../components/map.tsx';
import { Pager } from '../components/pager.tsx';
import { RecordTable } from '../components/recordTable.tsx';
import { Empty, Shown } from '../components/states.tsx';
import { useAddress } from '../state/address.ts';
import { useTitle } from '../state/title.ts';
import { useLoad } from '../state/useLoad.ts';

const PAGE = 100;
const COLUMNS = ['Name', 'Description', 'Latitude', 'Longitude'];

const fetchLocations = async (pageToken: string | null, signal: AbortSignal) => {
  const query = pageToken === null ? { page_size: PAGE } : { page_size: PAGE, page_token: pageToken };
  return (await receive(api.GET('/v2/locations', { params: { query }, signal }))).body;
};

/** A location as the map has it. */
export const toMarkedPlace = ({ display_name, latitude, longitude }: LocationAnswer): Marked => ({
  title: display_name,
  latitude: Number(latitude),
  longitude: Number(longitude),
});

const LocationTable = ({ locations }: { locations: readonly LocationAnswer[] }) => (
  <RecordTable columns={COLUMNS}>
    {locations.map((location) => (
      <tr key={location.identity}>
        <td data-title="Name">
          <Identity identity={location.identity}>{location.display_name}</Identity>
        </td>
        <td data-title="Description" class="summary">
          {location.description}
        </td>
        <td data-title="Latitude">{location.latitude}</td>
        <td data-title="Longitude">{location.longitude}</td>
      </tr>
    ))}
  </RecordTable>
);

export const LocationsPage = () => {
  useTitle('Locations');
  const pageToken = useAddress().parameters.get('page_token');
  const loaded = useLoad(`${pageToken}`, (signal) => fetchLocations(pageToken, signal));
  return (
    <>
      <h1>Locations</h1>
      <Shown loaded={loaded}>
        {({ locations, next_page_token }) => (
          <>
            <PositionsMap positions={locations.map(toMarkedPlace)} />
            {locations.length === 0 ? <Empty>No location is recorded yet.</Empty> : null}
            {locations.length === 0 ? null : <LocationTable locations={locations} />}
            <Pager next={next_page_token} />
          </>
        )}
      </Shown>
    </>
  );
};
