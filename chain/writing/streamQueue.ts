// The entries that wait for a batch. Tenants take turns, entry by entry, so that none waits for all that another one
// has in front. A stream is in one transaction in flight at most: its next entries wait until that is over, so that no
// event is on the chain before its asset. A batch costs as much as it takes, however many wait.
import { Heap } from 'heap-js';
import { type OutboxEntry, streamKeyOf } from './outboxEntries.ts';
import { createWritingTenants } from './writingTenants.ts';

/** Entries that wait: those of each tenant in order of acceptance. */
export interface StreamQueue {
  readonly size: number;
  /** Number of entries of free streams, and their payload bytes. */
  readonly free: { readonly records: number; readonly bytes: number };
  /** Whether several tenants have entries that wait, or had some in one of the last batches. */
  readonly isShared: boolean;
  push(entry: OutboxEntry): void;
  /**
   * Takes entries of free streams as long as `fits` accepts the next one, and returns them in order of acceptance.
   * Each tenant in turn gives one: its oldest, or one of its oldest stream. Entries of an earlier process come before
   * all others. The streams are not free until `release`.
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

/** Batches after which a tenant counts no more as one that writes: a second or less while batches are small. */
const SHARING_BATCHES = 100;

const nextOf = ({ entries, from }: Stream): OutboxEntry => entries[from]!;
const compareAge = (a: Stream, b: Stream): number => nextOf(a).sequence - nextOf(b).sequence;

const toBytes = (entries: readonly OutboxEntry[]): number =>
  entries.reduce((sum, { payload }) => sum + payload.length, 0);

// Streams of one tenant from which a batch may take: those that it has begun, and the others.
interface Lane {
  readonly key: string;
  readonly begun: Heap<Stream>;
  readonly others: Heap<Stream>;
  /** That with the lowest number is next. */
  turn: number;
}

/** The lane of entries of an earlier process, of whichever tenant: no tenant's identity. */
const RECOVERED = '';

// The free streams that have waiting entries, by tenant, and whose turn it is. A lane that has become empty leaves when
// its turn comes.
const createTurns = (isByStream: boolean, lastRecovered: number) => {
  const lanes = new Map<string, Lane>();
  const rotation = new Heap<Lane>((a, b) => a.turn - b.turn);
  let lastTurn = 0;
  const add = (key: string): Lane => {
    const turn = key === RECOVERED ? 0 : ++lastTurn;
    const lane = { key, begun: new Heap<Stream>(compareAge), others: new Heap<Stream>(compareAge), turn };
    lanes.set(key, lane);
    rotation.push(lane);
    return lane;
  };
  const laneOf = (stream: Stream): Lane => {
    const { sequence, tenantIdentity } = nextOf(stream);
    const key = sequence <= lastRecovered ? RECOVERED : tenantIdentity;
    return lanes.get(key) ?? add(key);
  };
  const findNext = (): Lane | undefined => {
    for (let lane = rotation.peek(); lane !== undefined; lane = rotation.peek()) {
      if (lane.begun.length + lane.others.length > 0) return lane;
      rotation.pop();
      lanes.delete(lane.key);
    }
    return undefined;
  };
  return {
    laneOf,
    findNext,
    /** The streams of the lane of which the next entry is. */
    nextOfLane: ({ begun, others }: Lane): Heap<Stream> => {
      const [one, other] = [begun.peek(), others.peek()];
      const isBegun = one !== undefined && (isByStream || other === undefined || compareAge(one, other) < 0);
      return isBegun ? begun : others;
    },
    /** Ends the turn of the lane that is next. */
    endTurn: (lane: Lane): void => {
      if (lane.key === RECOVERED) return;
      lane.turn = ++lastTurn;
      rotation.replace(lane);
    },
    addFree: (stream: Stream): void => {
      laneOf(stream).others.push(stream);
    },
    clear: (): void => {
      lanes.clear();
      rotation.clear();
    },
  };
};

type Turns = ReturnType<typeof createTurns>;

// The streams that have waiting entries or aren't free.
const createStreams = ({ addFree, clear }: Turns) => {
  const streams = new Map<string, Stream>();
  const free = { records: 0, bytes: 0 };
  const count = (sign: 1 | -1, records: number, bytes: number): void => {
    free.records += sign * records;
    free.bytes += sign * bytes;
  };
  return {
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
      if (stream.entries.length === 1) addFree(stream);
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
      if (stream.entries.length > 0) addFree(stream);
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
      clear();
      for (const stream of streams.values()) if (stream.isFree) addFree(stream);
    },
  };
};

type Streams = ReturnType<typeof createStreams>;
type Fits = (entry: OutboxEntry) => boolean;

// The entries of a batch. The streams that it has begun are in their lanes until its end.
const takeInTurns = (turns: Turns, { occupy }: Streams, fits: Fits): OutboxEntry[] => {
  const taken: OutboxEntry[] = [];
  const used = new Set<Stream>();
  const begun = new Set<Heap<Stream>>();
  for (let lane = turns.findNext(); lane !== undefined; lane = turns.findNext()) {
    const next = turns.nextOfLane(lane);
    const stream = next.peek()!;
    if (!fits(nextOf(stream))) break;
    next.pop();
    used.add(stream);
    taken.push(nextOf(stream));
    stream.from += 1;
    if (stream.from < stream.entries.length) {
      const rest = turns.laneOf(stream).begun;
      rest.push(stream);
      begun.add(rest);
    }
    turns.endTurn(lane);
  }
  for (const streams of begun) streams.clear();
  for (const stream of used) occupy(stream);
  return taken.sort((a, b) => a.sequence - b.sequence);
};

/**
 * An empty queue. `isByStream`: a batch that can't take all entries takes those of few streams, so that other batches
 * beside it have the other streams. `lastRecovered`: the last sequence of an earlier process.
 */
export const createStreamQueue = (isByStream: boolean, lastRecovered = 0): StreamQueue => {
  const turns = createTurns(isByStream, lastRecovered);
  const streams = createStreams(turns);
  const tenants = createWritingTenants(SHARING_BATCHES);
  let size = 0;
  return {
    get size() {
      return size;
    },
    get isShared() {
      return tenants.areSeveral();
    },
    free: streams.free,
    push: (entry) => {
      size += 1;
      tenants.add(entry.tenantIdentity);
      streams.push(entry);
    },
    take: (fits) => {
      const taken = takeInTurns(turns, streams, fits);
      size -= taken.length;
      tenants.endBatch();
      for (const { tenantIdentity } of taken) tenants.add(tenantIdentity);
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
