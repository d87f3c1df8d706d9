// One location, and the assets that have it as their home.
import { useRoute } from 'preact-iso';
import { api, type LocationAnswer, receive } from '../api/client.ts';
import { FILTER_PREFIX } from '../components/assetFilters.tsx';
import { AttributeTable } from '../components/attributes.tsx';
import { PositionsMap } from '../components/lazyMap.tsx';
import { Copied } from '../components/links.tsx';
import { Shown } from '../components/states.tsx';
import { useTitle } from '../state/title.ts';
import { useLoad } from '../state/useLoad.ts';
import { toMarkedPlace } from './locations.tsx';

const fetchLocation = async (uuid: string, signal: AbortSignal): Promise<LocationAnswer> =>
  (await receive(api.GET('/v2/locations/{uuid}', { params: { path: { uuid } }, signal }))).body;

const Body = ({ location }: { location: LocationAnswer }) => {
  const filter = new URLSearchParams({ [`${FILTER_PREFIX}arc_home_location_identity`]: location.identity });
  return (
    <>
      <header class="record">
        <p class="kind">Location</p>
        <h1 dir="auto">{location.display_name}</h1>
        <p dir="auto">{location.description}</p>
        <p class="facts">
          {location.latitude}, {location.longitude} <Copied text={location.identity} />
        </p>
      </header>
      <PositionsMap positions={[toMarkedPlace(location)]} />
      <p>
        <a href={`/assets?${filter}`}>Assets that have it as their home</a>
      </p>
      <AttributeTable attributes={location.attributes} />
    </>
  );
};

export const LocationPage = () => {
  const { uuid = '' } = useRoute().params;
  const loaded = useLoad(uuid, (signal) => fetchLocation(uuid, signal));
  useTitle(loaded.value?.display_name ?? 'Location');
  return <Shown loaded={loaded}>{(location) => <Body location={location} />}</Shown>;
};
