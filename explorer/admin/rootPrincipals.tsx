// The root principals: who has every right in the tenant.
import { useState } from 'preact/hooks';
import type { PrincipalAnswer } from '../api/admin.ts';
import { replaceRootPrincipals } from '../api/adminWrites.ts';
import { ApiError } from '../api/client.ts';
import { claims } from '../api/session.ts';
import { CopyField } from '../components/copyField.tsx';
import { ConfirmationDialog, Dialog } from '../components/dialog.tsx';
import { EntryForm } from '../components/entryForm.tsx';
import { SelectField, TextField } from '../components/fields.tsx';
import { type ListColumn, ListTable } from '../components/listTable.tsx';
import { Said, useSaying } from '../components/said.tsx';
import { Shown } from '../components/states.tsx';
import { useForm } from '../state/useForm.ts';
import type { Loaded } from '../state/useLoad.ts';
import { toPersonName } from '../text/names.ts';

const isSelf = ({ issuer, subject }: PrincipalAnswer): boolean =>
  issuer === claims.value?.issuer && subject === claims.value.subject;

/** Whether an error says that the caller isn't root. */
export const isNotRoot = (error: Error | undefined): boolean => error instanceof ApiError && error.status === 403;

/** What a caller reads who isn't root, and how to become it. */
export const NotRootNote = () => (
  <section class="note">
    <p>
      Only root principals may see who is one. A root principal can add you to the list: send it this issuer and this
      subject, which name you in your token.
    </p>
    <CopyField label="Issuer" text={claims.value?.issuer ?? ''} />
    <CopyField label="Subject" text={claims.value?.subject ?? ''} />
    <p class="hint">
      The operator of the server can also print a token of its own root principal:{' '}
      <code>npm run --silent token -- --tenant NAME</code>
    </p>
  </section>
);

const toEventsPage = ({ issuer, subject }: PrincipalAnswer): string =>
  `/events?${new URLSearchParams({ 'principal_accepted.issuer': issuer, 'principal_accepted.subject': subject })}`;

const toColumns = (onRemove: (principal: PrincipalAnswer) => void): readonly ListColumn<PrincipalAnswer>[] => [
  {
    title: 'Name',
    cell: (principal) => (
      <>
        <bdi>{toPersonName(principal)}</bdi>
        {isSelf(principal) ? ' (you)' : null}
      </>
    ),
    sortBy: toPersonName,
  },
  { title: 'Email', cell: ({ email }) => (email === '' ? null : <bdi>{email}</bdi>), sortBy: ({ email }) => email },
  { title: 'Subject', cell: ({ subject }) => <bdi>{subject}</bdi>, isLong: true },
  { title: 'Issuer', cell: ({ issuer }) => <bdi>{issuer}</bdi>, isLong: true },
  {
    title: 'Actions',
    cell: (principal) => (
      <span class="actions">
        <a href={toEventsPage(principal)}>
          Events<span class="hidden"> that this principal sent</span>
        </a>
        {isSelf(principal) ? (
          <span class="hint">Nobody can remove oneself.</span>
        ) : (
          <button type="button" class="link" onClick={() => onRemove(principal)}>
            Remove
            <span class="hidden">
              {' '}
              <bdi>{toPersonName(principal)}</bdi>
            </span>
          </button>
        )}
      </span>
    ),
  },
];

interface ChangeProps {
  readonly shown: readonly PrincipalAnswer[];
  readonly onClose: () => void;
  readonly onDone: (text: string) => void;
}

const AdditionDialog = ({ shown, onClose, onDone }: ChangeProps) => {
  const form = useForm();
  const issuers = [...new Set(shown.map(({ issuer }) => issuer))];
  const [entries, setEntries] = useState({ issuer: issuers[0]!, subject: '', display_name: '', email: '' });
  const change = (changes: Partial<typeof entries>): void => setEntries({ ...entries, ...changes });
  // The server names the fields of the whole list, in which the new principal is the last.
  const nameOf = (member: string): string => `root_principals/${shown.length}${member}`;
  const send = async (): Promise<void> => {
    await replaceRootPrincipals(shown, [...shown, entries]);
    onDone(`${toPersonName(entries)} is a root principal.`);
  };
  return (
    <Dialog title="New root principal" onClose={onClose} isHeld={form.isSending}>
      <EntryForm
        form={form}
        label="New root principal"
        submit="Add"
        onSubmit={send}
        actions={
          <button type="button" onClick={onClose} disabled={form.isSending}>
            Cancel
          </button>
        }
      >
        <p class="note">It has every right at once, also the one to remove others from this list.</p>
        <SelectField
          name={nameOf('/issuer')}
          label="Issuer"
          hint="Who issues its tokens. The list can’t get other issuers than it has."
          choices={issuers.map((issuer) => [issuer, issuer])}
          value={entries.issuer}
          onValue={(issuer) => change({ issuer })}
        />
        <TextField
          name={nameOf('/subject')}
          label="Subject"
          hint="As in its tokens. The subject of an application is its client id."
          isRequired
          value={entries.subject}
          onValue={(subject) => change({ subject })}
        />
        <TextField
          name={nameOf('/display_name')}
          label="Name"
          value={entries.display_name}
          onValue={(display_name) => change({ display_name })}
        />
        <TextField name={nameOf('/email')} label="Email" value={entries.email} onValue={(email) => change({ email })} />
      </EntryForm>
    </Dialog>
  );
};

const RemovalDialog = ({ shown, removed, onClose, onDone }: ChangeProps & { removed: PrincipalAnswer }) => (
  <ConfirmationDialog
    title={
      <>
        Remove <bdi>{toPersonName(removed)}</bdi>?
      </>
    }
    confirm="Remove"
    onClose={onClose}
    onConfirm={async () => {
      await replaceRootPrincipals(
        shown,
        shown.filter((principal) => principal !== removed),
      );
      onDone(`${toPersonName(removed)} is no root principal any more.`);
    }}
  >
    <p>It loses its rights as a root principal at once. An application keeps its roles.</p>
  </ConfirmationDialog>
);

/** The list, or why the caller can't see it. */
export const RootPrincipalsPart = ({ loaded }: { loaded: Loaded<readonly PrincipalAnswer[]> }) => {
  const [open, setOpen] = useState<'add' | PrincipalAnswer>();
  const saying = useSaying();
  const onDone = (text: string): void => {
    setOpen(undefined);
    saying.say(text);
    loaded.reload();
  };
  const onClose = (): void => {
    setOpen(undefined);
    // What was shown may have been refused because it is not the list any more.
    loaded.reload();
  };
  return (
    <>
      <h1>Root principals</h1>
      <p class="hint">
        A root principal has every right in this tenant: it reads and writes everything, manages applications, subjects
        and policies, and alone sees and changes this list.
      </p>
      <Said saying={saying} />
      {isNotRoot(loaded.error) ? (
        <NotRootNote />
      ) : (
        <Shown loaded={loaded}>
          {(shown) => (
            <>
              <p class="actions">
                <button type="button" onClick={() => setOpen('add')}>
                  Add a root principal
                </button>
              </p>
              <ListTable
                columns={toColumns(setOpen)}
                records={shown}
                keyOf={({ issuer, subject }) => JSON.stringify([issuer, subject])}
              />
              {open === 'add' ? <AdditionDialog shown={shown} onClose={onClose} onDone={onDone} /> : null}
              {open === undefined || open === 'add' ? null : (
                <RemovalDialog shown={shown} removed={open} onClose={onClose} onDone={onDone} />
              )}
            </>
          )}
        </Shown>
      )}
    </>
  );
};
