// One location, and the assets that have it as their home.
import { useRoute } from 'preact-iso';
import { api, type LocationAnswer, receive } from '../api/client.ts';
import { fetchAssetPage } from '../api/reads.ts';
import { FILTER_PREFIX } from '../components/assetFilters.tsx';
import { AssetTable } from '../components/assetTable.tsx';
import { AttributeTable } from '../components/attributes.tsx';
import { PositionsMap } from '../components/lazyMap.tsx';
import { Copied } from '../components/links.tsx';
import { Empty, Shown } from '../components/states.tsx';
import { useTitle } from '../state/title.ts';
import { useLoad } from '../state/useLoad.ts';
import { toMarkedPlaces } from '../text/positions.ts';

const ASSETS = 50;

const fetchLocation = async (uuid: string, signal: AbortSignal): Promise<LocationAnswer> =>
  (await receive(api.GET('/v2/locations/{uuid}', { params: { path: { uuid } }, signal }))).body;

const AssetsAt = ({ identity }: { identity: string }) => {
  const filter = { [`${FILTER_PREFIX}arc_home_location_identity`]: identity };
  const loaded = useLoad(identity, (signal) => fetchAssetPage({ ...filter, page_size: ASSETS }, signal));
  return (
    <section>
      <h2>
        Assets that have it as their home <small>{loaded.value?.total.toLocaleString()}</small>
      </h2>
      <Shown loaded={loaded}>
        {({ assets, next_page_token }) =>
          assets.length === 0 ? (
            <Empty>No tracked asset has it as its home.</Empty>
          ) : (
            <>
              <AssetTable assets={assets} hasMore={next_page_token !== ''} />
              <p>
                <a href={`/assets?${new URLSearchParams(filter)}`}>Filter these assets</a>
              </p>
            </>
          )
        }
      </Shown>
    </section>
  );
};

const Body = ({ location }: { location: LocationAnswer }) => (
  <>
    <header class="record">
      <p class="kind">Location</p>
      <h1 dir="auto">{location.display_name}</h1>
      <p dir="auto">{location.description}</p>
      <p class="facts">
        <span dir="auto">
          {location.latitude}, {location.longitude}
        </span>{' '}
        <Copied text={location.identity} />
      </p>
    </header>
    <PositionsMap positions={toMarkedPlaces([location])} />
    <AssetsAt identity={location.identity} />
    <h2>Attributes</h2>
    {Object.keys(location.attributes).length === 0 ? (
      <Empty>It has no attributes.</Empty>
    ) : (
      <AttributeTable attributes={location.attributes} />
    )}
  </>
);

export const LocationPage = () => {
  const { uuid = '' } = useRoute().params;
  const loaded = useLoad(uuid, (signal) => fetchLocation(uuid, signal));
  useTitle(loaded.value?.display_name ?? 'Location');
  return (
    <Shown loaded={loaded} heading="Location">
      {(location) => <Body location={location} />}
    </Shown>
  );
};
