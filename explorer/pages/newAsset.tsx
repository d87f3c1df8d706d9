// Creates an asset.
import { useLocation } from 'preact-iso';
import type { SentFile } from '../api/uploads.ts';
import { submitAsset } from '../api/writes.ts';
import { AttributeRows } from '../components/attributeRows.tsx';
import { BehaviourChoice } from '../components/behaviourChoice.tsx';
import { DraftNote } from '../components/draftNote.tsx';
import { EntryForm } from '../components/entryForm.tsx';
import { CheckField, TextAreaField, TextField } from '../components/fields.tsx';
import { FileChoice, useFiles } from '../components/fileChoice.tsx';
import { LocationChoice } from '../components/locationChoice.tsx';
import { findMissingRight } from '../state/rights.ts';
import { useTitle } from '../state/title.ts';
import { useDraft } from '../state/useDraft.ts';
import { assertEntries, useForm } from '../state/useForm.ts';
import { USUAL_BEHAVIOURS } from '../text/behaviours.ts';
import {
  type AttributeRow,
  findLongText,
  findWrongRows,
  toAttachment,
  toAttributeMap,
  toFreeNames,
} from '../text/entries.ts';

const FIXED = [
  'arc_display_name',
  'arc_display_type',
  'arc_description',
  'arc_serial_number',
  'arc_home_location_identity',
] as const;

type FixedName = (typeof FIXED)[number];

interface Entries extends Readonly<Record<FixedName, string>> {
  readonly isPublic: boolean;
  readonly behaviours: readonly string[];
  readonly rows: readonly AttributeRow[];
}

const EMPTY: Entries = {
  arc_display_name: '',
  arc_display_type: '',
  arc_description: '',
  arc_serial_number: '',
  arc_home_location_identity: '',
  isPublic: false,
  behaviours: USUAL_BEHAVIOURS,
  rows: [],
};

const FILES = 'files';
const PRIMARY = 'arc_primary_image';
const PICTURE = /^image\/(?:png|jpeg|gif|webp)$/;

const findWrong = (entries: Entries) => [
  ...(entries.arc_display_name === '' ? [{ field: 'attributes/arc_display_name', description: 'is missing' }] : []),
  ...FIXED.flatMap((name) => findLongText(`attributes/${name}`, entries[name])),
  ...findWrongRows('attributes', entries.rows, FIXED),
];

// The first picture is the one that the asset is shown with; others have the names of their files.
const toAttachments = (sent: readonly SentFile[], taken: readonly string[]) => {
  const first = taken.includes(PRIMARY) ? -1 : sent.findIndex(({ blob }) => PICTURE.test(blob.mime_type));
  const names = toFreeNames(
    sent.map(({ name }, at) => (at === first ? PRIMARY : name)),
    taken,
  );
  return Object.fromEntries(sent.map(({ name, blob }, at) => [names[at]!, toAttachment(blob, name)]));
};

const toBody = (entries: Entries, sent: readonly SentFile[]) => {
  const own = toAttributeMap(Object.fromEntries(FIXED.map((name) => [name, entries[name]])), entries.rows);
  const attributes = { ...own, ...toAttachments(sent, Object.keys(own)) };
  return { attributes, public: entries.isPublic, behaviours: [...entries.behaviours] };
};

const Identification = ({ entries, change }: { entries: Entries; change: (changes: Partial<Entries>) => void }) => (
  <>
    <TextField
      name="attributes/arc_display_name"
      label="Name"
      isRequired
      value={entries.arc_display_name}
      onValue={(arc_display_name) => change({ arc_display_name })}
    />
    <TextField
      name="attributes/arc_display_type"
      label="Type"
      hint="Policies and lists select assets by it: Container, for example."
      value={entries.arc_display_type}
      onValue={(arc_display_type) => change({ arc_display_type })}
    />
    <TextAreaField
      name="attributes/arc_description"
      label="Description"
      value={entries.arc_description}
      onValue={(arc_description) => change({ arc_description })}
    />
    <TextField
      name="attributes/arc_serial_number"
      label="Serial number"
      value={entries.arc_serial_number}
      onValue={(arc_serial_number) => change({ arc_serial_number })}
    />
    <LocationChoice
      name="attributes/arc_home_location_identity"
      label="Home location"
      value={entries.arc_home_location_identity}
      onValue={(arc_home_location_identity) => change({ arc_home_location_identity })}
    />
  </>
);

const NewAssetForm = () => {
  useTitle('New asset');
  const { route } = useLocation();
  const form = useForm();
  const draft = useDraft('asset', EMPTY);
  const files = useFiles();
  const { entries, change } = draft;
  const create = async (): Promise<void> => {
    assertEntries(findWrong(entries));
    const body = toBody(entries, await files.upload(FILES, draft.key));
    const { identity } = await draft.record((key) => submitAsset(body, key));
    route(`/${identity}`);
  };
  return (
    <>
      <h1>New asset</h1>
      <p>An asset is a thing whose history is recorded. What is recorded stays; later events can set its attributes.</p>
      <DraftNote draft={draft} />
      <EntryForm
        form={form}
        label="New asset"
        submit="Create the asset"
        onSubmit={create}
        blocked={findMissingRight('writer')}
      >
        <Identification entries={entries} change={change} />
        <AttributeRows
          map="attributes"
          title="Further attributes"
          hint="Anything else that is known of it."
          rows={entries.rows}
          taken={FIXED}
          onRows={(rows) => change({ rows })}
        />
        <FileChoice
          name={FILES}
          label="Attachments"
          hint="The first picture becomes the one that the asset is shown with."
          chosen={files}
        />
        <BehaviourChoice chosen={entries.behaviours} onChoose={(behaviours) => change({ behaviours })} />
        <CheckField
          name="public"
          label="Public"
          hint="Anybody can read the asset, its events and its attachments, without a token. This never changes."
          isChecked={entries.isPublic}
          onCheck={(isPublic) => change({ isPublic })}
        />
      </EntryForm>
    </>
  );
};

export default NewAssetForm;
