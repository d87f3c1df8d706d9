// The record that links a block log to the one before it, which its operator could not continue: the chain was restored
// from an old backup, and the earlier log had published checkpoints of blocks that are lost.
import { isTimestamp } from '../encoding/timestamp.ts';
import { isPrincipal, type Principal } from '../principal.ts';
import { type Checks, hasFields, isCount, isHash, isName, isVersionOf } from './fieldChecks.ts';

/** Where an earlier block log ended, as far as its operator still has it. */
export interface LogSuccessionRecord {
  readonly type: 'log_succession';
  /** `log_successions/<uuid>/versions/<uuid>`. */
  readonly identity: string;
  /** Name of the log that begins. */
  readonly origin: string;
  /** Name of the log before it. */
  readonly previous_origin: string;
  /** Number of blocks of the newest checkpoint that was left of it. */
  readonly size: number;
  /** Root of that checkpoint, 0x-prefixed. */
  readonly root: string;
  readonly timestamp_accepted: string;
  /** The operator who restored the ledger. */
  readonly principal_accepted: Principal;
}

const CHECKS: Checks<LogSuccessionRecord> = {
  type: (value) => value === 'log_succession',
  identity: isVersionOf('log_successions/'),
  origin: isName,
  previous_origin: isName,
  size: isCount,
  root: isHash,
  timestamp_accepted: isTimestamp,
  principal_accepted: isPrincipal,
};

/** Whether an untrusted value is the succession of a log, with all of its fields and no others. */
export const isLogSuccessionRecord = (value: unknown): value is LogSuccessionRecord => hasFields(value, CHECKS);
