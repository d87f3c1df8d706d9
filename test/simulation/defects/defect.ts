// A defect that is planted in the project's code when it is loaded: a realistic slip, which the simulation must find.

/** One planted defect. */
export interface Defect {
  /** Unique, in lower-case words with hyphens. */
  readonly name: string;
  /** The source file, from the root of the repository. */
  readonly file: string;
  /** A text that the file contains exactly once. */
  readonly find: string;
  readonly replace: string;
  /** What no longer holds. */
  readonly breaks: string;
  /** The fault that makes it visible. */
  readonly foundBy: string;
  /**
   * It ends the server's process with an error, or keeps it in a loop, and that counts as found. Otherwise it doesn't:
   * code that merely can't run proves nothing.
   */
  readonly endsProcess?: true;
}
