// A snapshot of a simulated database.
import { AbstractSnapshot } from 'abstract-level';
import type { Rows } from './rows.ts';

/** The rows of one moment. */
export class LevelSnapshot extends AbstractSnapshot {
  readonly rows: Rows;

  constructor(rows: Rows, options: object) {
    // @ts-expect-error: the types leave out the options that every database passes on.
    super(options);
    this.rows = rows;
  }
}
