// Chooses assets by name or type.
import { useEffect, useState } from 'preact/hooks';
import { type AssetAnswer, api, receive } from '../api/client.ts';
import { useLoad } from '../state/useLoad.ts';
import { toAttributeFilter } from '../text/filters.ts';
import { abbreviate, readAttribute, toAssetName } from '../text/names.ts';
import { CheckField, TextField } from './fields.tsx';
import { ErrorNote } from './states.tsx';

const NEWEST = 200;
const SHOWN_MAX = 12;
const PAUSE_MS = 300;

const fetchAssets = async (query: Record<string, string | number>, signal: AbortSignal): Promise<AssetAnswer[]> =>
  (await receive(api.GET('/v2/assets', { params: { query }, signal }))).body.assets;

const toType = ({ attributes }: AssetAnswer): string => readAttribute(attributes, 'arc_display_type');

const isLike = (asset: AssetAnswer, text: string): boolean =>
  `${toAssetName(asset)} ${toType(asset)} ${asset.identity}`.toLowerCase().includes(text.toLowerCase());

const toExact = (name: string, text: string) =>
  Object.fromEntries([toAttributeFilter('attributes', name, 'equal', text)]);

// The interface finds exact names and types among all assets; parts of them are found among the newest.
const searchAssets = async (text: string, signal: AbortSignal): Promise<AssetAnswer[]> => {
  const newest = (await fetchAssets({ page_size: NEWEST }, signal)).filter((asset) => isLike(asset, text));
  if (text === '') return newest;
  const exact = await Promise.all(
    ['arc_display_name', 'arc_display_type'].map((name) =>
      fetchAssets({ ...toExact(name, text), page_size: SHOWN_MAX }, signal),
    ),
  );
  return [...new Map([...newest, ...exact.flat()].map((asset) => [asset.identity, asset])).values()];
};

const useSettled = (text: string): string => {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
};

interface AssetPickerProps {
  readonly chosen: readonly AssetAnswer[];
  readonly onChoose: (chosen: readonly AssetAnswer[]) => void;
}

/** A search, and what it finds to choose from. Those that are chosen stay. */
export const AssetPicker = ({ chosen, onChoose }: AssetPickerProps) => {
  const [text, setText] = useState('');
  const settled = useSettled(text);
  const found = useLoad(settled, (signal) => searchAssets(settled, signal));
  const isChosen = (asset: AssetAnswer): boolean => chosen.some(({ identity }) => identity === asset.identity);
  const others = (found.value ?? []).filter((asset) => !isChosen(asset));
  const toggle = (asset: AssetAnswer): void =>
    onChoose(isChosen(asset) ? chosen.filter(({ identity }) => identity !== asset.identity) : [...chosen, asset]);
  return (
    <>
      <TextField
        type="search"
        name="assets"
        label="Search assets"
        hint="A part of the name or type of one of the newest assets, or the exact name or type of any."
        value={text}
        onValue={setText}
      />
      {found.error === undefined ? null : <ErrorNote error={found.error} onRetry={found.reload} />}
      <div class="choices">
        {[...chosen, ...others.slice(0, SHOWN_MAX)].map((asset) => (
          <CheckField
            key={asset.identity}
            name={`assets/${asset.identity}`}
            label={[toAssetName(asset), toType(asset), abbreviate(asset.identity)]
              .filter((part) => part !== '')
              .join(' · ')}
            isChecked={isChosen(asset)}
            onCheck={() => toggle(asset)}
          />
        ))}
      </div>
      {others.length > SHOWN_MAX ? <p class="hint">There are more: search for them.</p> : null}
    </>
  );
};
