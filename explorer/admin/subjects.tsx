// The subjects: other organisations by their public keys, and this tenant as others see it.
import { useState } from 'preact/hooks';
import { fetchSubject, fetchSubjects, OWN_SUBJECT, READ_AT_ONCE, type SubjectAnswer } from '../api/admin.ts';
import { changeSubject, removeSubject, type SubjectEntries, submitSubject } from '../api/adminWrites.ts';
import { Badge, Confirmation } from '../components/badges.tsx';
import { CopyField } from '../components/copyField.tsx';
import { CsvDownload } from '../components/csvDownload.tsx';
import { ConfirmationDialog } from '../components/dialog.tsx';
import { Copied } from '../components/links.tsx';
import { type ListColumn, ListTable } from '../components/listTable.tsx';
import { Pager } from '../components/pager.tsx';
import { Said, useSaying } from '../components/said.tsx';
import { Empty, Shown } from '../components/states.tsx';
import { useAddress } from '../state/address.ts';
import { saveFile } from '../state/saveFile.ts';
import { newKey } from '../state/useDraft.ts';
import { useLoad } from '../state/useLoad.ts';
import { uuidOf } from '../text/names.ts';
import { NameFilter } from './nameFilter.tsx';
import { SubjectDialog } from './subjectForm.tsx';

/** Each of them is read, too: only that says whether it is ambiguous. */
const PAGE = 25;

/** What the reader is about to do; undefined subject: create one. */
interface Open {
  readonly task: 'create' | 'change' | 'delete';
  readonly subject?: SubjectAnswer;
}

/** This tenant's own subject, to send to others. */
const OwnSubject = () => {
  const loaded = useLoad('own subject', (signal) => fetchSubject(OWN_SUBJECT, signal));
  return (
    <section class="card">
      <h2>This tenant, for other organisations</h2>
      <p class="hint">
        Send this to an organisation that wants to share records with you. It contains no secret: the public key with
        which this server signs your records.
      </p>
      <Shown loaded={loaded}>
        {(subject) => (
          <>
            <CopyField label="Your own subject" text={JSON.stringify(subject)} />
            <p class="actions">
              <button
                type="button"
                onClick={() =>
                  saveFile(new Blob([JSON.stringify(subject, null, 2)], { type: 'application/json' }), 'subject.json')
                }
              >
                Save as file
              </button>
            </p>
          </>
        )}
      </Shown>
    </section>
  );
};

/** Whether the ledger has the subject, and whether its keys lead to several tenants. */
const SubjectState = ({ subject }: { subject: SubjectAnswer }) => {
  const { identity, confirmation_status, failure_reason } = subject;
  const read = useLoad(JSON.stringify(subject), (signal) => fetchSubject(uuidOf(identity), signal));
  return (
    <span class="badges">
      <Confirmation status={confirmation_status} />
      {failure_reason === undefined ? null : <span class="hint">{failure_reason}</span>}
      {read.value?.ambiguous === true ? (
        <>
          <Badge tone="bad" text="ambiguous" />
          <span class="hint">Its keys lead to several tenants, so it grants nothing.</span>
        </>
      ) : null}
      {read.error === undefined ? null : <span class="hint">{read.error.message}</span>}
    </span>
  );
};

const Actions = ({ subject, onOpen }: { subject: SubjectAnswer; onOpen: (open: Open) => void }) => (
  <span class="actions">
    {(['change', 'delete'] as const).map((task) => (
      <button key={task} type="button" class="link" onClick={() => onOpen({ task, subject })}>
        {task === 'change' ? 'Change' : 'Delete'}
        <span class="hidden">
          {' '}
          <bdi>{subject.display_name}</bdi>
        </span>
      </button>
    ))}
  </span>
);

const toColumns = (onOpen: (open: Open) => void): readonly ListColumn<SubjectAnswer>[] => [
  { title: 'Name', cell: ({ display_name }) => <bdi>{display_name}</bdi>, sortBy: ({ display_name }) => display_name },
  { title: 'State', cell: (subject) => <SubjectState subject={subject} /> },
  {
    title: 'Wallets',
    cell: ({ wallet_address }) => (
      <span class="badges">
        {wallet_address.map((address) => (
          <Copied key={address} text={address} />
        ))}
      </span>
    ),
  },
  { title: 'Identity', cell: ({ identity }) => <Copied text={identity} /> },
  { title: 'Actions', cell: (subject) => <Actions subject={subject} onOpen={onOpen} /> },
];

interface TaskDialogProps {
  readonly open: Open;
  readonly onClose: () => void;
  readonly onDone: (text: string) => void;
}

const EntriesDialog = ({ open: { subject }, onClose, onDone }: TaskDialogProps) => {
  // The same form always sends the same key, so that a repeated request creates one subject.
  const [key] = useState(newKey);
  const send = async (entries: SubjectEntries): Promise<void> => {
    if (subject === undefined) await submitSubject(entries, key);
    else await changeSubject(subject, entries);
    onDone(`${entries.display_name} is ${subject === undefined ? 'created' : 'changed'}.`);
  };
  return <SubjectDialog subject={subject} onSend={send} onClose={onClose} />;
};

const DeletionDialog = ({ open, onClose, onDone }: TaskDialogProps) => {
  const { identity, display_name } = open.subject!;
  return (
    <ConfirmationDialog
      title={
        <>
          Delete <bdi>{display_name}</bdi>?
        </>
      }
      confirm="Delete the subject"
      onClose={onClose}
      onConfirm={async () => {
        await removeSubject(uuidOf(identity));
        onDone(`${display_name} is deleted.`);
      }}
    >
      <p>Access policies that name it grant its tenant nothing any more, from the next request on.</p>
    </ConfirmationDialog>
  );
};

/** The list of subjects. */
export const SubjectsPart = () => {
  const { parameters } = useAddress();
  const [pageToken, name] = [parameters.get('page_token') ?? '', parameters.get('display_name') ?? ''];
  const loaded = useLoad(JSON.stringify([pageToken, name]), (signal) =>
    fetchSubjects({ pageToken, name, size: PAGE }, signal),
  );
  const [open, setOpen] = useState<Open>();
  const saying = useSaying();
  const onDone = (text: string): void => {
    setOpen(undefined);
    saying.say(text);
    loaded.reload();
  };
  const TaskDialog = open?.task === 'delete' ? DeletionDialog : EntriesDialog;
  return (
    <>
      <h1>Subjects</h1>
      <p class="hint">
        Other organisations, by the public keys with which they sign their records. Access policies name them.
      </p>
      <Said saying={saying} />
      <OwnSubject />
      <p class="actions">
        <button type="button" onClick={() => setOpen({ task: 'create' })}>
          New subject
        </button>
      </p>
      <NameFilter />
      <Shown loaded={loaded}>
        {({ records, next }) => (
          <>
            {records.length === 0 ? <Empty>No subject is here.</Empty> : null}
            {records.length === 0 ? null : (
              <ListTable
                columns={toColumns(setOpen)}
                records={records}
                keyOf={({ identity }) => identity}
                hasMore={next !== ''}
              />
            )}
            <Pager next={next} />
            {records.length === 0 ? null : (
              <CsvDownload
                name="subjects"
                fetchPage={(from, signal) => fetchSubjects({ pageToken: from, name, size: READ_AT_ONCE }, signal)}
              />
            )}
          </>
        )}
      </Shown>
      {open === undefined ? null : <TaskDialog open={open} onClose={() => setOpen(undefined)} onDone={onDone} />}
    </>
  );
};
