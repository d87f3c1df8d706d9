// The assets, by filters that the address keeps.
import { fetchAssetVerdicts } from '../api/assetVerdicts.ts';
import { type AssetAnswer, api, receive } from '../api/client.ts';
import { AssetFilterForm, FILTER_PREFIX } from '../components/assetFilters.tsx';
import { Badge, VerdictBadge } from '../components/badges.tsx';
import { CsvDownload } from '../components/csvDownload.tsx';
import { Identity } from '../components/links.tsx';
import { type ListColumn, ListTable } from '../components/listTable.tsx';
import { Pager } from '../components/pager.tsx';
import { RecordLink } from '../components/recordLink.tsx';
import { Empty, Shown } from '../components/states.tsx';
import { useAddress } from '../state/address.ts';
import { useTitle } from '../state/title.ts';
import { useLoad } from '../state/useLoad.ts';
import { readAttribute, toAssetName } from '../text/names.ts';

const PAGE = 50;
const DOWNLOADED_AT_ONCE = 200;
const PASSED_ON = ['page_token', 'privacy', 'tracked', 'order_by'];

const toQuery = (parameters: URLSearchParams): Record<string, string> =>
  Object.fromEntries([...parameters].filter(([name]) => PASSED_ON.includes(name) || name.startsWith(FILTER_PREFIX)));

const fetchAssets = async (parameters: URLSearchParams, signal: AbortSignal) => {
  const query = { ...toQuery(parameters), page_size: PAGE };
  const header = { 'x-request-total-count': 'true' } as const;
  const { body, headers } = await receive(api.GET('/v2/assets', { params: { query, header }, signal }));
  return { ...body, total: Number(headers.get('x-total-count')) };
};

const fetchForFile = async (parameters: URLSearchParams, pageToken: string, signal: AbortSignal) => {
  const query = { ...toQuery(parameters), page_token: pageToken, page_size: DOWNLOADED_AT_ONCE };
  const { body } = await receive(api.GET('/v2/assets', { params: { query }, signal }));
  return { records: body.assets, next: body.next_page_token };
};

// By verdict: assets that fail first, those without a verdict last.
const toColumns = (verdicts: ReadonlyMap<string, boolean> | undefined): ListColumn<AssetAnswer>[] => [
  {
    title: 'Name',
    cell: (asset) => <Identity identity={asset.identity}>{toAssetName(asset)}</Identity>,
    sortBy: toAssetName,
  },
  { title: 'Type', cell: toType, sortBy: toType },
  {
    title: 'Verdict',
    cell: ({ identity }) => <Verdict isCompliant={verdicts?.get(identity)} />,
    sortBy: ({ identity }) => Number(verdicts?.get(identity) ?? 2),
  },
  { title: 'Description', cell: ({ attributes }) => readAttribute(attributes, 'arc_description'), isLong: true },
  { title: 'Kind', cell: (asset) => <Kind asset={asset} />, sortBy: (asset) => Number(!asset.public) },
  { title: 'Identity', cell: ({ identity }) => <Identity identity={identity} /> },
];

const toType = ({ attributes }: AssetAnswer): string => readAttribute(attributes, 'arc_display_type');

const Verdict = ({ isCompliant }: { isCompliant: boolean | undefined }) =>
  isCompliant === undefined ? null : <VerdictBadge isCompliant={isCompliant} />;

const Kind = ({ asset }: { asset: AssetAnswer }) => (
  <>
    {asset.public ? <Badge tone="plain" text="public" /> : null}
    {asset.tracked === 'NOT_TRACKED' ? <Badge tone="plain" text="not tracked" /> : null}
  </>
);

const AssetTable = ({ assets, hasMore }: { assets: readonly AssetAnswer[]; hasMore: boolean }) => {
  const key = assets.map(({ identity }) => identity).join();
  const verdicts = useLoad(key, (signal) => fetchAssetVerdicts(assets, signal));
  return (
    <ListTable
      columns={toColumns(verdicts.value)}
      records={assets}
      keyOf={({ identity }) => identity}
      hasMore={hasMore}
    />
  );
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
        <RecordLink href="/assets/new" text="New asset" right="writer" />
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
