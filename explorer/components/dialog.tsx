// Windows in front of the page: forms of a few fields, and questions before something that can't be undone.
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { useSend } from '../state/useSend.ts';
import { ErrorNote } from './states.tsx';

interface DialogProps {
  readonly title: ComponentChildren;
  readonly onClose: () => void;
  /** Whether the window must stay, because a request is under way. */
  readonly isHeld?: boolean;
  readonly children: ComponentChildren;
}

/** A modal window. Escape closes it; then the focus returns to what opened it. */
export const Dialog = ({ title, onClose, isHeld = false, children }: DialogProps) => {
  const node = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const dialog = node.current!;
    dialog.showModal();
    return () => dialog.close();
  }, []);
  return (
    <dialog
      ref={node}
      aria-labelledby={titleId}
      onCancel={(event) => isHeld && event.preventDefault()}
      onClose={onClose}
    >
      <h2 id={titleId}>{title}</h2>
      {children}
    </dialog>
  );
};

interface ConfirmationProps {
  readonly title: ComponentChildren;
  /** Text of the button that does it. */
  readonly confirm: string;
  /** Does it. What it throws is shown. */
  readonly onConfirm: () => Promise<void>;
  readonly onClose: () => void;
  /** What happens then. */
  readonly children: ComponentChildren;
}

/** Asks before something is done that can't be undone. The button that does nothing comes first. */
export const ConfirmationDialog = ({ title, confirm, onConfirm, onClose, children }: ConfirmationProps) => {
  const { isSending, error, send } = useSend();
  return (
    <Dialog title={title} onClose={onClose} isHeld={isSending}>
      {children}
      {error === undefined ? null : <ErrorNote error={error} />}
      <p class="actions">
        <button type="button" onClick={onClose} disabled={isSending}>
          Cancel
        </button>
        <button type="button" class="danger" disabled={isSending} onClick={() => send(onConfirm)}>
          {isSending ? 'Sending …' : confirm}
        </button>
      </p>
    </Dialog>
  );
};
