// The record that begins a tenant's part of a ledger that continues another: what the other ledger held of the tenant.
// The records after it, up to that number, are copies of the other ledger's.
import { isTimestamp } from '../encoding/timestamp.ts';
import { isPrincipal, type Principal } from '../principal.ts';
import { type Checks, hasFields, isCount, isHash, isMatch, isVersionOf } from './fieldChecks.ts';

/** The end of the ledger that this one continues. */
export interface SuccessionRecord {
  readonly type: 'succession';
  /** `successions/<uuid>/versions/<uuid>`. */
  readonly identity: string;
  readonly chain_id: number;
  /** Address of the contract, lower-case. */
  readonly contract: string;
  /** Hash of the newest block that was copied. */
  readonly block_hash: string;
  /** Number of the tenant's records. */
  readonly size: number;
  /** Root of the tenant's Merkle tree over them (RFC 9162), 0x-prefixed. */
  readonly root: string;
  readonly timestamp_accepted: string;
  /** The operator who copied the records. */
  readonly principal_accepted: Principal;
}

const CHECKS: Checks<SuccessionRecord> = {
  type: (value) => value === 'succession',
  identity: isVersionOf('successions/'),
  chain_id: isCount,
  contract: isMatch(/^0x[0-9a-f]{40}$/),
  block_hash: isHash,
  size: isCount,
  root: isHash,
  timestamp_accepted: isTimestamp,
  principal_accepted: isPrincipal,
};

/** Whether an untrusted value is a succession, with all of its fields and no others. */
export const isSuccessionRecord = (value: unknown): value is SuccessionRecord => hasFields(value, CHECKS);
