// One asset: what it is, or was at a time; what happened to it; where it has been; whether it complies.
import { useRoute } from 'preact-iso';
import type { AssetAnswer, LedgerEvent } from '../api/client.ts';
import { fetchAsset, fetchEvents, type ShownAsset } from '../api/reads.ts';
import { Attachments } from '../components/attachments.tsx';
import { AttributeTable } from '../components/attributes.tsx';
import { Badge, Confirmation } from '../components/badges.tsx';
import { HistoryCheckSection } from '../components/checks.tsx';
import { CsvDownload } from '../components/csvDownload.tsx';
import { ASSET_PARAMETER } from '../components/eventFilters.tsx';
import { PositionsMap } from '../components/lazyMap.tsx';
import { Copied, EventsLink, Time, toPage } from '../components/links.tsx';
import { Measurements } from '../components/measurements.tsx';
import { PendingNote } from '../components/pendingNote.tsx';
import { QrDetails } from '../components/qrDetails.tsx';
import { RecordLink } from '../components/recordLink.tsx';
import { ErrorNote, Shown } from '../components/states.tsx';
import { EventTimeline } from '../components/timeline.tsx';
import { TimeSlider } from '../components/timeSlider.tsx';
import { type ComplianceAnswer, fetchVerdicts, VerdictSummary, Verdicts } from '../components/verdicts.tsx';
import { useAddress } from '../state/address.ts';
import { useIsPublic } from '../state/scope.ts';
import { useTitle } from '../state/title.ts';
import { type History, useHistory } from '../state/useHistory.ts';
import { type Loaded, useLoad } from '../state/useLoad.ts';
import { readAttribute, toAssetName, toEventType, uuidOf } from '../text/names.ts';
import { readPosition } from '../text/positions.ts';
import { toLocal } from '../text/times.ts';
import { listAttachments } from '../text/values.ts';

const toMarked = (event: LedgerEvent) => {
  const position = readPosition(event.event_attributes) ?? readPosition(event.asset_attributes);
  const title = `${toEventType(event)}, ${toLocal(event.timestamp_accepted)}`;
  return position === undefined ? [] : [{ ...position, title }];
};

const isUntil = (at: string | undefined) => (event: LedgerEvent) =>
  at === undefined || Date.parse(event.timestamp_accepted) <= Date.parse(at);

interface ShownProps {
  readonly asset: AssetAnswer;
  /** The time that the page shows; undefined: now. */
  readonly at: string | undefined;
  /** Undefined on public pages, since nobody but the tenant sees its policies. */
  readonly verdicts: Loaded<ComplianceAnswer> | undefined;
}

const Head = ({ asset, at, verdicts }: ShownProps) => (
  <header class="record">
    <p class="kind" dir="auto">
      {readAttribute(asset.attributes, 'arc_display_type') || 'Asset'}
    </p>
    <h1 dir="auto">{toAssetName(asset)}</h1>
    <p dir="auto">{readAttribute(asset.attributes, 'arc_description')}</p>
    <p class="facts">
      {verdicts?.value === undefined ? null : <VerdictSummary {...verdicts.value} />}
      <Confirmation status={asset.confirmation_status} />
      {asset.public ? <Badge tone="plain" text="public" /> : null}
      <Copied text={asset.identity} />
      {at === undefined ? null : (
        <span class="past">
          as it was at <Time timestamp={at} />
        </span>
      )}
    </p>
  </header>
);

const EventsDownload = ({ uuid, isPublic }: ShownAsset) => (
  <CsvDownload
    name={`events-${uuid}`}
    fetchPage={async (pageToken, signal) => {
      const { events, next } = await fetchEvents({ uuid, isPublic }, pageToken, signal);
      return { records: events, next };
    }}
  />
);

const Body = ({ asset, at, verdicts, history }: ShownProps & { history: History }) => {
  const isPublic = useIsPublic();
  const attachments = listAttachments(asset.attributes);
  const shown = history.events.filter(isUntil(at));
  const [last] = shown;
  return (
    <div class="columns">
      <section>
        {verdicts === undefined ? null : (
          <>
            <h2>Verdicts</h2>
            <Verdicts loaded={verdicts} />
          </>
        )}
        <PositionsMap positions={shown.toReversed().flatMap(toMarked)} isRoute />
        <Measurements events={shown} />
        <div class="heading">
          <h2>Timeline</h2>
          {isPublic ? null : <RecordLink href={`/${asset.identity}/events/new`} text="New event" right="recorder" />}
        </div>
        <EventTimeline history={history} at={at} />
        <p>
          {isPublic ? null : (
            <EventsLink filters={{ [ASSET_PARAMETER]: asset.identity }}>Filter the events of this asset</EventsLink>
          )}
        </p>
        <EventsDownload uuid={uuidOf(asset.identity)} isPublic={isPublic} />
      </section>
      <section>
        <h2>Attributes</h2>
        <AttributeTable attributes={asset.attributes} {...(last && { changed: last.asset_attributes })} />
        {attachments.length === 0 ? null : (
          <>
            <h2>Attachments</h2>
            <Attachments record={asset.identity} attachments={attachments} />
          </>
        )}
        <HistoryCheckSection uuid={uuidOf(asset.identity)} isPublic={isPublic} />
        <QrDetails path={toPage(asset.identity, asset.public)!} name={uuidOf(asset.identity)} />
      </section>
    </div>
  );
};

export const AssetPage = () => {
  const { uuid = '' } = useRoute().params;
  const isPublic = useIsPublic();
  const at = useAddress().parameters.get('at') ?? undefined;
  const key = `${isPublic} ${uuid} ${at}`;
  const loaded = useLoad(key, (signal) => fetchAsset({ uuid, isPublic }, at, signal));
  const judged = useLoad(key, isPublic ? undefined : (signal) => fetchVerdicts(uuid, at, signal));
  const verdicts = isPublic ? undefined : judged;
  const history = useHistory(uuid, isPublic);
  useTitle(loaded.value === undefined ? 'Asset' : toAssetName(loaded.value));
  return (
    <>
      <Shown loaded={loaded}>{(asset) => <Head asset={asset} at={at} verdicts={verdicts} />}</Shown>
      {loaded.value === undefined ? null : <PendingNote record={loaded.value} onAsk={loaded.reload} />}
      {history.error === undefined ? null : <ErrorNote error={history.error} onRetry={history.reload} />}
      <TimeSlider history={history} at={at} />
      {loaded.value === undefined ? null : <Body asset={loaded.value} at={at} verdicts={verdicts} history={history} />}
    </>
  );
};
