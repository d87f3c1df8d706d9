// The assets that fail a policy, found by a check of the assets page by page.
import { useEffect, useState } from 'preact/hooks';
import { type AssetAnswer, api, receive } from '../api/client.ts';
import { fetchFailing } from '../api/policies.ts';
import type { PolicyAnswer } from '../api/writes.ts';
import { useSend } from '../state/useSend.ts';
import { toAssetName } from '../text/names.ts';
import { toListFilters } from '../text/policyConditions.ts';
import { Badge } from './badges.tsx';
import { Identity } from './links.tsx';
import { Empty, ErrorNote } from './states.tsx';

/** As many as one check takes. */
const CHECKED_AT_ONCE = 100;

interface Checked {
  readonly count: number;
  readonly failing: readonly AssetAnswer[];
  /** Token of the next page; empty after the last one, undefined before the first. */
  readonly next?: string;
}

const checkPage = async (policy: PolicyAnswer, pageToken: string) => {
  const query = {
    ...toListFilters(policy.asset_filter, policy.condition_syntax),
    page_size: CHECKED_AT_ONCE,
    page_token: pageToken,
  };
  const { assets, next_page_token } = (await receive(api.GET('/v2/assets', { params: { query } }))).body;
  return { assets, next: next_page_token, failing: await fetchFailing(policy.identity, assets) };
};

const toNote = ({ count, next }: Checked): string =>
  `${count.toLocaleString()} ${count === 1 ? 'asset' : 'assets'} checked${next === '' ? '' : '; there are more'}.`;

/** The list, and a button that checks further assets. */
export const FailingAssets = ({ policy }: { policy: PolicyAnswer }) => {
  const [checked, setChecked] = useState<Checked>({ count: 0, failing: [] });
  const { send, isSending, error } = useSend();
  const check = (): Promise<void> =>
    send(async () => {
      const { assets, next, failing } = await checkPage(policy, checked.next ?? '');
      setChecked((last) => ({ count: last.count + assets.length, failing: [...last.failing, ...failing], next }));
    });
  useEffect(() => {
    check();
  }, []);
  return (
    <>
      <p role="status">{checked.next === undefined ? 'Checking …' : toNote(checked)}</p>
      {error === undefined ? null : <ErrorNote error={error} onRetry={check} />}
      {checked.next !== undefined && checked.failing.length === 0 ? <Empty>None of these fails.</Empty> : null}
      <ul>
        {checked.failing.map((asset) => (
          <li key={asset.identity}>
            <Badge tone="bad" text="fails" />{' '}
            <Identity identity={asset.identity}>
              <span dir="auto">{toAssetName(asset)}</span>
            </Identity>
          </li>
        ))}
      </ul>
      {checked.next ? (
        <button type="button" disabled={isSending} onClick={check}>
          Check further assets
        </button>
      ) : null}
    </>
  );
};
