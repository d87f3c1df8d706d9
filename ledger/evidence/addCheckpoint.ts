// The request for a witness's cosignature (c2sp.org/tlog-witness, add-checkpoint): the size that the witness knows, the
// proof that the new checkpoint is consistent with it, and the checkpoint.
import { fromBase64, toBase64 } from './base64.ts';
import { fromDecimal, toLines } from './lines.ts';
import { assertHashes } from './merkleTree.ts';
import { assertReadable } from './unreadableEvidence.ts';

const OLD = 'old ';
const PROOF_HASHES_MAX = 63;
const HASH_LINE_LENGTH = 45;
const NOTE_LENGTH_MAX = 128 * 1024;

/** UTF-16 units of a request at most, and bytes of one whose checkpoint is ASCII. */
export const ADD_CHECKPOINT_LENGTH_MAX = NOTE_LENGTH_MAX + (PROOF_HASHES_MAX + 1) * HASH_LINE_LENGTH;

/** A request to cosign a checkpoint. */
export interface AddCheckpoint {
  /** Size of the checkpoint that the witness cosigned last; 0 if there is none. */
  readonly oldSize: number;
  /** Hashes of the proof of consistency (RFC 6962, section 2.1.2). */
  readonly proof: readonly Uint8Array[];
  /** The signed note, as it is. */
  readonly checkpoint: string;
}

/** The body of a request. */
export const encodeAddCheckpoint = ({ oldSize, proof, checkpoint }: AddCheckpoint): string =>
  [`${OLD}${oldSize}`, ...proof.map(toBase64), '', checkpoint].join('\n');

/**
 * The request in a body. Doesn't read its checkpoint.
 * @throws UnreadableEvidence for anything else, and for more than 63 hashes.
 */
export const decodeAddCheckpoint = (body: string): AddCheckpoint => {
  assertReadable(body.length <= ADD_CHECKPOINT_LENGTH_MAX, 'a request that is too long');
  const end = body.indexOf('\n\n') + 1;
  assertReadable(end > 0, 'a request without an empty line');
  const [old, ...hashes] = toLines(body.slice(0, end), PROOF_HASHES_MAX + 1);
  assertReadable(old?.startsWith(OLD) === true, 'a request without the old size');
  const oldSize = fromDecimal(old.slice(OLD.length));
  const proof = hashes.map(fromBase64);
  assertHashes(proof);
  return { oldSize, proof, checkpoint: body.slice(end + 1) };
};
