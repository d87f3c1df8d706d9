// The applications: which of them may write, and their secrets.
import { useState } from 'preact/hooks';
import { type ApplicationAnswer, fetchApplications, type PrincipalAnswer, READ_AT_ONCE } from '../api/admin.ts';
import {
  type ApplicationEntries,
  changeApplication,
  removeApplication,
  replaceSecret,
  submitApplication,
} from '../api/adminWrites.ts';
import { ApiError } from '../api/client.ts';
import { CsvDownload } from '../components/csvDownload.tsx';
import { ConfirmationDialog } from '../components/dialog.tsx';
import { Copied, Time } from '../components/links.tsx';
import { type ListColumn, ListTable } from '../components/listTable.tsx';
import { Pager } from '../components/pager.tsx';
import { Said, useSaying } from '../components/said.tsx';
import { Empty, Shown } from '../components/states.tsx';
import { useAddress } from '../state/address.ts';
import { useLoad } from '../state/useLoad.ts';
import { ApplicationDialog } from './applicationForm.tsx';
import { NameFilter } from './nameFilter.tsx';
import { Remaining } from './remaining.tsx';
import { isWriting, RoleBadges, WritingBadge } from './roles.tsx';
import { SecretNote } from './secretNote.tsx';

const PAGE = 50;

type Task = 'change' | 'regenerate' | 'delete';

/** What the reader is about to do; undefined application: create one. */
interface Open {
  readonly task: Task | 'create';
  readonly application?: ApplicationAnswer;
}

const TASKS: readonly (readonly [Task, string])[] = [
  ['change', 'Change'],
  ['regenerate', 'New secret'],
  ['delete', 'Delete'],
];

const toEventsPage = ({ client_id }: ApplicationAnswer): string =>
  `/events?${new URLSearchParams({ 'principal_accepted.subject': client_id })}`;

const Actions = ({ application, onOpen }: { application: ApplicationAnswer; onOpen: (open: Open) => void }) => (
  <span class="actions">
    <a href={toEventsPage(application)}>
      Events<span class="hidden"> of this application</span>
    </a>
    {TASKS.map(([task, text]) => (
      <button key={task} type="button" class="link" onClick={() => onOpen({ task, application })}>
        {text}
        <span class="hidden">
          {' '}
          of <bdi>{application.display_name}</bdi>
        </span>
      </button>
    ))}
  </span>
);

const toColumns = (
  rootSubjects: ReadonlySet<string>,
  onOpen: (open: Open) => void,
): readonly ListColumn<ApplicationAnswer>[] => [
  { title: 'Name', cell: ({ display_name }) => <bdi>{display_name}</bdi>, sortBy: ({ display_name }) => display_name },
  {
    title: 'May write',
    cell: ({ roles, client_id }) => <WritingBadge roles={roles} isRoot={rootSubjects.has(client_id)} />,
    sortBy: ({ roles, client_id }) => Number(!(isWriting(roles) || rootSubjects.has(client_id))),
  },
  {
    title: 'Roles',
    cell: ({ roles, client_id }) => <RoleBadges roles={roles} isRoot={rootSubjects.has(client_id)} />,
    sortBy: ({ roles }) => roles.join(),
  },
  {
    title: 'Claims',
    cell: ({ custom_claims }) =>
      Object.entries(custom_claims).map(([name, value]) => (
        <div key={name}>
          <bdi>{name}</bdi> = <bdi>{value}</bdi>
        </div>
      )),
    isLong: true,
  },
  { title: 'Client id', cell: ({ client_id }) => <Copied text={client_id} /> },
  {
    title: 'Secret since',
    cell: ({ credentials }) => <Time timestamp={credentials[0]!.valid_from} />,
    sortBy: ({ credentials }) => credentials[0]!.valid_from,
  },
  { title: 'Actions', cell: (application) => <Actions application={application} onOpen={onOpen} /> },
];

interface TaskDialogProps {
  readonly open: Open;
  readonly onClose: () => void;
  /** Called when it is done. `secret`: the application with a secret to show. */
  readonly onDone: (text: string, secret?: ApplicationAnswer) => void;
}

const RegenerateDialog = ({ open, onClose, onDone }: TaskDialogProps) => {
  const { client_id, display_name } = open.application!;
  return (
    <ConfirmationDialog
      title={
        <>
          Replace the secret of <bdi>{display_name}</bdi>?
        </>
      }
      confirm="Replace the secret"
      onClose={onClose}
      onConfirm={async () => onDone(`${display_name} has a new secret.`, await replaceSecret(client_id))}
    >
      <p>The old secret and its tokens stop working at once. The new secret is shown once.</p>
    </ConfirmationDialog>
  );
};

const DeletionDialog = ({ open, onClose, onDone }: TaskDialogProps) => {
  const { client_id, display_name } = open.application!;
  return (
    <ConfirmationDialog
      title={
        <>
          Delete <bdi>{display_name}</bdi>?
        </>
      }
      confirm="Delete the application"
      onClose={onClose}
      onConfirm={async () => {
        await removeApplication(client_id);
        onDone(`${display_name} is deleted.`);
      }}
    >
      <p>Its secret and its tokens stop working at once. What it has recorded stays.</p>
    </ConfirmationDialog>
  );
};

const LOST = new ApiError(
  0,
  'UNREACHABLE',
  'No answer came, but the application may have been created. Close this window and look for it in the list: without ' +
    'its secret it is of no use, so give it a new one, or delete it.',
);

// Only the answer has the secret, so that a request can't be repeated.
const createOnce = async (entries: ApplicationEntries): Promise<ApplicationAnswer> => {
  try {
    return await submitApplication(entries);
  } catch (error) {
    throw error instanceof ApiError && error.status === 0 ? LOST : error;
  }
};

const EntriesDialog = ({ open: { application }, onClose, onDone }: TaskDialogProps) => {
  const send = async (entries: ApplicationEntries): Promise<void> => {
    if (application === undefined) {
      onDone(`${entries.display_name} is created.`, await createOnce(entries));
    } else {
      await changeApplication(application, entries);
      onDone(`${entries.display_name} is changed.`);
    }
  };
  return <ApplicationDialog application={application} onSend={send} onClose={onClose} />;
};

const DIALOGS = { create: EntriesDialog, change: EntriesDialog, regenerate: RegenerateDialog, delete: DeletionDialog };

/** The list of applications. `roots`: the root principals, as far as the caller may know them. */
export const ApplicationsPart = ({ roots }: { roots: readonly PrincipalAnswer[] }) => {
  const { parameters } = useAddress();
  const [pageToken, name] = [parameters.get('page_token') ?? '', parameters.get('display_name') ?? ''];
  const loaded = useLoad(JSON.stringify([pageToken, name]), (signal) =>
    fetchApplications({ pageToken, name, size: PAGE }, signal),
  );
  const [open, setOpen] = useState<Open>();
  const [secrets, setSecrets] = useState<readonly ApplicationAnswer[]>([]);
  const [round, setRound] = useState(0);
  const saying = useSaying();
  const forget = (clientId: string): void =>
    setSecrets((shown) => shown.filter(({ client_id }) => client_id !== clientId));
  const reload = (): void => {
    setOpen(undefined);
    setRound(round + 1);
    loaded.reload();
  };
  const onDone: TaskDialogProps['onDone'] = (text, secret) => {
    saying.say(text);
    if (open?.task === 'delete') forget(open.application!.client_id);
    if (secret !== undefined)
      setSecrets((shown) => [secret, ...shown.filter(({ client_id }) => client_id !== secret.client_id)]);
    reload();
  };
  const TaskDialog = open && DIALOGS[open.task];
  return (
    <>
      <h1>Applications</h1>
      <p class="hint">Programs that call this ledger with a client id and a secret, and what each of them may do.</p>
      <Said saying={saying} />
      {secrets.map((each) => (
        <SecretNote key={each.client_id} application={each} onKept={() => forget(each.client_id)} />
      ))}
      <p class="actions">
        <button type="button" onClick={() => setOpen({ task: 'create' })}>
          New application
        </button>
      </p>
      <NameFilter />
      <Shown loaded={loaded}>
        {({ records, next }) => (
          <>
            {records.length === 0 ? (
              <Empty>No application is here.</Empty>
            ) : (
              <ListTable
                columns={toColumns(new Set(roots.map(({ subject }) => subject)), setOpen)}
                records={records}
                keyOf={({ identity }) => identity}
                hasMore={next !== ''}
              />
            )}
            <Pager next={next} />
            <Remaining service="applications" title="applications" round={round} />
            {records.length === 0 ? null : (
              <CsvDownload
                name="applications"
                fetchPage={(from, signal) => fetchApplications({ pageToken: from, name, size: READ_AT_ONCE }, signal)}
              />
            )}
          </>
        )}
      </Shown>
      {TaskDialog === undefined ? null : <TaskDialog open={open!} onClose={reload} onDone={onDone} />}
    </>
  );
};
