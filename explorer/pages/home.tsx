// What happens now: the newest events, how many records there are, and whether the ledger is healthy.
import { useCallback } from 'preact/hooks';
import { api, receive } from '../api/client.ts';
import { fetchHealth } from '../api/health.ts';
import { Badge } from '../components/badges.tsx';
import { EventTable } from '../components/eventTable.tsx';
import { Health } from '../components/health.tsx';
import { Empty, Shown } from '../components/states.tsx';
import { useTitle } from '../state/title.ts';
import { useInterval, useLoad } from '../state/useLoad.ts';
import { useNewest } from '../state/useNewest.ts';

const PERIOD_MS = 5_000;
const COUNTED = { 'x-request-total-count': 'true' } as const;

const countAssets = async (signal: AbortSignal) => {
  const { headers } = await receive(
    api.GET('/v2/assets', { params: { query: { page_size: 1 }, header: COUNTED }, signal }),
  );
  return Number(headers.get('x-total-count'));
};

export const HomePage = () => {
  useTitle('Now');
  const { loaded: newest, isConnected } = useNewest();
  const assets = useLoad('assets', countAssets);
  const health = useLoad('health', fetchHealth);
  const refresh = useCallback(() => {
    assets.reload();
    health.reload();
  }, [assets.reload, health.reload]);
  useInterval(refresh, PERIOD_MS);
  return (
    <>
      <h1>Now</h1>
      <dl class="figures">
        <div>
          <dt>Events</dt>
          <dd>{newest.value?.total.toLocaleString() ?? '…'}</dd>
        </div>
        <div>
          <dt>
            <a href="/assets">Assets</a>
          </dt>
          <dd>{assets.value?.toLocaleString() ?? '…'}</dd>
        </div>
        <div>
          <dt>
            <a href="/node">Chain</a>
          </dt>
          <dd>
            <Health loaded={health} />
          </dd>
        </div>
      </dl>
      <h2>
        Newest events {isConnected ? <Badge tone="good" text="live" /> : <Badge tone="waiting" text="connecting" />}
      </h2>
      <Shown loaded={newest}>
        {({ events }) =>
          events.length === 0 ? (
            <Empty>
              Nothing is recorded yet. <code>npm run demo</code> records data to look at.
            </Empty>
          ) : (
            <EventTable events={events} />
          )
        }
      </Shown>
    </>
  );
};
