// The part of an evidence file that shows the contract's code. It is the same in all files, and 2 to 3 kB, or twice as
// much with records on another ledger, so a file has it on request.
import { LedgerError } from '../../ledger/errors.ts';
import { toBase64 } from '../../ledger/evidence/base64.ts';
import type { Asker } from './coverage.ts';
import type { EvidenceContext } from './evidenceContext.ts';
import type { FileParts } from './evidenceFile.ts';

/** When another attempt may have succeeded. */
const RETRY_AFTER_MS = 600_000;

/**
 * Adds the proof of the contract's account to the parts of a file.
 * @throws LedgerError CODE_UNPROVEN while the server has none, and as `Coverage.cover`.
 */
export const addCode = async (
  { coverage, logProofs, findAccount }: EvidenceContext,
  asker: Asker,
  { blocks, proofs, ...parts }: FileParts,
): Promise<FileParts> => {
  const account = findAccount();
  if (account === undefined) throw new LedgerError('CODE_UNPROVEN', { retryAfterMs: RETRY_AFTER_MS });
  const { blockNumber, nodes } = account;
  const added = await coverage.cover(asker, [], async ({ head, untilBlock }) =>
    blockNumber > untilBlock ? undefined : logProofs.proveBlock(blockNumber, head),
  );
  const known = blocks.findIndex(({ header }) => header === added.header);
  const block = known === -1 ? blocks.length : known;
  return {
    ...parts,
    blocks: known === -1 ? [...blocks, added] : blocks,
    proofs: [...proofs, { kind: 'account', block, nodes: nodes.map(toBase64) }],
  };
};
