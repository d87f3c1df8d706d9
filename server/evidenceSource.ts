// What the server needs to answer with evidence files (docs/evidence-format.md). The host makes them.
import type { EventResource } from '../ledger/records/event.ts';

/** What a file has besides the evidence that is asked for, and for how long. */
export interface EvidenceExtras {
  /** Whether it shows the contract's code, too. */
  readonly hasCode: boolean;
  /**
   * Aborts when the answer is sent or its client is gone: that ends the work, and until then a large file counts as one
   * that is in memory.
   */
  readonly signal: AbortSignal;
}

/** The form of an event's file. */
export interface EventForm extends Partial<EvidenceExtras> {
  /** The tenant that requests it; the one that recorded the event unless given. */
  readonly tenantIdentity?: string;
  /** Whether the proof is by the event's own log, and not the smaller one. */
  readonly isLog?: boolean;
}

/** The history of an asset, or a range of it. */
export interface HistoryQuery {
  readonly tenantIdentity: string;
  readonly assetIdentity: string;
  /** Position of the first record; with it or `to`, the file is of a range. */
  readonly from?: number | undefined;
  /** Position of the last record. */
  readonly to?: number | undefined;
  /** Whether the file has the records, and not their digests alone. A range always has them. */
  readonly isDisclosed: boolean;
  /** Whether the request has no token. */
  readonly isPublic: boolean;
  /** The client's network, for which a request without a token counts; all count together unless given. */
  readonly network?: string;
}

/** The verdict of a policy on an asset at a time. */
export interface VerdictQuery {
  readonly tenantIdentity: string;
  readonly policyIdentity: string;
  readonly assetIdentity: string;
  /** Milliseconds since the epoch, not in the future. */
  readonly atMs: number;
}

/**
 * Makes evidence files, each as JSON text that was checked. What no checkpoint covers yet waits for one as long as a
 * creation waits for its commitment; then it rejects with EVIDENCE_PENDING. Rejects with RATE_LIMITED when a tenant
 * requests too many checkpoints, with EVIDENCE_TOO_LARGE beyond 16 MiB. A file shows the contract's code with
 * `hasCode` alone; it rejects with CODE_UNPROVEN while nothing proves the code.
 */
export interface EvidenceSource {
  /**
   * Of a committed event. With `isLog` by its own log, which a checkpoint covers: rejects with RECORD_NOT_ALONE when
   * the event shares its transaction with other records.
   */
  makeEventEvidence(event: EventResource, form?: EventForm): Promise<string>;
  /** Rejects with REQUEST_INVALID that names `to` when the asset has fewer records. */
  makeHistoryEvidence(query: HistoryQuery, extras?: Partial<EvidenceExtras>): Promise<string>;
  /** Rejects with IDENTITY_PRESENT when the tenant has a record or a stream of this identity. */
  makeAbsenceEvidence(tenantIdentity: string, identity: string, extras?: Partial<EvidenceExtras>): Promise<string>;
  /** Rejects with REQUEST_INVALID that names `policy` when it isn't about the asset. */
  makeVerdictEvidence(query: VerdictQuery, extras?: Partial<EvidenceExtras>): Promise<string>;
  /** Of the list of all records of a tenant, which is in a second file. */
  makeTenantEvidence(tenantIdentity: string, extras?: Partial<EvidenceExtras>): Promise<string>;
  /** The second file: the first `count` leaves of the tenant's tree. Undefined when it has fewer. */
  openTenantLeaves(tenantIdentity: string, count: number): Promise<AsyncIterable<Uint8Array> | undefined>;
}
