// The chain: its newest block, who makes blocks, which nodes answer, and whether it stands still.
import { useCallback } from 'preact/hooks';
import { api, receive } from '../api/client.ts';
import { fetchHealth } from '../api/health.ts';
import { isExpired } from '../api/session.ts';
import { Badge } from '../components/badges.tsx';
import { Health } from '../components/health.tsx';
import { BlockLink, Copied, Time } from '../components/links.tsx';
import { type ListColumn, ListTable } from '../components/listTable.tsx';
import { Rhythm } from '../components/rhythm.tsx';
import { Shown } from '../components/states.tsx';
import { useTitle } from '../state/title.ts';
import { useInterval, useLoad } from '../state/useLoad.ts';

type Report = Awaited<ReturnType<typeof fetchReport>>;
type ChainNode = Report['blockchain_nodes'][number];

const PERIOD_MS = 5_000;

const fetchReport = async (signal: AbortSignal) => (await receive(api.GET('/v1/node', { signal }))).body;

const Validators = ({ validators }: { validators: NonNullable<Report['chain_validators']> }) => (
  <section>
    <h2>Validators</h2>
    <p class="hint">
      {validators.engine}
      {validators.needed === null ? '' : `; ${validators.needed} must work for the chain to make blocks`}
    </p>
    <ul class="plain">
      {validators.validators.map(({ address, silent, last_sealed }) => (
        <li key={address}>
          <Copied text={address} /> {silent ? <Badge tone="bad" text="silent" /> : <Badge tone="good" text="seals" />}
          {last_sealed === null ? null : (
            <>
              {' '}
              block <BlockLink number={Number(last_sealed.block_height)} />
            </>
          )}
        </li>
      ))}
    </ul>
  </section>
);

const Reachable = ({ status }: { status: ChainNode['connection_status'] }) =>
  status === 'REACHABLE' ? <Badge tone="good" text="reachable" /> : <Badge tone="bad" text="unreachable" />;

const Peers = ({ peers }: Pick<ChainNode, 'peers'>) =>
  peers.length === 0 ? (
    'none'
  ) : (
    <details>
      <summary>{peers.length}</summary>
      <ul class="plain">
        {peers.map(({ validator_pubkey: { x, y }, connection_status }) => (
          <li key={x}>
            <Copied text={`${x}.${y}`} /> <Reachable status={connection_status} />
          </li>
        ))}
      </ul>
    </details>
  );

const NODE_COLUMNS: readonly ListColumn<ChainNode>[] = [
  { title: 'Node', cell: ({ host }) => host ?? 'embedded' },
  {
    title: 'State',
    cell: ({ connection_status }) => <Reachable status={connection_status} />,
  },
  {
    title: 'Newest block',
    // Of a node that doesn't answer, the report has no block.
    cell: ({ connection_status, block_height, timestamp_committed }) =>
      connection_status === 'REACHABLE' ? (
        <span>
          <BlockLink number={Number(block_height)} />, <Time timestamp={timestamp_committed} />
        </span>
      ) : null,
  },
  { title: 'Peers', cell: ({ peers }) => <Peers peers={peers} /> },
];

const Body = ({ report }: { report: Report }) => {
  const { chain_head, chain_stalled, chain_validators, blockchain_nodes, identity } = report;
  return (
    <>
      {chain_stalled === null ? null : (
        <p class="note failure" role="alert">
          The chain has stalled: {chain_stalled.reason}. Records are accepted, and stay pending.
        </p>
      )}
      <dl class="figures">
        <div>
          <dt>Newest block</dt>
          <dd>{chain_head === null ? 'unknown' : <BlockLink number={Number(chain_head.block_height)} />}</dd>
        </div>
        <div>
          <dt>Made</dt>
          <dd>
            {chain_head === null ? 'unknown' : <Time timestamp={chain_head.timestamp_committed} nowMs={Date.now()} />}
          </dd>
        </div>
        <div>
          <dt>Node</dt>
          <dd>{identity}</dd>
        </div>
      </dl>
      <Rhythm height={chain_head === null ? undefined : Number(chain_head.block_height)} />
      <h2>Nodes</h2>
      <ListTable columns={NODE_COLUMNS} records={blockchain_nodes} keyOf={({ host }) => host ?? ''} />
      {chain_validators === null ? null : <Validators validators={chain_validators} />}
    </>
  );
};

export const NodePage = () => {
  useTitle('Chain');
  const report = useLoad('node', fetchReport);
  const health = useLoad('health', fetchHealth);
  const refresh = useCallback(() => {
    if (!isExpired.value) report.reload();
  }, [report.reload]);
  useInterval(refresh, PERIOD_MS);
  return (
    <>
      <h1>
        Chain <Health loaded={health} />
      </h1>
      <Shown loaded={report}>{(value) => <Body report={value} />}</Shown>
    </>
  );
};
