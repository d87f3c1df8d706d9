// Text to copy, such as a secret: whole, selected by a click, with a button that copies it.
import { useId, useRef, useState } from 'preact/hooks';
import { copyText } from '../state/copyText.ts';

const COPIED = 'Copied.';
// Browsers let pages copy only where the address is this machine or encrypted.
const SELECTED = 'Selected: copy it with Ctrl+C or ⌘C.';

/** A line of text that can't be changed. */
export const CopyField = ({ label, text }: { label: string; text: string }) => {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [note, setNote] = useState('');
  const copy = (): void => {
    input.current?.select();
    copyText(text).then(
      () => setNote(COPIED),
      () => setNote(SELECTED),
    );
  };
  return (
    <div class="copy-field">
      <label for={id}>{label}</label>
      <input id={id} ref={input} readOnly value={text} onFocus={({ currentTarget }) => currentTarget.select()} />
      <button type="button" onClick={copy}>
        Copy
      </button>
      <span class="hint" role="status">
        {note}
      </span>
    </div>
  );
};
