// Checks of evidence files in tests.
import { toHex } from '../../ledger/encoding/hex.ts';
import { fromBase64 } from '../../ledger/evidence/base64.ts';
import { type BlockHeader, decodeBlockHeader, hashHeader } from '../../ledger/evidence/blockHeader.ts';
import type { EvidenceFinding, Question } from '../../ledger/evidence/bundle/findings.ts';
import { verifyBundle } from '../../ledger/evidence/bundle/verifyBundle.ts';
import { fromRlpNumber } from '../../ledger/evidence/rlp.ts';
import { UnreadableEvidence } from '../../ledger/evidence/unreadableEvidence.ts';
import type { EvidenceFile } from './evidenceFiles.ts';
import type { Json } from './mutations.ts';

/** Exit code for a file that is unreadable. */
export const EXIT_UNREADABLE = 2;
/** No multiple and no part of a leaf's length. */
const PART_BYTES = 97;

/** What a check finds. */
export interface Checked {
  readonly exitCode: number;
  readonly findings: readonly EvidenceFinding[];
}

const toParts = async function* (bytes: Uint8Array, length: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
};

/** Checks a file under roots of trust. */
export const check = async (
  file: Json,
  trust: Json,
  leaves?: Uint8Array,
  readText?: (path: string) => Promise<string>,
): Promise<Checked> => {
  try {
    const files = { leaves: leaves && toParts(leaves, PART_BYTES), ...(readText && { readText }) };
    return await verifyBundle(JSON.stringify(file), JSON.stringify(trust), files);
  } catch (error) {
    if (!(error instanceof UnreadableEvidence)) throw error;
    return { exitCode: EXIT_UNREADABLE, findings: [] };
  }
};

/** The questions that are proved. */
export const provedOf = ({ findings }: { findings: readonly EvidenceFinding[] }): Question[] =>
  findings.filter(({ answer }) => answer === 'proved').map(({ question }) => question);

const headerOf = ({ blocks }: EvidenceFile): BlockHeader => {
  const [{ header }] = blocks as [{ header: string }];
  return decodeBlockHeader(fromBase64(header));
};

/** Hash of the only block of a file. */
export const hashOf = (file: EvidenceFile): string => toHex(hashHeader(headerOf(file)));

/** Time of the only block of a file, in seconds since the epoch. */
export const blockTimeOf = (file: EvidenceFile): number => fromRlpNumber(headerOf(file).timestamp);

/** Number of the only block of a file. */
export const blockNumberOf = (file: EvidenceFile): number => fromRlpNumber(headerOf(file).number);

/** Hashes of all blocks of a file. */
export const hashesOf = ({ blocks }: EvidenceFile): string[] =>
  (blocks as { header: string }[]).map(({ header }) => toHex(hashHeader(decodeBlockHeader(fromBase64(header)))));
