// Records an event of an asset.
import { useLocation, useRoute } from 'preact-iso';
import type { AssetAnswer } from '../api/client.ts';
import { fetchAsset } from '../api/reads.ts';
import { submitEvent } from '../api/writes.ts';
import { AttributeRows } from '../components/attributeRows.tsx';
import { DraftNote } from '../components/draftNote.tsx';
import { EntryForm } from '../components/entryForm.tsx';
import { EventPlace, EventTexts } from '../components/eventFields.tsx';
import { SelectField } from '../components/fields.tsx';
import { FileChoice, useFiles } from '../components/fileChoice.tsx';
import { NamedLink } from '../components/namedLink.tsx';
import { Shown } from '../components/states.tsx';
import { findMissingRight } from '../state/rights.ts';
import { useTitle } from '../state/title.ts';
import { type Draft, useDraft } from '../state/useDraft.ts';
import { assertEntries, useForm } from '../state/useForm.ts';
import { useLoad } from '../state/useLoad.ts';
import { listOperations, type Operation } from '../text/behaviours.ts';
import {
  EVENT_NAMES,
  type EventFormEntries,
  findWrongEvent,
  toEventRequest,
  toFilesField,
} from '../text/eventEntries.ts';
import { uuidOf } from '../text/names.ts';

const EMPTY: EventFormEntries = {
  operation: '',
  type: '',
  description: '',
  correlation: '',
  latitude: '',
  longitude: '',
  declaredAt: '',
  firmware: '',
  location: '',
  behaviour: '',
  ofEvent: [],
  ofAsset: [],
};

const toKey = ({ behaviour, operation }: Operation): string => `${behaviour}/${operation}`;

const Attributes = ({ entries, change }: Pick<Draft<EventFormEntries>, 'entries' | 'change'>) => (
  <>
    <AttributeRows
      map="asset_attributes"
      title="Attributes that it sets on the asset"
      hint="The asset has these values from now on: temperature, for example."
      rows={entries.ofAsset}
      taken={['arc_firmware_version', 'arc_home_location_identity']}
      onRows={(ofAsset) => change({ ofAsset })}
    />
    <AttributeRows
      map="event_attributes"
      title="Further attributes of the event"
      hint="Anything else that is known of what happened."
      rows={entries.ofEvent}
      taken={EVENT_NAMES}
      onRows={(ofEvent) => change({ ofEvent })}
    />
  </>
);

const EventForm = ({ asset, operations }: { asset: AssetAnswer; operations: readonly Operation[] }) => {
  const { route } = useLocation();
  const form = useForm();
  const draft = useDraft(`event ${asset.identity}`, EMPTY);
  const files = useFiles();
  const { entries, change } = draft;
  const operation = operations.find((each) => toKey(each) === entries.operation) ?? operations[0]!;
  const filesField = toFilesField(operation);
  const send = async (): Promise<void> => {
    assertEntries(findWrongEvent(entries, operation));
    const body = toEventRequest(entries, operation, await files.upload(filesField, draft.key));
    const event = await draft.record((key) => submitEvent(uuidOf(asset.identity), body, key));
    route(`/${event.identity}`);
  };
  return (
    <>
      <DraftNote draft={draft} />
      <EntryForm
        form={form}
        label="New event"
        submit="Record the event"
        onSubmit={send}
        blocked={findMissingRight('recorder')}
      >
        <SelectField
          name="operation"
          label="Kind of event"
          hint="What the asset’s behaviours allow."
          value={toKey(operation)}
          onValue={(chosen) => change({ operation: chosen })}
          choices={operations.map((each) => [toKey(each), each.title] as const)}
        />
        <EventTexts entries={entries} change={change} operation={operation} />
        <Attributes entries={entries} change={change} />
        <EventPlace entries={entries} change={change} />
        <FileChoice
          name={filesField}
          label="Attachments"
          hint={
            operation.needs === 'files' ? 'They are appended to the asset’s list.' : 'They are attached to the event.'
          }
          chosen={files}
          isRequired={operation.needs === 'files'}
        />
      </EntryForm>
    </>
  );
};

const NewEventForm = () => {
  useTitle('New event');
  const { uuid = '' } = useRoute().params;
  const loaded = useLoad(uuid, (signal) => fetchAsset({ uuid, isPublic: false }, undefined, signal));
  return (
    <>
      <h1>New event</h1>
      <Shown loaded={loaded}>
        {(asset) => (
          <>
            <p>
              Of <NamedLink identity={asset.identity} />. What is recorded stays.
            </p>
            <EventForm
              key={asset.identity}
              asset={asset}
              operations={listOperations(asset.behaviours, asset.tracked === 'TRACKED')}
            />
          </>
        )}
      </Shown>
    </>
  );
};

export default NewEventForm;
