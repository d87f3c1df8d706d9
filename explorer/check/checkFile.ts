// Checks what a person has: an evidence file, the JSON of an event, or any other file. Nothing of it leaves the browser
// but its hash, and of an event its identity.
import { isEvidenceFile } from '../../ledger/evidence/bundle/bundle.ts';
import { parseStrictJson } from '../../ledger/evidence/bundle/strictJson.ts';
import { type EvidenceVerdict, verifyBundle } from '../../ledger/evidence/bundle/verifyBundle.ts';
import { api, type LedgerEvent, receive } from '../api/client.ts';

/** The largest file that is read. */
const BYTES_MAX = 67_108_864;
const EVENT_IDENTITY = /^assets\/([0-9a-f-]{36})\/events\/([0-9a-f-]{36})$/;
/** Answers of the server while a checkpoint is made. */
const ATTEMPTS_MAX = 60;
const PAUSE_MS = 500;

/** What a check found. */
export type CheckResult =
  | { readonly kind: 'evidence'; readonly verdict: EvidenceVerdict }
  | { readonly kind: 'event'; readonly identity: string; readonly verdict: EvidenceVerdict }
  | { readonly kind: 'file'; readonly hash: string; readonly blobs: readonly string[] };

interface LedgerOfFile {
  readonly ledger?: { readonly chain_id?: unknown; readonly contract?: unknown };
}

// Without roots of the reader's own, a file can be found consistent or refuted, and never proved.
const toRootless = (text: string): string => {
  const { ledger = {} } = JSON.parse(text) as LedgerOfFile;
  return JSON.stringify({ chain_id: ledger.chain_id, contract: ledger.contract });
};

const readJson = (bytes: Uint8Array): unknown => {
  try {
    return parseStrictJson(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    return undefined;
  }
};

const isEvent = (value: unknown): value is LedgerEvent =>
  EVENT_IDENTITY.test(String((value as Partial<LedgerEvent> | null)?.identity));

const toHexText = (bytes: ArrayBuffer): string =>
  [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('');

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const fetchEvidence = async (assetUuid: string, uuid: string): Promise<Record<string, unknown>> => {
  const params = { path: { asset_uuid: assetUuid, uuid } };
  for (let attempt = 1; ; attempt += 1)
    try {
      return (await receive(api.GET('/v2/assets/{asset_uuid}/events/{uuid}:evidence', { params }))).body;
    } catch (error) {
      if ((error as { status?: number }).status !== 503 || attempt === ATTEMPTS_MAX) throw error;
      await sleep(PAUSE_MS);
    }
};

// The event as the person has it, with the proofs of the event that the ledger has under its identity.
const checkEvent = async (event: LedgerEvent, trust: string | undefined): Promise<CheckResult> => {
  const [, assetUuid = '', uuid = ''] = EVENT_IDENTITY.exec(event.identity)!;
  const evidence = await fetchEvidence(assetUuid, uuid);
  const text = JSON.stringify({ ...evidence, claim: { kind: 'event', event } });
  return { kind: 'event', identity: event.identity, verdict: await verifyBundle(text, trust ?? toRootless(text)) };
};

const findBlobs = async (bytes: Uint8Array<ArrayBuffer>): Promise<CheckResult> => {
  const hash = toHexText(await crypto.subtle.digest('SHA-256', bytes));
  const { body } = await receive(api.GET('/v1/blobs', { params: { query: { hash } } }));
  return { kind: 'file', hash, blobs: body.blobs.map(({ identity }) => identity) };
};

/**
 * Checks a file.
 * @param trust text of a `trust.json` with the reader's roots; without it nothing is proved.
 * @throws ApiError, and UnreadableEvidence for an evidence file of another form.
 */
export const checkFile = async (file: Blob, trust: string | undefined): Promise<CheckResult> => {
  if (file.size > BYTES_MAX) throw new Error('The file has more than 64 MiB.');
  const bytes = new Uint8Array(await file.arrayBuffer());
  const value = readJson(bytes);
  if (isEvent(value)) return checkEvent(value, trust);
  if (!isEvidenceFile(value)) return findBlobs(bytes);
  const text = new TextDecoder().decode(bytes);
  return { kind: 'evidence', verdict: await verifyBundle(text, trust ?? toRootless(text)) };
};
