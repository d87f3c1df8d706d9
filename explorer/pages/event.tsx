// One event: who declared and who accepted it, what it says, and where the chain has it.
import { useRoute } from 'preact-iso';
import type { LedgerEvent } from '../api/client.ts';
import { fetchEvent } from '../api/reads.ts';
import { Attachments } from '../components/attachments.tsx';
import { AttributeTable } from '../components/attributes.tsx';
import { Confirmation } from '../components/badges.tsx';
import { EventCheckSection, HistoryCheckSection } from '../components/checks.tsx';
import { PositionsMap } from '../components/lazyMap.tsx';
import { BlockLink, Copied, EventsLink, Time } from '../components/links.tsx';
import { NamedLink } from '../components/namedLink.tsx';
import { PendingNote } from '../components/pendingNote.tsx';
import { Empty, Shown } from '../components/states.tsx';
import { useIsPublic } from '../state/scope.ts';
import { useTitle } from '../state/title.ts';
import { useLoad } from '../state/useLoad.ts';
import { toMarkedEvents } from '../text/markedEvents.ts';
import { toEventType, toPersonName, uuidOf } from '../text/names.ts';
import { listAttachments } from '../text/values.ts';

type Kind = 'declared' | 'accepted';

// What finds the events of a principal: its issuer and subject identify it; a name is all that some have.
const toFilters = (kind: Kind, { issuer, subject, display_name, email }: LedgerEvent['principal_accepted']) => {
  const known = subject === '' ? { display_name, email } : { issuer, subject };
  return Object.fromEntries(
    Object.entries(known).flatMap(([name, value]) => (value === '' ? [] : [[`principal_${kind}.${name}`, value]])),
  );
};

const Principal = ({ principal, kind }: { principal: LedgerEvent['principal_accepted']; kind: Kind }) => (
  <>
    <EventsLink filters={toFilters(kind, principal)} title="Events of this principal">
      <strong dir="auto">{toPersonName(principal)}</strong>
    </EventsLink>
    {principal.issuer === '' ? null : (
      <span class="hint" dir="auto">
        {' '}
        {principal.subject} at {principal.issuer}
      </span>
    )}
  </>
);

// Public pages name nobody: that the name is left out is said, so that it isn't taken for an unknown one.
const Stated = ({ event, kind }: { event: LedgerEvent; kind: Kind }) => (
  <dd>
    {useIsPublic() ? (
      <span class="hint">name not public</span>
    ) : (
      <Principal principal={event[`principal_${kind}`]} kind={kind} />
    )}
    , <Time timestamp={event[`timestamp_${kind}`]} />
  </dd>
);

const Facts = ({ event }: { event: LedgerEvent }) => (
  <dl class="facts-list">
    <dt>Declared</dt>
    <Stated event={event} kind="declared" />
    <dt>Accepted</dt>
    <Stated event={event} kind="accepted" />
    {event.confirmation_status === 'CONFIRMED' ? (
      <>
        <dt>Committed</dt>
        <dd>
          <Time timestamp={event.timestamp_committed} /> in block <BlockLink number={event.block_number} />
        </dd>
        <dt>Transaction</dt>
        <dd>
          <Copied text={event.transaction_id} />{' '}
          <EventsLink filters={{ transaction_id: event.transaction_id }}>events of this transaction</EventsLink>
        </dd>
        <dt>Author’s key</dt>
        <dd>
          <Copied text={event.from} /> <EventsLink filters={{ from: event.from }}>events of this author</EventsLink>
        </dd>
      </>
    ) : null}
    <dt>Asset</dt>
    <dd>
      <NamedLink identity={event.asset_identity} />
    </dd>
    <dt>Identity</dt>
    <dd>
      <Copied text={event.identity} />
    </dd>
  </dl>
);

const AttributesOf = ({
  title,
  attributes,
  none,
}: {
  title: string;
  attributes: LedgerEvent['event_attributes'];
  none: string;
}) => (
  <section>
    <h2>{title}</h2>
    {Object.keys(attributes).length === 0 ? <Empty>{none}</Empty> : <AttributeTable attributes={attributes} />}
  </section>
);

interface BodyProps {
  readonly event: LedgerEvent;
  readonly isPublic: boolean;
  readonly onAsk: () => void;
}

const Body = ({ event, isPublic, onAsk }: BodyProps) => {
  const attachments = listAttachments({ ...event.asset_attributes, ...event.event_attributes });
  return (
    <>
      <header class="record">
        <p class="kind">Event</p>
        <h1 dir="auto">{toEventType(event)}</h1>
        <p class="facts">
          <Confirmation status={event.confirmation_status} />
        </p>
      </header>
      <PendingNote record={event} onAsk={onAsk} />
      <Facts event={event} />
      <div class="columns even">
        <AttributesOf title="What it says" attributes={event.event_attributes} none="Nothing besides who and when." />
        <div>
          <AttributesOf
            title="What it set on the asset"
            attributes={event.asset_attributes}
            none="It changed nothing."
          />
          <PositionsMap positions={toMarkedEvents(event)} />
        </div>
      </div>
      {attachments.length === 0 ? null : <Attachments record={event.identity} attachments={attachments} />}
      {event.confirmation_status === 'CONFIRMED' && !isPublic ? <EventCheckSection event={event} /> : null}
      {isPublic ? <HistoryCheckSection uuid={uuidOf(event.asset_identity)} isPublic /> : null}
      <details>
        <summary>JSON</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls by keyboard. */}
        <pre tabIndex={0}>{JSON.stringify(event, undefined, 2)}</pre>
      </details>
    </>
  );
};

export const EventPage = () => {
  const { uuid = '', event: eventUuid = '' } = useRoute().params;
  const isPublic = useIsPublic();
  const loaded = useLoad(`${isPublic} ${uuid} ${eventUuid}`, (signal) =>
    fetchEvent({ uuid, isPublic }, eventUuid, signal),
  );
  useTitle(loaded.value === undefined ? 'Event' : toEventType(loaded.value));
  return (
    <Shown loaded={loaded} heading="Event">
      {(event) => <Body event={event} isPublic={isPublic} onAsk={loaded.reload} />}
    </Shown>
  );
};
