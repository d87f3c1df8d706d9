// The form of a subject: another organisation by its public keys, as it sends them.
import { useState } from 'preact/hooks';
import type { SubjectAnswer } from '../api/admin.ts';
import type { SubjectEntries } from '../api/adminWrites.ts';
import { Dialog } from '../components/dialog.tsx';
import { EntryForm } from '../components/entryForm.tsx';
import { FileField, TextAreaField, TextField } from '../components/fields.tsx';
import { assertEntries, useForm } from '../state/useForm.ts';
import { EMPTY_SUBJECT, parseSubject, type SubjectText, toTextLines } from '../text/subjects.ts';

const toText = (subject: SubjectAnswer): SubjectText => ({
  name: subject.display_name,
  walletKeys: subject.wallet_pub_key.join('\n'),
  walletAddresses: '',
  tesseraKeys: subject.tessera_pub_key.join('\n'),
});

const toEntries = ({ name, walletKeys, walletAddresses, tesseraKeys }: SubjectText): SubjectEntries => ({
  display_name: name,
  wallet_pub_key: toTextLines(walletKeys),
  ...(walletAddresses.trim() === '' ? {} : { wallet_address: toTextLines(walletAddresses) }),
  tessera_pub_key: toTextLines(tesseraKeys),
});

const NO_SUBJECT = 'This is no subject: it should be JSON with wallet_pub_key, or its base64 text.';
/** A subject is some kilobytes; another file is not worth reading. */
const FILE_BYTES_MAX = 1_000_000;

const Import = ({ onSubject }: { onSubject: (text: SubjectText) => void }) => {
  const [pasted, setPasted] = useState('');
  const [wrong, setWrong] = useState('');
  const take = (text: string): void => {
    setPasted(text);
    const subject = parseSubject(text);
    setWrong(subject === undefined && text.trim() !== '' ? NO_SUBJECT : '');
    if (subject !== undefined) onSubject(subject);
  };
  const takeFile = async ([file]: readonly File[]): Promise<void> => {
    if (file !== undefined) take(file.size > FILE_BYTES_MAX ? file.name : await file.text());
  };
  return (
    <fieldset>
      <legend>From the other organisation</legend>
      <TextAreaField
        name="import"
        label="What it has sent"
        hint="Its own subject, as JSON or base64: it fills the fields below. Make sure that it comes from there."
        value={pasted}
        onValue={take}
      />
      <FileField name="import-file" label="Or its file" accept=".json,.txt" onFiles={takeFile} />
      <p class="wrong" role="status">
        {wrong}
      </p>
    </fieldset>
  );
};

const NewFields = ({ text, change }: { text: SubjectText; change: (changes: Partial<SubjectText>) => void }) => (
  <>
    <Import onSubject={(subject) => change({ ...subject, name: subject.name || text.name })} />
    <KeyFields text={text} change={change} />
    <TextAreaField
      name="wallet_address"
      label="Addresses of the keys"
      hint="In the order of the keys, one on each line: others than those of the keys are refused. May be empty."
      rows={2}
      value={text.walletAddresses}
      onValue={(walletAddresses) => change({ walletAddresses })}
    />
  </>
);

const KeyFields = ({ text, change }: { text: SubjectText; change: (changes: Partial<SubjectText>) => void }) => (
  <>
    <TextField
      name="display_name"
      label="Name"
      hint="What you call it; nobody else sees it. At most 128 characters."
      isRequired
      value={text.name}
      onValue={(name) => change({ name })}
    />
    <TextAreaField
      name="wallet_pub_key"
      label="Public keys of its wallets"
      hint="Uncompressed, in hexadecimal, one on each line."
      isRequired
      value={text.walletKeys}
      onValue={(walletKeys) => change({ walletKeys })}
    />
    <TextAreaField
      name="tessera_pub_key"
      label="Other public keys"
      hint="Tessera keys of existing clients, one on each line. They are kept and mean nothing here."
      rows={2}
      value={text.tesseraKeys}
      onValue={(tesseraKeys) => change({ tesseraKeys })}
    />
  </>
);

interface SubjectDialogProps {
  /** The subject to change; undefined for a new one. */
  readonly subject: SubjectAnswer | undefined;
  readonly onSend: (entries: SubjectEntries) => Promise<void>;
  readonly onClose: () => void;
}

/** The form of a new subject, or of one that is changed. */
export const SubjectDialog = ({ subject, onSend, onClose }: SubjectDialogProps) => {
  const form = useForm();
  const [text, setText] = useState(subject === undefined ? EMPTY_SUBJECT : toText(subject));
  const change = (changes: Partial<SubjectText>): void => setText({ ...text, ...changes });
  const send = async (): Promise<void> => {
    const entries = toEntries(text);
    assertEntries([
      ...(text.name.trim() === '' ? [{ field: 'display_name', description: 'must not be empty' }] : []),
      ...(entries.wallet_pub_key.length === 0 ? [{ field: 'wallet_pub_key', description: 'must have a key' }] : []),
    ]);
    await onSend(entries);
  };
  const title = subject === undefined ? 'New subject' : 'Change the subject';
  const Fields = subject === undefined ? NewFields : KeyFields;
  return (
    <Dialog title={title} onClose={onClose} isHeld={form.isSending}>
      <EntryForm
        form={form}
        label={title}
        submit={subject === undefined ? 'Create' : 'Save'}
        onSubmit={send}
        actions={
          <button type="button" onClick={onClose} disabled={form.isSending}>
            Cancel
          </button>
        }
      >
        <Fields text={text} change={change} />
      </EntryForm>
    </Dialog>
  );
};
