// The one error of this folder. A decoder throws it for input that doesn't have the form of its format, so that a
// verifier says "unreadable". A check of input that has the form, but proves nothing, returns false or undefined.

/** Thrown for input that doesn't have the form of its format, or exceeds a limit of this folder. */
export class UnreadableEvidence extends Error {
  readonly code = 'EVIDENCE_UNREADABLE';
  override readonly name = 'UnreadableEvidence';
}

/**
 * Refuses input without the required form.
 * @throws UnreadableEvidence with the message when the condition is false.
 */
export function assertReadable(condition: boolean, message: string): asserts condition {
  if (!condition) throw new UnreadableEvidence(message);
}
