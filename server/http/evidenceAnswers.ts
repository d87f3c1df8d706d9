// The answers with evidence files: JSON texts of a media type of their own, with the name of a file.
import { LedgerError } from '../../ledger/errors.ts';
import type { EvidenceExtras, EvidenceSource } from '../evidenceSource.ts';

const EVIDENCE = 'application/vnd.provenance-ledger.evidence.v1+json';
const LEAVES = 'application/octet-stream';

/** An answer with an evidence file. */
export interface EvidenceFileAnswer {
  readonly status: 200;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** An answer with a binary file that is sent while it is read. */
export interface LeavesAnswer {
  readonly status: 200;
  readonly headers: Readonly<Record<string, string>>;
  readonly mediaType: string;
  readonly lines: AsyncIterable<Uint8Array>;
}

const toHeaders = (name: string): Record<string, string> => ({
  'content-disposition': `attachment; filename="${name}"`,
  'cache-control': 'no-store',
});

/** The answer with a file; `name` is a UUID or another text of letters, digits and hyphens. */
export const toEvidenceAnswer = (name: string, text: string): EvidenceFileAnswer => ({
  status: 200,
  headers: { ...toHeaders(`${name}.evidence.json`), 'content-type': EVIDENCE },
  text,
});

/** The answer with the leaves that belong to the file of the same name. */
export const toLeavesAnswer = (name: string, leaves: AsyncIterable<Uint8Array>): LeavesAnswer => ({
  status: 200,
  headers: toHeaders(`${name}.evidence.json.leaves`),
  mediaType: LEAVES,
  lines: leaves,
});

/** What the parameters of every request for evidence ask for, until its client is gone. */
export const toEvidenceExtras = ({ code }: { readonly code?: boolean }, signal: AbortSignal): EvidenceExtras => ({
  hasCode: code === true,
  signal,
});

/** What makes evidence. @throws LedgerError ROUTE_NOT_FOUND where a server can't make any. */
export const requireEvidence = ({ evidence }: { readonly evidence?: EvidenceSource | undefined }): EvidenceSource => {
  if (evidence === undefined) throw new LedgerError('ROUTE_NOT_FOUND');
  return evidence;
};
