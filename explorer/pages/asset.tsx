// One asset: what it is, or was at a time; what happened to it; where it has been; whether it complies.
import { useRef } from 'preact/hooks';
import { useRoute } from 'preact-iso';
import { ApiError, type AssetAnswer } from '../api/client.ts';
import { fetchAsset, fetchEvents, type ShownAsset } from '../api/reads.ts';
import { Attachments } from '../components/attachments.tsx';
import { AttributeTable } from '../components/attributes.tsx';
import { Badge, Confirmation } from '../components/badges.tsx';
import { HistoryCheckSection } from '../components/checks.tsx';
import { CsvDownload } from '../components/csvDownload.tsx';
import { ASSET_PARAMETER } from '../components/eventFilters.tsx';
import { FormLink } from '../components/formLink.tsx';
import { PositionsMap } from '../components/lazyMap.tsx';
import { Copied, EventsLink, Time, toPage } from '../components/links.tsx';
import { Measurements } from '../components/measurements.tsx';
import { PendingNote } from '../components/pendingNote.tsx';
import { QrDetails } from '../components/qrDetails.tsx';
import { ErrorNote, Shown } from '../components/states.tsx';
import { EventTimeline } from '../components/timeline.tsx';
import { TimeSlider } from '../components/timeSlider.tsx';
import { type ComplianceAnswer, fetchVerdicts, VerdictSummary, Verdicts } from '../components/verdicts.tsx';
import { useAddress } from '../state/address.ts';
import { useIsPublic } from '../state/scope.ts';
import { useTitle } from '../state/title.ts';
import { type History, useHistory } from '../state/useHistory.ts';
import { type Loaded, useLoad } from '../state/useLoad.ts';
import { type Past, usePast } from '../state/usePast.ts';
import { isRfc3339 } from '../text/filters.ts';
import { toMarkedEvents } from '../text/markedEvents.ts';
import { readAttribute, toAssetName, uuidOf } from '../text/names.ts';
import { listAttachments } from '../text/values.ts';

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
          as it was recorded at <Time timestamp={at} />
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

const Body = ({ asset, at, verdicts, history, past }: ShownProps & { history: History; past: Past }) => {
  const isPublic = useIsPublic();
  const attachments = listAttachments(asset.attributes);
  const [last] = past.events;
  return (
    <div class="columns">
      <section>
        {verdicts === undefined ? null : (
          <>
            <h2>Verdicts</h2>
            <Verdicts loaded={verdicts} />
          </>
        )}
        <PositionsMap positions={past.events.toReversed().flatMap(toMarkedEvents)} isRoute />
        <Measurements events={past.events} />
        {past.isCut ? (
          <p class="hint">
            Positions and values are those of the newest {past.events.length} events
            {at === undefined ? '' : ' until then'}.
          </p>
        ) : null}
        <div class="heading">
          <h2>
            Timeline <small>{history.total?.toLocaleString()}</small>
          </h2>
          {isPublic ? null : <FormLink href={`/${asset.identity}/events/new`} text="New event" right="recorder" />}
        </div>
        <EventTimeline history={history} at={at} step={past.step} />
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
            <h2>
              Attachments <small>{attachments.length.toLocaleString()}</small>
            </h2>
            <Attachments record={asset.identity} attachments={attachments} />
          </>
        )}
        <HistoryCheckSection uuid={uuidOf(asset.identity)} isPublic={isPublic} />
        <QrDetails path={toPage(asset.identity, asset.public)!} name={uuidOf(asset.identity)} />
      </section>
    </div>
  );
};

// The asset as it was at a time; until it is there, as it was at the last one, so that the timeline stays where it is.
const useShown = (key: string, { value, error }: Loaded<AssetAnswer>, at: string | undefined) => {
  const last = useRef<{ key: string; asset: AssetAnswer; at: string | undefined } | undefined>(undefined);
  if (value !== undefined || error !== undefined || last.current?.key !== key)
    last.current = value === undefined ? undefined : { key, asset: value, at };
  return last.current;
};

const NoTime = ({ text }: { text: string }) => (
  <p class="note failure" role="alert">
    “<span dir="auto">{text}</span>” in the address (<code>at</code>) is no time, so the asset is shown as it is now. A
    time is written as 2026-01-31T12:00:00Z.
  </p>
);

const NotYet = ({ uuid, at }: { uuid: string; at: string }) => (
  <div class="note" role="alert">
    <p>
      The ledger didn’t have this asset yet at <Time timestamp={at} />. The slider goes by when records were accepted;
      what they say of earlier days was recorded later.
    </p>
    {useIsPublic() ? null : (
      <EventsLink filters={{ [ASSET_PARAMETER]: `assets/${uuid}`, timestamp_declared_before: at }}>
        What is declared for the time before
      </EventsLink>
    )}{' '}
    <a href={useAddress().toLink({ at: undefined })}>The asset as it is now</a>
  </div>
);

// Whether the error is that of an asset which the ledger has had only since a later time.
const isNotYet = ({ error }: Loaded<AssetAnswer>, { total = 0 }: History): boolean =>
  error instanceof ApiError && error.code === 'ASSET_NOT_FOUND' && total > 0;

export const AssetPage = () => {
  const { uuid = '' } = useRoute().params;
  const isPublic = useIsPublic();
  const given = useAddress().parameters.get('at') ?? undefined;
  const at = given !== undefined && isRfc3339(given) ? given : undefined;
  const key = `${isPublic} ${uuid} ${at}`;
  const loaded = useLoad(key, (signal) => fetchAsset({ uuid, isPublic }, at, signal));
  const judged = useLoad(key, isPublic ? undefined : (signal) => fetchVerdicts(uuid, at, signal));
  const verdicts = isPublic ? undefined : judged;
  const history = useHistory(uuid, isPublic);
  const past = usePast({ uuid, isPublic }, history, at);
  useTitle(loaded.value === undefined ? 'Asset' : toAssetName(loaded.value));
  const shown = useShown(`${isPublic} ${uuid}`, loaded, at);
  return (
    <>
      {given === at ? null : <NoTime text={given!} />}
      {at !== undefined && isNotYet(loaded, history) ? (
        <>
          <h1>Asset</h1>
          <NotYet uuid={uuid} at={at} />
        </>
      ) : (
        <Shown loaded={{ ...loaded, value: shown }} heading="Asset">
          {(known) => <Head {...known} verdicts={verdicts} />}
        </Shown>
      )}
      {shown === undefined ? null : <PendingNote record={shown.asset} onAsk={loaded.reload} />}
      {history.error === undefined ? null : <ErrorNote error={history.error} onRetry={history.reload} />}
      <TimeSlider history={history} at={at} step={past.step} />
      {shown === undefined ? null : (
        <Body asset={shown.asset} at={at} verdicts={verdicts} history={history} past={past} />
      )}
    </>
  );
};
