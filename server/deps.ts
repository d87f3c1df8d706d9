// What the server is given by whoever composes it (scripts/). It has no memory of its own.
import type { LedgerView } from '../indexer/ledgerView.ts';
import type { LedgerRecord } from '../ledger/record.ts';
import type { Commitment } from '../ledger/resources.ts';
import type { BlobStore } from './blobs/blobStore.ts';
import type { PageTokens } from './pageTokens.ts';
import type { TokenAuthority } from './tokenAuthority.ts';

export interface RecordWriter {
  /**
   * Accepts a record durably and waits for its commitment, up to the configured time; then answers with `PENDING`.
   * Rejects with OUTBOX_FULL, RECORD_TOO_LARGE, RELAYER_UNFUNDED, CHAIN_MISMATCH or STOPPING when nothing was accepted.
   */
  append(tenantIdentity: string, record: LedgerRecord): Promise<Commitment>;
}

export interface ServerLimits {
  /** Largest request body in bytes. */
  readonly bodyBytesMax: number;
  /** Largest file in bytes. */
  readonly blobBytesMax: number;
  /** Records on a list page when the client names no `page_size`. */
  readonly listRecordsMax: number;
  /** Largest `page_size`. */
  readonly pageSizeMax: number;
  /** Compliance policies of one tenant. */
  readonly policiesMax: number;
}

export interface ServerDeps {
  readonly view: LedgerView;
  readonly writer: RecordWriter;
  readonly blobs: BlobStore;
  readonly tokens: TokenAuthority;
  readonly pageTokens: PageTokens;
  readonly chainId: number;
  /** Scheme and host under which everybody reaches the server; undefined: whatever the request says. No slash at the end. */
  readonly publicUrl?: string | undefined;
  readonly limits: ServerLimits;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  readonly newUuid: () => string;
  /** Reports an unexpected error, which the client sees only as 500. */
  readonly onUnexpectedError: (error: unknown) => void;
}
