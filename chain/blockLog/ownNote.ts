// The checkpoints that a log's own key signed, as its files have them.
import { verifyCheckpoint } from '../../ledger/evidence/signedCheckpoint.ts';
import { UnreadableEvidence } from '../../ledger/evidence/unreadableEvidence.ts';
import type { CheckpointSigner } from './checkpointSigner.ts';
import { refuseLog } from './logFiles.ts';

/** A checkpoint that the log signed, and when it did. */
export interface OwnCheckpoint {
  readonly size: number;
  readonly root: Uint8Array;
  readonly timeSeconds: number;
}

const REMEDY = 'Nothing was changed. Restore keys/log.key or the directory log from a backup';

/**
 * The checkpoint in a file of a log.
 * @param name of the file.
 * @param remedy what the operator can do.
 * @throws LedgerError LOG_CORRUPT when it is damaged, or when another key signed it.
 */
export const verifyOwnNote = (
  name: string,
  note: string,
  { origin, logKey, timeKey }: Pick<CheckpointSigner, 'origin' | 'logKey' | 'timeKey'>,
  remedy?: string,
): OwnCheckpoint => {
  try {
    const verified = verifyCheckpoint(note, [logKey, timeKey]);
    const timeSeconds = verified?.cosigners[0]?.timeSeconds;
    if (verified?.isLogSigned && timeSeconds !== undefined) return { ...verified.checkpoint, timeSeconds };
  } catch (cause) {
    if (!(cause instanceof UnreadableEvidence)) throw cause;
    throw refuseLog(`log/${name} is damaged`, remedy, cause);
  }
  throw refuseLog(`keys/log.key did not sign log/${name} of ${origin}`, remedy ?? REMEDY);
};
