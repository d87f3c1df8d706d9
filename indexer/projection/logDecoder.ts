// Decodes the logs of a batch, on this thread or on another one.
import type { RecordLog } from '../../chain/port.ts';
import type { DecodedRecord } from './decodedRecord.ts';

/** What is computed of logs. */
export interface DecodedLogs {
  /** The records of the logs, in the same order; undefined for a log that is not a record. */
  readonly records: readonly (DecodedRecord | undefined)[];
  /** The digest of the log at a position; undefined if digests weren't asked for. */
  readonly digestOf: ((at: number) => Uint8Array) | undefined;
}

/** Decodes logs on another thread, in the order of the calls. */
export interface LogDecoder {
  /**
   * Decodes logs. `domain`: the contract's EIP-712 domain separator, to compute their digests, too. Rejects, as all
   * later calls do, if the thread fails or ends.
   */
  decode(logs: readonly RecordLog[], domain?: Uint8Array): Promise<DecodedLogs>;
  /** Ends the thread. */
  close(): Promise<void>;
}
