// The record of a blob: the fingerprint of a file that was uploaded. The bytes stay off the chain.

import { isTimestamp } from '../encoding/timestamp.ts';
import { isPrincipal, type Principal } from '../principal.ts';
import { type Checks, hasFields, isVersionOf } from './fieldChecks.ts';

export interface BlobRecord {
  readonly type: 'blob';
  /** `blobs/<uuid>/versions/<uuid>`. */
  readonly identity: string;
  /** SHA-256 of the bytes, lower-case hexadecimal. */
  readonly sha256: string;
  readonly mime_type: string;
  /** Bytes. */
  readonly size: number;
  readonly timestamp_accepted: string;
  readonly principal_accepted: Principal;
}

const CHECKS: Checks<BlobRecord> = {
  type: (value) => value === 'blob',
  identity: isVersionOf('blobs/'),
  sha256: (value) => typeof value === 'string' && /^[0-9a-f]{64}$/.test(value),
  mime_type: (value) => typeof value === 'string' && value.length > 0,
  size: (value) => Number.isSafeInteger(value) && (value as number) > 0,
  timestamp_accepted: isTimestamp,
  principal_accepted: isPrincipal,
};

/** Whether a value from outside is the record of a blob, with all of its fields and no others. */
export const isBlobRecord = (value: unknown): value is BlobRecord => hasFields(value, CHECKS);
