// What the two processes of bench:growth exchange.

/** A part of a ledger that is to be written. */
export interface GrowthOrder {
  readonly dataDir: string;
  /** Events that the ledger has. */
  readonly from: number;
  /** Events that it is to have. */
  readonly to: number;
  /** Events that it will have in the end. */
  readonly total: number;
}

/** What writing the part cost, for each of its events after the first tenth, which the compiler needs. */
export interface GrowthCost {
  readonly mainThreadCpuUs: number;
  readonly memoryBytes: number;
  /** A token of the ledger's tenant. */
  readonly token: string;
}
