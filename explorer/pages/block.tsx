// One block of the chain: its header as the node has it, and those of its records that the reader may see.
import { useRoute } from 'preact-iso';
import { fetchBlockHeader, type ShownHeader } from '../api/blocks.ts';
import { api, type LedgerEvent, receive } from '../api/client.ts';
import { EventTable } from '../components/eventTable.tsx';
import { Copied, EventsLink, Time } from '../components/links.tsx';
import { Empty, Shown } from '../components/states.tsx';
import { useTitle } from '../state/title.ts';
import { useLoad } from '../state/useLoad.ts';

const EVENTS_MAX = 1_000;
const NUMBER = /^(?:0|[1-9]\d{0,14})$/;

const toTimestamp = (seconds: number): string => new Date(seconds * 1_000).toISOString();

// The interface finds events by the time of their block, not by its height.
const fetchEventsOf = async ({ number, timestamp }: ShownHeader, signal: AbortSignal) => {
  const query = {
    timestamp_committed_since: toTimestamp(timestamp - 1),
    timestamp_committed_before: toTimestamp(timestamp + 1),
    page_size: EVENTS_MAX,
  };
  const params = { path: { asset_uuid: '-' }, query };
  const { body } = await receive(api.GET('/v2/assets/{asset_uuid}/events', { params, signal }));
  const events = body.events.filter(({ block_number }) => block_number === number);
  return { events, isCut: body.next_page_token !== '' };
};

const Transactions = ({ events }: { events: readonly LedgerEvent[] }) => (
  <ul class="plain">
    {[...new Set(events.map(({ transaction_id }) => transaction_id))].map((hash) => (
      <li key={hash}>
        <EventsLink filters={{ transaction_id: hash }} title="Events of this transaction">
          <code>{hash}</code>
        </EventsLink>
      </li>
    ))}
  </ul>
);

const Records = ({ header }: { header: ShownHeader }) => {
  const loaded = useLoad(header.hash, (signal) => fetchEventsOf(header, signal));
  return (
    <Shown loaded={loaded}>
      {({ events, isCut }) => (
        <>
          <h2>Transactions with events that you may see</h2>
          {events.length === 0 ? (
            <Empty>None of its events is visible to you.</Empty>
          ) : (
            <Transactions events={events} />
          )}
          {events.length === 0 ? null : (
            <>
              <h2>Events</h2>
              {isCut ? <p class="hint">The newest {EVENTS_MAX.toLocaleString()} of its second.</p> : null}
              <EventTable events={events} />
            </>
          )}
        </>
      )}
    </Shown>
  );
};

const Header = ({ header }: { header: ShownHeader }) => (
  <dl class="facts-list">
    <dt>Made</dt>
    <dd>
      <Time timestamp={toTimestamp(header.timestamp)} />
    </dd>
    <dt>Hash</dt>
    <dd class="long">
      <code>{header.hash}</code>
    </dd>
    <dt>Parent</dt>
    <dd class="long">
      {header.number === 0 ? (
        'none: it is the first block'
      ) : (
        <a href={`/node/blocks/${header.number - 1}`}>
          <code>{header.parentHash}</code>
        </a>
      )}
    </dd>
    <dt>State root</dt>
    <dd class="long">
      <code>{header.stateRoot}</code>
    </dd>
    <dt>Transactions root</dt>
    <dd class="long">
      <code>{header.transactionsRoot}</code>
    </dd>
    <dt>Made by</dt>
    <dd>
      <Copied text={header.miner} />
    </dd>
    <dt>Gas used</dt>
    <dd>{header.gasUsed.toLocaleString()}</dd>
  </dl>
);

const Neighbours = ({ number, hasNext }: { number: number; hasNext: boolean }) => (
  <nav class="pager" aria-label="Blocks">
    {number === 0 ? <span /> : <a href={`/node/blocks/${number - 1}`}>Previous block</a>}
    {hasNext ? <a href={`/node/blocks/${number + 1}`}>Next block</a> : <span />}
  </nav>
);

const Block = ({ number }: { number: number }) => {
  const loaded = useLoad(`${number}`, async (signal) => ({ header: await fetchBlockHeader(number, signal) }));
  return (
    <>
      <Shown loaded={loaded}>
        {({ header }) =>
          header === undefined ? (
            <Empty>The chain has no block {number.toLocaleString()} yet, or its node doesn’t keep it.</Empty>
          ) : (
            <>
              <Header header={header} />
              <Records header={header} />
            </>
          )
        }
      </Shown>
      <Neighbours number={number} hasNext={loaded.value?.header !== undefined} />
    </>
  );
};

export const BlockPage = () => {
  const { number = '' } = useRoute().params;
  useTitle(`Block ${number}`);
  if (!NUMBER.test(number)) return <Empty>A block’s address ends with its height, such as /node/blocks/7.</Empty>;
  return (
    <>
      <header class="record">
        <p class="kind">
          <a href="/node">Chain</a>
        </p>
        <h1>Block {Number(number).toLocaleString()}</h1>
      </header>
      <Block number={Number(number)} />
    </>
  );
};
