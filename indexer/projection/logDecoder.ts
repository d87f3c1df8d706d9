// Decodes the logs of a batch, on this thread or on another one.
import type { RecordLog } from '../../chain/port.ts';
import type { DecodedRecord } from './decodedRecord.ts';

/** Decodes logs on another thread, in the order of the calls. */
export interface LogDecoder {
  /**
   * The records of the logs, in the same order; undefined for a log that is not a record. Rejects, as all later calls
   * do, if the thread fails or ends.
   */
  decode(logs: readonly RecordLog[]): Promise<readonly (DecodedRecord | undefined)[]>;
  /** Ends the thread. */
  close(): Promise<void>;
}
