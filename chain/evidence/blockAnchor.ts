// The proof that the log of a chain's blocks contains a block, for the checkpoint that others know.
import { fromHex } from '../../ledger/encoding/hex.ts';
import { planInclusion, toProof } from '../../ledger/evidence/merkleProof.ts';
import { hashLeaf } from '../../ledger/evidence/merkleTree.ts';
import { encodeTlogProof, isProvenEntry } from '../../ledger/evidence/tlogProof.ts';
import type { BlockLog, SignedHead } from '../blockLog/blockLog.ts';
import { refuseLog } from '../blockLog/logFiles.ts';
import { readSubtreeHashes } from '../blockLog/logHashes.ts';
import type { BlockRef } from '../port.ts';

/**
 * The text of the proof (c2sp.org/tlog-proof@v1) that a checkpoint covers a block.
 * @param head a checkpoint of the log whose newest block is the block or a later one.
 * @throws LedgerError LOG_CORRUPT when the log has another block in its place, or a file is missing.
 */
export const proveLoggedBlock = async (
  log: Pick<BlockLog, 'readTile'>,
  { note, size, newestBlock }: Pick<SignedHead, 'note' | 'size' | 'newestBlock'>,
  { number, hash }: BlockRef,
): Promise<string> => {
  const index = number - (newestBlock - size + 1);
  const plan = planInclusion(index, size);
  const path = toProof(plan, await readSubtreeHashes(log, plan.flat(), size));
  const proof = { index, path, checkpoint: note };
  if (!isProvenEntry(proof, hashLeaf(fromHex(hash)))) throw refuseLog(`the block log has another block ${number}`);
  return encodeTlogProof(proof);
};
