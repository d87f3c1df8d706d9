// The record of a blob: the hash of an uploaded file. The bytes stay off the chain.
import { isTimestamp } from '../encoding/timestamp.ts';
import { toStreamIdentityOf } from '../identity.ts';
import { isPrincipal, type Principal } from '../principal.ts';
import { type Checks, hasFields, isVersionOf } from './fieldChecks.ts';

/** The only version of a blob. */
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

/** Whether an untrusted value is the record of a blob, with all of its fields and no others. */
export const isBlobRecord = (value: unknown): value is BlobRecord => hasFields(value, CHECKS);

/** A blob as the API shows it (decision 33). */
export interface BlobResource {
  readonly identity: string;
  readonly hash: { readonly alg: 'SHA256'; readonly value: string };
  readonly mime_type: string;
  /** Bytes. */
  readonly size: number;
  readonly timestamp_accepted: string;
  readonly issuer: string;
  readonly subject: string;
  /** `tenant/<uuid>`. */
  readonly tenantid: string;
  readonly scanned_status: 'NOT_SCANNED';
  readonly scanned_timestamp: '';
  readonly scanned_bad_reason: '';
}

/** The resource of a blob record. */
export const toBlobResource = (record: BlobRecord, tenantIdentity: string): BlobResource => ({
  identity: toStreamIdentityOf(record),
  hash: { alg: 'SHA256', value: record.sha256 },
  mime_type: record.mime_type,
  size: record.size,
  timestamp_accepted: record.timestamp_accepted,
  issuer: record.principal_accepted.issuer,
  subject: record.principal_accepted.subject,
  tenantid: tenantIdentity,
  scanned_status: 'NOT_SCANNED',
  scanned_timestamp: '',
  scanned_bad_reason: '',
});
