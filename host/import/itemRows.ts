// Where the items of a source are in its file, and in which order they are imported: some 90 bytes for each, whatever
// it contains.
import type { ItemRange } from './jsonItems.ts';
import type { SourceRecord } from './sourceItem.ts';

export type ItemKind = SourceRecord['kind'];

const KINDS = ['asset', 'creation', 'event', 'location', 'policy', 'blob'] as const satisfies readonly ItemKind[];

/** Columns of a row. `RANK` is the place in the file: negative, from the end, of lists that are newest first. */
const [KIND, FROM, TO, LINE, TIME, BLOCK, TRANSACTION, LOG, RANK] = [0, 1, 2, 3, 4, 5, 6, 7, 8] as const;
const COLUMNS = 9;
const PLACE = [BLOCK, TRANSACTION, LOG] as const;
const PLACE_MEMBERS = ['block_number', 'transaction_index', 'log_index'] as const;
const BY_PLACE = [...PLACE, RANK];
const BY_TIME = [TIME, RANK];
const BY_TIME_AND_PLACE = [TIME, ...PLACE, RANK];
const FIRST_ROWS = 1_024;

// Undefined unless the source names all of it. An event that isn't on a chain has the block 0.
const toPlace = (value: SourceRecord['value']): readonly number[] | undefined => {
  const place = PLACE_MEMBERS.map((name) => value[name]);
  return place[0] !== 0 && place.every((part) => typeof part === 'number') ? (place as number[]) : undefined;
};

/** A list whose rows are added. */
interface OpenList {
  readonly from: number;
  /** Of each asset, the time of the event before. */
  readonly times: Map<string, number>;
  /** More steps to later times than to earlier ones: the list is oldest first. */
  later: number;
}

const EVENTS: readonly ItemKind[] = ['creation', 'event'];

type ReadColumn = (row: number, column: number) => number;

const compareColumns = (at: ReadColumn, a: number, b: number, columns: readonly number[]): number => {
  const column = columns.find((one) => at(a, one) !== at(b, one));
  return column === undefined ? 0 : at(a, column) - at(b, column);
};

// The places of one ledger, where the source names all of them: its servers' clocks may differ. Otherwise times, and
// places where all events of a time have one.
const toOrder = (at: ReadColumn, events: Uint32Array): ((a: number, b: number) => number) => {
  const times = new Set<number>();
  for (const row of events) if (at(row, BLOCK) === 0) times.add(at(row, TIME));
  if (times.size === 0) return (a, b) => compareColumns(at, a, b, BY_PLACE);
  return (a, b) => compareColumns(at, a, b, times.has(at(a, TIME)) ? BY_TIME : BY_TIME_AND_PLACE);
};

/** The rows of a source. */
export const createItemRows = () => {
  let rows = new Float64Array(FIRST_ROWS * COLUMNS);
  let count = 0;
  const lists: OpenList[] = [{ from: 0, times: new Map(), later: 0 }];

  const at = (row: number, column: number): number => rows[row * COLUMNS + column]!;

  const write = (values: readonly number[]): void => {
    if ((count + 1) * COLUMNS > rows.length) {
      const larger = new Float64Array(rows.length * 2);
      larger.set(rows);
      rows = larger;
    }
    rows.set(values, count * COLUMNS);
    count += 1;
  };

  const compareTimes = ({ assetIdentity }: SourceRecord, time: number): void => {
    const list = lists.at(-1)!;
    list.later += Math.sign(time - (list.times.get(assetIdentity) ?? time));
    list.times.set(assetIdentity, time);
  };

  // A list names no order. One that an API answers with is newest first unless its times show otherwise, and lines are
  // oldest first. Of an asset that is listed several times the first one in the file holds.
  const rank = ({ from, later }: OpenList, isOfLines: boolean): void => {
    const isNewestFirst = isOfLines ? later < 0 : later <= 0;
    for (let row = from; row < count; row += 1)
      if (at(row, RANK) === 0)
        rows[row * COLUMNS + RANK] = isNewestFirst && KINDS[at(row, KIND)] !== 'asset' ? -(row + 1) : row + 1;
  };

  const listRows = (kinds: readonly ItemKind[]): Uint32Array =>
    Uint32Array.from({ length: count }, (_, row) => row).filter((row) => kinds.includes(KINDS[at(row, KIND)]!));

  return {
    count: (): number => count,
    add: ({ from, to, line }: ItemRange, record: SourceRecord): void => {
      const { kind, value } = record;
      const time = Date.parse(String(value.timestamp_accepted)) || 0;
      if (EVENTS.includes(kind)) compareTimes(record, time);
      write([KINDS.indexOf(kind), from, to, line, time, ...(toPlace(value) ?? [0, 0, 0]), 0]);
    },
    keepFirst: (kept: number): void => {
      count = Math.min(count, kept);
    },
    /** Ends all lists, of which nothing is kept. */
    abandonLists: (): void => {
      lists.length = 1;
    },
    beginList: (): void => {
      lists.push({ from: count, times: new Map(), later: 0 });
    },
    endList: (): void => rank(lists.pop()!, false),
    /** Ends the rows: the items of no list are lines. */
    end: (): void => rank(lists[0]!, true),
    /** The items of these kinds in their order: events in that of their acceptance. */
    inOrder: function* (...kinds: ItemKind[]): Generator<ItemRange> {
      for (const row of listRows(kinds).sort(toOrder(at, listRows(EVENTS))))
        yield { from: at(row, FROM), to: at(row, TO), line: at(row, LINE) };
    },
  };
};
