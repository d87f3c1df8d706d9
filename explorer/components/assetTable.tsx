// Assets as rows, with the verdicts on them.
import { fetchAssetVerdicts } from '../api/assetVerdicts.ts';
import type { AssetAnswer } from '../api/client.ts';
import { useLoad } from '../state/useLoad.ts';
import { readAttribute, toAssetName } from '../text/names.ts';
import { Badge, VerdictBadge } from './badges.tsx';
import { Identity } from './links.tsx';
import { type ListColumn, ListTable } from './listTable.tsx';

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

/** A table of assets. `hasMore`: whether the list has further pages. */
export const AssetTable = ({ assets, hasMore }: { assets: readonly AssetAnswer[]; hasMore: boolean }) => {
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
