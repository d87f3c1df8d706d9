// What another ledger's server answers in place of a record.

/** Options of an `OtherLedgerRefusal`. */
interface RefusalOptions extends ErrorOptions {
  /** HTTP status of the answer; undefined: what it says is wrong. */
  readonly status?: number;
}

/** Thrown when the server of another ledger answers, and its answer is no record of the checkpoint. */
export class OtherLedgerRefusal extends Error {
  override readonly name: string = 'OtherLedgerRefusal';
  /** HTTP status of the answer; undefined: what it says is wrong. */
  readonly status: number | undefined;

  constructor(message: string, { status, ...options }: RefusalOptions = {}) {
    super(message, options);
    this.status = status;
  }
}

/** Thrown when the event of a checkpoint never becomes its record: another event may. */
export class RecordUnusable extends OtherLedgerRefusal {
  override readonly name = 'RecordUnusable';
}
