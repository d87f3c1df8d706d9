// Says that a form has the entries of an earlier visit.
import type { Draft } from '../state/useDraft.ts';

/** The note, with the button that empties the form. */
export const DraftNote = ({ draft }: { draft: Pick<Draft<object>, 'isRestored' | 'clear'> }) =>
  draft.isRestored ? (
    <p class="note">
      This form has what you entered before. Files must be chosen again.{' '}
      <button type="button" onClick={draft.clear}>
        Start over
      </button>
    </p>
  ) : null;
