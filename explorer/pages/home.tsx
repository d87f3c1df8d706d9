// What happens now: the newest events, how many records there are, and whether the ledger is healthy.
import type { ComponentChildren } from 'preact';
import { useCallback } from 'preact/hooks';
import { fetchAssetVerdicts } from '../api/assetVerdicts.ts';
import { api, receive } from '../api/client.ts';
import { fetchHealth } from '../api/health.ts';
import { isExpired } from '../api/session.ts';
import { Badge } from '../components/badges.tsx';
import { EventTable } from '../components/eventTable.tsx';
import { Health } from '../components/health.tsx';
import { Empty, Shown } from '../components/states.tsx';
import { useTitle } from '../state/title.ts';
import { type Loaded, useInterval, useLoad } from '../state/useLoad.ts';
import { useNewest } from '../state/useNewest.ts';

const PERIOD_MS = 5_000;
const CHECK_PERIOD_MS = 30_000;
/** Assets that the server checks at once. */
const CHECKED_MAX = 100;
const COUNTED = { 'x-request-total-count': 'true' } as const;

const fetchNewestAssets = async (page_size: number, signal: AbortSignal) => {
  const params = { query: { page_size }, header: COUNTED };
  const { body, headers } = await receive(api.GET('/v2/assets', { params, signal }));
  return { assets: body.assets, total: Number(headers.get('x-total-count')) };
};

const countAssets = async (signal: AbortSignal) => (await fetchNewestAssets(1, signal)).total;

const countFailing = async (signal: AbortSignal) => {
  const { assets, total } = await fetchNewestAssets(CHECKED_MAX, signal);
  const verdicts = await fetchAssetVerdicts(assets, signal);
  const failing = [...verdicts.values()].filter((isCompliant) => !isCompliant).length;
  return { failing, isOfAll: assets.length === total };
};

const Figure = ({ title, page, children }: { title: string; page: string; children: ComponentChildren }) => (
  <div>
    <dt>
      <a href={page}>{title}</a>
    </dt>
    <dd>{children}</dd>
  </div>
);

const Failing = ({ loaded: { value, error } }: { loaded: Loaded<Awaited<ReturnType<typeof countFailing>>> }) => {
  if (value === undefined) return error === undefined ? '…' : <span title={error.message}>unknown</span>;
  const { failing, isOfAll } = value;
  return (
    <>
      {failing === 0 ? <Badge tone="good" text="none" /> : <Badge tone="bad" text={failing.toLocaleString()} />}
      {isOfAll ? null : <small> of the newest {CHECKED_MAX}</small>}
    </>
  );
};

const Connection = ({ isConnected }: { isConnected: boolean }) => {
  if (isExpired.value) return <Badge tone="plain" text="paused until you sign in" />;
  return isConnected ? <Badge tone="good" text="live" /> : <Badge tone="waiting" text="connecting" />;
};

export const HomePage = () => {
  useTitle('Now');
  const { loaded: newest, isConnected } = useNewest();
  const assets = useLoad('assets', countAssets);
  const failing = useLoad('failing', countFailing);
  const health = useLoad('health', fetchHealth);
  const refresh = useCallback(() => {
    if (!isExpired.value) assets.reload();
    health.reload();
  }, [assets.reload, health.reload]);
  useInterval(refresh, PERIOD_MS);
  const checkAgain = useCallback(() => {
    if (!isExpired.value) failing.reload();
  }, [failing.reload]);
  useInterval(checkAgain, CHECK_PERIOD_MS);
  return (
    <>
      <h1>Now</h1>
      <dl class="figures">
        <div>
          <dt>
            <a href="/events">Events</a>
          </dt>
          <dd>{newest.value?.total.toLocaleString() ?? '…'}</dd>
        </div>
        <Figure title="Assets" page="/assets">
          {assets.value?.toLocaleString() ?? '…'}
        </Figure>
        <Figure title="Assets that fail a policy" page="/assets?sort=Verdict">
          <Failing loaded={failing} />
        </Figure>
        <Figure title="Chain" page="/node">
          <Health loaded={health} />
        </Figure>
      </dl>
      <h2>
        Newest events <Connection isConnected={isConnected} />
      </h2>
      <Shown loaded={newest}>
        {({ events }) =>
          events.length === 0 ? (
            <Empty>
              Nothing is recorded yet. <code>npm run demo</code> records data to look at.
            </Empty>
          ) : (
            <>
              <EventTable events={events} />
              <p>
                <a href="/events">All events</a>
              </p>
            </>
          )
        }
      </Shown>
    </>
  );
};
