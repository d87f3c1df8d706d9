// Deletes a policy after a question that says what it means.

import { useRef } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { type PolicyAnswer, submitDeletion } from '../api/writes.ts';
import { findMissingRight } from '../state/rights.ts';
import { useSend } from '../state/useSend.ts';
import { uuidOf } from '../text/names.ts';
import { toPolicyName } from '../text/policyTypes.ts';
import { ErrorNote } from './states.tsx';

/** The button, and the question. Escape answers it with no. */
export const PolicyDeletion = ({ policy }: { policy: PolicyAnswer }) => {
  const dialog = useRef<HTMLDialogElement>(null);
  const { route } = useLocation();
  const { send, isSending, error } = useSend();
  const missing = findMissingRight('administrator');
  const confirm = () =>
    send(async () => {
      await submitDeletion(uuidOf(policy.identity));
      route('/policies');
    });
  if (missing !== undefined) return <p class="hint">{missing}</p>;
  return (
    <>
      <button type="button" onClick={() => dialog.current?.showModal()}>
        Delete this policy
      </button>
      <dialog ref={dialog} aria-labelledby="deletion">
        <h2 id="deletion">
          Delete <span dir="auto">{toPolicyName(policy)}</span>?
        </h2>
        <p>
          No asset is evaluated against it any more, for any time, also in the past. The records of its creation and of
          its deletion stay on the ledger. This can’t be undone; the same policy can be created again.
        </p>
        {error === undefined ? null : <ErrorNote error={error} />}
        <p class="actions">
          <button type="button" onClick={() => dialog.current?.close()}>
            Keep it
          </button>
          <button type="button" disabled={isSending} onClick={confirm}>
            Delete it
          </button>
        </p>
      </dialog>
    </>
  );
};
