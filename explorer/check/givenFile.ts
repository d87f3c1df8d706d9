// A file that a person has: what it is, and what its proofs prove. Asks nobody.
import { isEvidenceFile } from '../../ledger/evidence/bundle/bundle.ts';
import { parseStrictJson } from '../../ledger/evidence/bundle/strictJson.ts';
import { type EvidenceFiles, type EvidenceVerdict, verifyBundle } from '../../ledger/evidence/bundle/verifyBundle.ts';
import { assertReadable, UnreadableEvidence } from '../../ledger/evidence/unreadableEvidence.ts';
import type { LedgerEvent } from '../api/client.ts';
import type { ChainVerdict } from './chainCheck.ts';

export const EVENT_IDENTITY = /^assets\/([0-9a-f-]{36})\/events\/([0-9a-f-]{36})$/;

/** What the check of a record found. */
export type VerdictResult =
  | { readonly kind: 'chain'; readonly verdict: ChainVerdict }
  | { readonly kind: 'evidence'; readonly verdict: EvidenceVerdict };

interface LedgerOfFile {
  readonly ledger?: { readonly chain_id?: unknown; readonly contract?: unknown } | null;
}

/** Roots of trust without a root: a file can be found consistent or refuted with them, and never proved. */
const toRootless = (text: string): string => {
  const { ledger } = JSON.parse(text) as LedgerOfFile;
  const { chain_id, contract } = ledger ?? {};
  assertReadable(chain_id !== undefined && contract !== undefined, 'the file names no ledger');
  return JSON.stringify({ chain_id, contract });
};

/**
 * The JSON of a file.
 * @throws UnreadableEvidence for anything else, and beyond the verifier's bounds.
 */
export const readJson = (bytes: Uint8Array): unknown => {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new UnreadableEvidence('not UTF-8');
  }
  return parseStrictJson(text);
};

/** Whether it is the JSON of an event, by its identity alone. */
export const isEvent = (value: unknown): value is LedgerEvent =>
  EVENT_IDENTITY.test(String((value as Partial<LedgerEvent> | null)?.identity));

/**
 * What a file is.
 * @throws UnreadableEvidence where it is no JSON.
 */
export const readKind = (bytes: Uint8Array): { event: LedgerEvent } | { evidence: string } | undefined => {
  const value = readJson(bytes);
  if (isEvent(value)) return { event: value };
  return isEvidenceFile(value) ? { evidence: new TextDecoder().decode(bytes) } : undefined;
};

/**
 * Checks the text of an evidence file.
 * @param trust text of a `trust.json`; without it, the ledger that the file names, without a root.
 * @throws UnreadableEvidence for one of another form.
 */
export const checkEvidenceText = async (
  text: string,
  trust: string | undefined,
  files?: EvidenceFiles,
): Promise<VerdictResult> => ({
  kind: 'evidence',
  verdict: await verifyBundle(text, trust ?? toRootless(text), files),
});
