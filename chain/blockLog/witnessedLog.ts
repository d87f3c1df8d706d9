// A block log that shows no checkpoint before enough witnesses have cosigned it. Such a checkpoint is in the file
// `witnessed`, durable before it is shown; the file `checkpoint` is the log's own newest one, which may be ahead.
import { join } from 'node:path';
import { isSameBytes } from '../../ledger/evidence/bytes.ts';
import { decodeSignedNote, encodeSignedNote, type NoteSignature } from '../../ledger/evidence/signedNote.ts';
import { createSerialQueue } from '../writing/serialQueue.ts';
import type { BlockLog, SignedHead } from './blockLog.ts';
import type { CheckpointSigner } from './checkpointSigner.ts';
import { createDurableFiles } from './durableFiles.ts';
import { readText, refuseLog, WITNESSED_FILE } from './logFiles.ts';
import { readRoot } from './logHashes.ts';
import { verifyOwnNote } from './ownNote.ts';

/** A log whose `head` is its newest checkpoint with a quorum of witnesses. */
export interface WitnessedLog extends BlockLog {
  /** The newest checkpoint that the log signed; undefined before the first one. */
  newest(): SignedHead | undefined;
  /**
   * Shows a checkpoint of the log with the cosignatures of witnesses, once it is durable. Does nothing for one that is
   * smaller or older than that which is shown.
   */
  publish(head: SignedHead, cosignatures: readonly NoteSignature[]): Promise<void>;
}

interface WitnessedOptions {
  readonly directory: string;
  readonly firstBlock: number;
  readonly signer: Pick<CheckpointSigner, 'origin' | 'logKey' | 'timeKey'>;
}

const readWitnessed = async (
  log: BlockLog,
  { directory, firstBlock, signer }: WitnessedOptions,
): Promise<SignedHead | undefined> => {
  const note = await readText(join(directory, WITNESSED_FILE));
  if (note === undefined) return undefined;
  const { size, root, timeSeconds } = verifyOwnNote(WITNESSED_FILE, note, signer);
  if (size > (log.head()?.size ?? 0) || !isSameBytes(await readRoot(log, size), root))
    throw refuseLog(`log/${WITNESSED_FILE} is not a checkpoint of the tree in log`);
  return { note, size, newestBlock: firstBlock + size - 1, signedAtSeconds: timeSeconds };
};

/**
 * The log with the newest checkpoint that enough witnesses cosigned, as the directory has it.
 * @throws LedgerError LOG_CORRUPT when the file is damaged, or not of this log.
 */
export const openWitnessedLog = async (log: BlockLog, options: WitnessedOptions): Promise<WitnessedLog> => {
  const files = createDurableFiles(options.directory);
  const runSerially = createSerialQueue();
  let shown = await readWitnessed(log, options);
  const show = async (head: SignedHead, cosignatures: readonly NoteSignature[]): Promise<void> => {
    if (head.size < (shown?.size ?? 0) || head.signedAtSeconds < (shown?.signedAtSeconds ?? 0)) return;
    const { text, signatures } = decodeSignedNote(head.note);
    const note = encodeSignedNote({ text, signatures: [...signatures, ...cosignatures] });
    await files.write(WITNESSED_FILE, note);
    await files.syncNames();
    shown = { ...head, note };
  };
  return {
    ...log,
    head: () => shown,
    newest: log.head,
    publish: (head, cosignatures) => runSerially(() => show(head, cosignatures)),
  };
};
