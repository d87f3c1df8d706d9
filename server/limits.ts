// The bounds of the API, which its host sets.
import type { UploadPace } from './blobs/uploadSlots.ts';
import type { Rate } from './http/rateLimits.ts';

/** Sizes and counts that the API accepts at most. */
export interface ServerLimits {
  /** Largest request body in bytes. */
  readonly bodyBytesMax: number;
  /** Largest file in bytes. */
  readonly blobBytesMax: number;
  /** Uploads slower than this are ended when others need their slots. */
  readonly uploadPace: UploadPace;
  /** Records on a list page when the client names no `page_size`. */
  readonly listRecordsMax: number;
  /** Largest `page_size`. */
  readonly pageSizeMax: number;
  /** Compliance policies of one tenant. */
  readonly policiesMax: number;
  /** Weight of all compliance policies of one tenant together; see `weighPolicy`. */
  readonly policyWeightMax: number;
  /** Applications of one tenant. */
  readonly applicationsMax: number;
}

/** Rates that requests are limited to. */
export interface ServerRates {
  /** Of each tenant, uploads left out. */
  readonly tenant: Rate;
  /** Without a token, of each address. */
  readonly open: Rate;
  /** Wrong secrets of one client id from one address; 0: no limit. */
  readonly tokenFailuresPerMinute: number;
}
