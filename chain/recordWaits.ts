// Since when records wait for the chain, as the watch for stalls reads it from the write path.

/** Since when a record waits for the chain. */
export interface RecordWait {
  /** Milliseconds since the epoch. */
  readonly sinceMs: number;
  /** Whether an earlier process accepted the record, so that the wait began before the start of this one. */
  readonly isRecovered: boolean;
}

/** The one of two waits that began first; the other one where one is undefined. */
export const toOldest = (a: RecordWait | undefined, b: RecordWait | undefined): RecordWait | undefined =>
  a === undefined || (b !== undefined && b.sinceMs < a.sinceMs) ? b : a;

/** The oldest waits; undefined where no record waits. */
export interface RecordWaits {
  /** Of a record without a mined transaction; `hasFailed`: an attempt to send such a record has failed. */
  readonly unmined: (RecordWait & { readonly hasFailed: boolean }) | undefined;
  /** Of a record whose transaction is mined, and not final. */
  readonly unfinal: RecordWait | undefined;
}

/** Reads the oldest waits of now. */
export type ReadWaits = () => RecordWaits;
