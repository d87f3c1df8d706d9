// Events as rows: who did what, to which asset, when.
import type { LedgerEvent } from '../api/client.ts';
import { toActorName, toEventType } from '../text/names.ts';
import { isLate } from '../text/times.ts';
import { isAttachment, toLine } from '../text/values.ts';
import { ConfirmationMark } from './badges.tsx';
import { BlockLink, Identity, Time, TransactionLink } from './links.tsx';
import { type ListColumn, ListTable } from './listTable.tsx';
import { NamedLink } from './namedLink.tsx';

const SUMMARY_MAX = 160;

/** What an event says in one line: its description, or what it says and set. */
export const toSummary = ({ event_attributes, asset_attributes }: LedgerEvent): string => {
  const description = event_attributes.arc_description ?? asset_attributes.arc_description;
  if (description !== undefined) return toLine(description).slice(0, SUMMARY_MAX);
  const all = Object.entries({ ...asset_attributes, ...event_attributes });
  const set = all
    .filter(([name, value]) => name !== 'arc_display_type' && !isAttachment(name, value))
    .map(([name, value]) => `${name}: ${toLine(value)}`);
  return set.join(', ').slice(0, SUMMARY_MAX);
};

const toColumns = (nowMs: number): ListColumn<LedgerEvent>[] => [
  {
    title: 'When',
    cell: ({ timestamp_accepted }) => <Time timestamp={timestamp_accepted} nowMs={nowMs} />,
    sortBy: ({ timestamp_accepted }) => Date.parse(timestamp_accepted),
  },
  {
    title: 'Declared',
    cell: (event) => (isLate(event) ? <Time timestamp={event.timestamp_declared} /> : null),
    sortBy: ({ timestamp_declared }) => Date.parse(timestamp_declared),
  },
  {
    title: 'What',
    cell: (event) => <Identity identity={event.identity}>{toEventType(event)}</Identity>,
    sortBy: toEventType,
  },
  { title: 'Who', cell: toActorName, sortBy: toActorName },
  { title: 'Asset', cell: ({ asset_identity }) => <NamedLink identity={asset_identity} /> },
  { title: 'Summary', cell: toSummary, isLong: true },
  {
    title: 'Block',
    cell: ({ block_number, transaction_id }) =>
      transaction_id === '' ? null : (
        <span title={`Transaction ${transaction_id}`}>
          <BlockLink number={block_number} /> <TransactionLink hash={transaction_id} />
        </span>
      ),
    sortBy: ({ block_number }) => block_number || Number.POSITIVE_INFINITY,
  },
  { title: 'State', cell: ({ confirmation_status }) => <ConfirmationMark status={confirmation_status} /> },
];

/** A table of events. `hasMore`: whether the list has further pages. */
export const EventTable = ({ events, hasMore = false }: { events: readonly LedgerEvent[]; hasMore?: boolean }) => (
  <ListTable columns={toColumns(Date.now())} records={events} keyOf={({ identity }) => identity} hasMore={hasMore} />
);
