// Events as rows: who did what, to which asset, when.
import type { LedgerEvent } from '../api/client.ts';
import { toActorName, toEventType } from '../text/names.ts';
import { isAttachment, toLine } from '../text/values.ts';
import { AssetLink } from './assetLink.tsx';
import { ConfirmationMark } from './badges.tsx';
import { Identity, Time } from './links.tsx';
import { RecordTable } from './recordTable.tsx';

const SUMMARY_MAX = 160;
const COLUMNS = ['When', 'What', 'Who', 'Asset', 'Summary', 'State'];

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

const EventRow = ({ event, nowMs }: { event: LedgerEvent; nowMs: number }) => (
  <tr>
    <td data-title="When">
      <Time timestamp={event.timestamp_accepted} nowMs={nowMs} />
    </td>
    <td data-title="What">
      <Identity identity={event.identity}>{toEventType(event)}</Identity>
    </td>
    <td data-title="Who">{toActorName(event)}</td>
    <td data-title="Asset">
      <AssetLink identity={event.asset_identity} />
    </td>
    <td data-title="Summary" class="summary">
      {toSummary(event)}
    </td>
    <td data-title="State">
      <ConfirmationMark status={event.confirmation_status} />
    </td>
  </tr>
);

/** A table of events, in the order that they are given. */
export const EventTable = ({ events }: { events: readonly LedgerEvent[] }) => {
  const nowMs = Date.now();
  return (
    <RecordTable columns={COLUMNS}>
      {events.map((event) => (
        <EventRow key={event.identity} event={event} nowMs={nowMs} />
      ))}
    </RecordTable>
  );
};
