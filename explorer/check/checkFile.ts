// Checks what a person has: an evidence file, the JSON of an event, or any other file. Nothing of it leaves the browser
// but its hash, and of an event its identity.
import { toHex } from '../../ledger/encoding/hex.ts';
import { sha256 } from '../../ledger/evidence/sha256.ts';
import { UnreadableEvidence } from '../../ledger/evidence/unreadableEvidence.ts';
import { api, type LedgerEvent, receive } from '../api/client.ts';
import { loadServerConfig } from '../api/config.ts';
import { fetchEventEvidence, fetchHistoryEvidence } from '../api/evidence.ts';
import type { ShownAsset } from '../api/reads.ts';
import { requestRpc } from '../api/rpc.ts';
import { checkOnChain } from './chainCheck.ts';
import { checkEvidenceText, EVENT_IDENTITY, readKind, type VerdictResult } from './givenFile.ts';

/** The largest file that is read. */
const BYTES_MAX = 67_108_864;

/** A file of the ledger with this hash. */
export interface FoundBlob {
  readonly identity: string;
  /** Identities of the newest events that attach it. */
  readonly attached_by: readonly string[];
  readonly attached_by_total: number;
}

/** What a check found. */
export type CheckResult =
  | VerdictResult
  | {
      readonly kind: 'file';
      readonly hash: string;
      readonly blobs: readonly FoundBlob[];
      /** Identities of events that state the hash, whether or not they attach a file. */
      readonly statedBy: readonly string[];
    };

/** Compares an event with what the contract stores, by a node of the server. */
export const checkEventOnChain = async (event: LedgerEvent): Promise<CheckResult> => {
  const request = (method: string, params: readonly unknown[]) => requestRpc(method, params, null);
  return { kind: 'chain', verdict: await checkOnChain(request, await loadServerConfig(), event) };
};

/** How a check is done. */
export interface CheckOptions {
  /** Text of a `trust.json` with the reader's roots; without it nothing is proved. */
  readonly trust?: string | undefined;
  /** Aborted when nobody waits for the result any more. */
  readonly signal: AbortSignal;
}

/** Checks the event as the person has it by the proofs of the event that the ledger has under its identity. */
export const checkEventEvidence = async (event: LedgerEvent, { trust, signal }: CheckOptions): Promise<CheckResult> => {
  const [, assetUuid = '', uuid = ''] = EVENT_IDENTITY.exec(event.identity)!;
  const evidence = await fetchEventEvidence(assetUuid, uuid, signal);
  return checkEvidenceText(JSON.stringify({ ...evidence, claim: { kind: 'event', event } }), trust);
};

/** Checks the proofs of an asset's history. */
export const checkHistoryEvidence = async (
  asset: ShownAsset,
  { signal }: Pick<CheckOptions, 'signal'>,
): Promise<CheckResult> => checkEvidenceText(JSON.stringify(await fetchHistoryEvidence(asset, signal)), undefined);

// Only proofs lead to roots of the reader's own.
const checkEvent = async (event: LedgerEvent, options: CheckOptions): Promise<CheckResult> =>
  options.trust === undefined && (await loadServerConfig()).rpc
    ? checkEventOnChain(event)
    : checkEventEvidence(event, options);

/** Finds the files with this SHA-256, in hexadecimal digits, and what attaches them. */
export const checkHash = async (hash: string): Promise<CheckResult> => {
  const { body } = await receive(api.GET('/v1/blobs', { params: { query: { hash } } }));
  const statedBy = (body.stated_by ?? []).map(({ event_identity }) => event_identity);
  return { kind: 'file', hash, blobs: body.blobs, statedBy };
};

// A file of another form is a file like any other.
const findKind = (bytes: Uint8Array) => {
  try {
    return readKind(bytes);
  } catch (error) {
    if (error instanceof UnreadableEvidence) return undefined;
    throw error;
  }
};

/**
 * Checks a file.
 * @throws ApiError, and UnreadableEvidence for an evidence file of another form.
 */
export const checkFile = async (file: Blob, options: CheckOptions): Promise<CheckResult> => {
  if (file.size > BYTES_MAX) throw new Error('The file has more than 64 MiB.');
  const bytes = new Uint8Array(await file.arrayBuffer());
  const kind = findKind(bytes);
  if (kind === undefined) return checkHash(toHex(sha256(bytes)).slice('0x'.length));
  return 'event' in kind ? checkEvent(kind.event, options) : checkEvidenceText(kind.evidence, options.trust);
};
