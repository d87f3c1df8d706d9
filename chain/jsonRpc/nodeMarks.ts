// What is remembered of a node that failed in some way. Every mark ends by itself, so that a node that works again is
// used as before. Also when the clock is set back: a mark of a time to come counts as ended.

/** Marks of one node, by their names. */
export interface NodeMarks {
  /** Sets a mark for so many milliseconds, by default a minute. */
  set(name: string, value: number, ms?: number): void;
  /** The value of a mark; undefined when it isn't set, or has ended. */
  read(name: string): number | undefined;
}

/** Milliseconds that a mark lasts by default. */
export const MARK_MS = 60_000;

/** No marks. `now` returns milliseconds, by default those of the process. */
export const createNodeMarks = (now: () => number = () => performance.now()): NodeMarks => {
  const marks = new Map<string, { readonly value: number; readonly atMs: number; readonly ms: number }>();
  return {
    set: (name, value, ms = MARK_MS) => {
      marks.set(name, { value, atMs: now(), ms });
    },
    read: (name) => {
      const mark = marks.get(name);
      if (mark === undefined) return undefined;
      const ageMs = now() - mark.atMs;
      return ageMs >= 0 && ageMs < mark.ms ? mark.value : undefined;
    },
  };
};
