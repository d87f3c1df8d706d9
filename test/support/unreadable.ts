// What a decoder of ledger/evidence does with input that doesn't have the form of its format.
import { UnreadableEvidence } from '../../ledger/evidence/unreadableEvidence.ts';

/** Whether the input is refused as unreadable. Another error fails the test. */
export const isUnreadable = (decode: () => unknown): boolean => {
  try {
    decode();
    return false;
  } catch (error) {
    if (error instanceof UnreadableEvidence && error.code === 'EVIDENCE_UNREADABLE') return true;
    throw error;
  }
};
