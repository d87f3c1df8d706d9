// Deletes a policy after a question that says what it means.
import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { type PolicyAnswer, submitDeletion } from '../api/writes.ts';
import { findMissingRight } from '../state/rights.ts';
import { uuidOf } from '../text/names.ts';
import { toPolicyName } from '../text/policyTypes.ts';
import { ConfirmationDialog } from './dialog.tsx';

/** The button, and the question. Escape answers it with no. */
export const PolicyDeletion = ({ policy }: { policy: PolicyAnswer }) => {
  const [isOpen, setOpen] = useState(false);
  const { route } = useLocation();
  const missing = findMissingRight('policies');
  if (missing !== undefined) return <p class="hint">{missing}</p>;
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Delete this policy
      </button>
      {isOpen ? (
        <ConfirmationDialog
          title={
            <>
              Delete <bdi>{toPolicyName(policy)}</bdi>?
            </>
          }
          confirm="Delete it"
          onClose={() => setOpen(false)}
          onConfirm={async () => {
            await submitDeletion(uuidOf(policy.identity));
            route('/policies');
          }}
        >
          <p>
            No asset is evaluated against it any more, for any time, also in the past. The records of its creation and
            of its deletion stay on the ledger. This can’t be undone; the same policy can be created again.
          </p>
        </ConfirmationDialog>
      ) : null}
    </>
  );
};
