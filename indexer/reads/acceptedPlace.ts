// Places in the order of acceptance. A record keeps its place when the chain commits or refuses it, so a list continues
// at a place whatever happened to the records on the pages before it.

/** A place in the order of acceptance: by time, then by identity. */
export interface AcceptedPlace {
  /** Milliseconds since the epoch. */
  readonly atMs: number;
  readonly identity: string;
}

/** The place of a record or an event. */
export const toPlace = (of: { readonly timestamp_accepted: string; readonly identity: string }): AcceptedPlace => ({
  atMs: Date.parse(of.timestamp_accepted),
  identity: of.identity,
});

/** Negative if the first place is before the second, 0 if both are the same. */
export const comparePlaces = (a: AcceptedPlace, b: AcceptedPlace): number => {
  if (a.atMs !== b.atMs) return a.atMs - b.atMs;
  if (a.identity === b.identity) return 0;
  return a.identity < b.identity ? -1 : 1;
};
