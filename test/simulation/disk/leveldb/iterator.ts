// An iterator over the rows of one moment. It can't seek: nothing in the project does.
import { AbstractIterator } from 'abstract-level';
import { type LevelOptions, toOutput, toRange } from './formats.ts';
import { findRange, type Row, type Rows } from './rows.ts';

interface IteratorOptions extends LevelOptions {
  readonly keys: boolean;
  readonly values: boolean;
  readonly reverse: boolean;
  /** -1: none. */
  readonly limit: number;
}

type Entry = [key: string | Buffer | undefined, value: string | Buffer | undefined];
type Read = <T>(effect: () => T) => Promise<T>;

/** Rows that one call of LevelDB returns at most, after the first. */
const CHUNK_ROWS = 1_000;

// biome-ignore lint/suspicious/noExplicitAny: keys and values have the types of the database's encodings.
export class LevelIterator extends AbstractIterator<any, any, any> {
  readonly #rows: Rows;
  readonly #options: IteratorOptions;
  readonly #read: Read;
  readonly #range: { from: number; to: number };
  /** Number of rows of the range that were passed, from its beginning or, in reverse, from its end. */
  #at = 0;
  #left: number;
  #chunk: Row[] = [];
  #chunkRows = 1;

  constructor(db: unknown, rows: Rows, options: IteratorOptions, read: Read) {
    super(db, options);
    this.#rows = rows;
    this.#options = options;
    this.#read = read;
    this.#range = findRange(rows, toRange(options));
    this.#left = options.limit < 0 ? Number.POSITIVE_INFINITY : options.limit;
  }

  #toEntry({ key, value }: Row): Entry {
    const { keys, values, keyEncoding, valueEncoding } = this.#options;
    return [keys ? toOutput(key, keyEncoding) : undefined, values ? toOutput(value, valueEncoding) : undefined];
  }

  #take(count: number): Row[] {
    const { from, to } = this.#range;
    const taken = Math.min(count, this.#left, to - from - this.#at);
    const start = this.#options.reverse ? to - this.#at - taken : from + this.#at;
    const rows = this.#rows.slice(start, start + taken);
    if (this.#options.reverse) rows.reverse();
    this.#at += taken;
    this.#left -= taken;
    return rows;
  }

  async _next(): Promise<Entry | undefined> {
    if (this.#chunk.length === 0) {
      this.#chunk = (await this.#read(() => this.#take(this.#chunkRows))).reverse();
      this.#chunkRows = CHUNK_ROWS;
    }
    const row = this.#chunk.pop();
    return row && this.#toEntry(row);
  }

  async _nextv(size: number): Promise<Entry[]> {
    this.#chunkRows = CHUNK_ROWS;
    const rows =
      this.#chunk.length > 0 ? this.#chunk.splice(-size).reverse() : await this.#read(() => this.#take(size));
    return rows.map((row) => this.#toEntry(row));
  }
}
