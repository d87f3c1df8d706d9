// The entries that wait for a batch. A stream is in one transaction in flight at most: its next entries wait until that
// is over, so that no event is on the chain before its asset. A batch costs as much as it takes, however many wait.
import { Heap } from 'heap-js';
import { type OutboxEntry, streamKeyOf } from './outboxEntries.ts';

/** Entries that wait, in order of acceptance. */
export interface StreamQueue {
  readonly size: number;
  /** Number of entries of free streams, and their payload bytes. */
  readonly free: { readonly records: number; readonly bytes: number };
  push(entry: OutboxEntry): void;
  /**
   * Takes the oldest entries of free streams, or those of the oldest of these, as long as `fits` accepts the next one,
   * in order of acceptance. Their streams are not free until `release`.
   */
  take(fits: (entry: OutboxEntry) => boolean): OutboxEntry[];
  /** Frees the streams of entries that were taken. */
  release(taken: readonly OutboxEntry[]): void;
  /**
   * Removes those of the entries that wait, with the later ones of their streams, which may have been checked as if
   * their stream had these. Returns what it has removed.
   */
  withdraw(entries: ReadonlySet<OutboxEntry>): OutboxEntry[];
}

interface Stream {
  readonly key: string;
  /** What waits, oldest first; the first `from` are being taken. */
  readonly entries: OutboxEntry[];
  from: number;
  bytes: number;
  isFree: boolean;
}

const nextOf = ({ entries, from }: Stream): OutboxEntry => entries[from]!;
const compareAge = (a: Stream, b: Stream): number => nextOf(a).sequence - nextOf(b).sequence;

const toBytes = (entries: readonly OutboxEntry[]): number =>
  entries.reduce((sum, { payload }) => sum + payload.length, 0);

// The streams that have waiting entries or aren't free, and of the free ones those with the oldest entry first.
const createStreams = () => {
  const streams = new Map<string, Stream>();
  const heap = new Heap<Stream>(compareAge);
  const free = { records: 0, bytes: 0 };
  const count = (sign: 1 | -1, records: number, bytes: number): void => {
    free.records += sign * records;
    free.bytes += sign * bytes;
  };
  return {
    heap,
    free,
    find: (key: string): Stream | undefined => streams.get(key),
    push: (entry: OutboxEntry): void => {
      const key = streamKeyOf(entry);
      const stream = streams.get(key) ?? { key, entries: [], from: 0, bytes: 0, isFree: true };
      streams.set(key, stream);
      stream.entries.push(entry);
      stream.bytes += entry.payload.length;
      if (!stream.isFree) return;
      count(1, 1, entry.payload.length);
      if (stream.entries.length === 1) heap.push(stream);
    },
    /** Removes the entries that were taken. */
    occupy: (stream: Stream): void => {
      count(-1, stream.entries.length, stream.bytes);
      stream.bytes -= toBytes(stream.entries.splice(0, stream.from));
      stream.from = 0;
      stream.isFree = false;
    },
    release: (stream: Stream): void => {
      stream.isFree = true;
      count(1, stream.entries.length, stream.bytes);
      if (stream.entries.length > 0) heap.push(stream);
      else streams.delete(stream.key);
    },
    /** Removes the entries from the first one that `isFirst` accepts. */
    cut: (stream: Stream, isFirst: (entry: OutboxEntry) => boolean): OutboxEntry[] => {
      const at = stream.entries.findIndex(isFirst);
      const removed = at === -1 ? [] : stream.entries.splice(at);
      stream.bytes -= toBytes(removed);
      if (stream.isFree) count(-1, removed.length, toBytes(removed));
      if (stream.isFree && stream.entries.length === 0) streams.delete(stream.key);
      return removed;
    },
    sort: (): void => {
      heap.clear();
      for (const stream of streams.values()) if (stream.isFree) heap.push(stream);
    },
  };
};

type Streams = ReturnType<typeof createStreams>;
type Fits = (entry: OutboxEntry) => boolean;

// The oldest entries. The streams that the batch has begun are in order of their next entries, as the others are.
const takeOldest = ({ heap, occupy }: Streams, fits: Fits): OutboxEntry[] => {
  const taken: OutboxEntry[] = [];
  const begun = new Heap<Stream>(compareAge);
  const used = new Set<Stream>();
  for (;;) {
    const [one, other] = [begun.peek(), heap.peek()];
    const next = one !== undefined && (other === undefined || compareAge(one, other) < 0) ? begun : heap;
    const stream = next.peek();
    if (stream === undefined || !fits(nextOf(stream))) break;
    next.pop();
    used.add(stream);
    taken.push(nextOf(stream));
    stream.from += 1;
    if (stream.from < stream.entries.length) begun.push(stream);
  }
  for (const stream of used) occupy(stream);
  return taken;
};

// All entries of the streams with the oldest entries.
const takeStreams = ({ heap, occupy }: Streams, fits: Fits): OutboxEntry[] => {
  const taken: OutboxEntry[] = [];
  let stream = heap.peek();
  while (stream !== undefined && fits(nextOf(stream))) {
    heap.pop();
    let isFull = false;
    while (!isFull) {
      taken.push(nextOf(stream));
      stream.from += 1;
      isFull = stream.from === stream.entries.length || !fits(nextOf(stream));
    }
    const hasAll = stream.from === stream.entries.length;
    occupy(stream);
    if (!hasAll) break;
    stream = heap.peek();
  }
  return taken.sort((a, b) => a.sequence - b.sequence);
};

/**
 * An empty queue. `isByStream`: a batch that can't take all entries takes those of few streams, so that other batches
 * beside it have the other streams.
 */
export const createStreamQueue = (isByStream: boolean): StreamQueue => {
  const streams = createStreams();
  let size = 0;
  return {
    get size() {
      return size;
    },
    free: streams.free,
    push: (entry) => {
      size += 1;
      streams.push(entry);
    },
    take: (fits) => {
      const taken = isByStream ? takeStreams(streams, fits) : takeOldest(streams, fits);
      size -= taken.length;
      return taken;
    },
    release: (taken) => {
      for (const entry of taken) {
        const stream = streams.find(streamKeyOf(entry));
        if (stream !== undefined && !stream.isFree) streams.release(stream);
      }
    },
    withdraw: (entries) => {
      const cut = new Set([...entries].flatMap((entry) => streams.find(streamKeyOf(entry)) ?? []));
      const removed = [...cut].flatMap((stream) => streams.cut(stream, (entry) => entries.has(entry)));
      streams.sort();
      size -= removed.length;
      return removed;
    },
  };
};
