// What the two processes of bench:memory exchange.

/** Records that are to be written to a new chain. */
export interface ChainOrder {
  readonly records: number;
  readonly recordsPerBlock: number;
  readonly payloadBytes: number;
  /** States that the engine keeps. */
  readonly cachedStates: number;
}

/** A reading of the writing process: resident memory after this many records. */
export interface MemoryReading {
  readonly records: number;
  readonly residentBytes: number;
}
