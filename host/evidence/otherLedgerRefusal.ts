// What another ledger's server answers in place of a record.

/** Thrown when the server of another ledger answers, and its answer is no record of the checkpoint. */
export class OtherLedgerRefusal extends Error {
  override readonly name: string = 'OtherLedgerRefusal';
}

/** Thrown when the event of a checkpoint never becomes its record: another event may. */
export class RecordUnusable extends OtherLedgerRefusal {
  override readonly name = 'RecordUnusable';
}
