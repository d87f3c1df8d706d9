// What happens now: the newest events, how many records there are, and whether the ledger is healthy.
import { useCallback } from 'preact/hooks';
import { api, receive } from '../api/client.ts';
import { fetchHealth } from '../api/health.ts';
import { EventTable } from '../components/eventTable.tsx';
import { Health } from '../components/health.tsx';
import { Empty, Shown } from '../components/states.tsx';
import { useTitle } from '../state/title.ts';
import { useInterval, useLoad } from '../state/useLoad.ts';

const PERIOD_MS = 3_000;
const EVENTS = 25;
const COUNTED = { 'x-request-total-count': 'true' } as const;

const fetchNewest = async (signal: AbortSignal) => {
  const params = { path: { asset_uuid: '-' }, query: { page_size: EVENTS } };
  const { body, headers } = await receive(api.GET('/v2/assets/{asset_uuid}/events', { params, signal }));
  return { events: body.events, total: Number(headers.get('x-total-count')) };
};

const countAssets = async (signal: AbortSignal) => {
  const { headers } = await receive(
    api.GET('/v2/assets', { params: { query: { page_size: 1 }, header: COUNTED }, signal }),
  );
  return Number(headers.get('x-total-count'));
};

export const HomePage = () => {
  useTitle('Now');
  const newest = useLoad('events', fetchNewest);
  const assets = useLoad('assets', countAssets);
  const health = useLoad('health', fetchHealth);
  const refresh = useCallback(() => {
    newest.reload();
    assets.reload();
    health.reload();
  }, [newest.reload, assets.reload, health.reload]);
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
      <h2>Newest events</h2>
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
