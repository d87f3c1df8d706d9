// The assets, by filters that the address keeps.
import { fetchAssetPage } from '../api/reads.ts';
import { AssetFilterForm } from '../components/assetFilters.tsx';
import { AssetTable } from '../components/assetTable.tsx';
import { CsvDownload } from '../components/csvDownload.tsx';
import { FormLink } from '../components/formLink.tsx';
import { Pager } from '../components/pager.tsx';
import { Empty, Shown } from '../components/states.tsx';
import { useAddress } from '../state/address.ts';
import { useTitle } from '../state/title.ts';
import { useLoad } from '../state/useLoad.ts';

const PAGE = 50;
const DOWNLOADED_AT_ONCE = 200;
/** The page's own parameter. Any other is passed on: the server names those that it doesn't know. */
const SORT = 'sort';

const toQuery = (parameters: URLSearchParams): Record<string, string> =>
  Object.fromEntries([...parameters].filter(([name]) => name !== SORT));

const fetchAssets = (parameters: URLSearchParams, signal: AbortSignal) =>
  fetchAssetPage({ ...toQuery(parameters), page_size: PAGE }, signal);

const fetchForFile = async (parameters: URLSearchParams, pageToken: string, signal: AbortSignal) => {
  const query = { ...toQuery(parameters), page_token: pageToken, page_size: DOWNLOADED_AT_ONCE };
  const { assets, next_page_token } = await fetchAssetPage(query, signal);
  return { records: assets, next: next_page_token };
};

export const AssetsPage = () => {
  useTitle('Assets');
  const { parameters } = useAddress();
  const loaded = useLoad(parameters.toString(), (signal) => fetchAssets(parameters, signal));
  return (
    <>
      <header class="heading">
        <h1>
          Assets <small>{loaded.value?.total.toLocaleString()}</small>
        </h1>
        <FormLink href="/assets/new" text="New asset" right="writer" />
      </header>
      <AssetFilterForm />
      <Shown loaded={loaded}>
        {({ assets, next_page_token }) => (
          <>
            {assets.length === 0 ? (
              <Empty>No asset matches. Remove a filter.</Empty>
            ) : (
              <AssetTable assets={assets} hasMore={next_page_token !== ''} />
            )}
            <Pager next={next_page_token} />
            {assets.length === 0 ? null : (
              <CsvDownload
                name="assets"
                fetchPage={(pageToken, signal) => fetchForFile(parameters, pageToken, signal)}
              />
            )}
          </>
        )}
      </Shown>
    </>
  );
};
