// A witness of logs (c2sp.org/tlog-witness): it cosigns a checkpoint that is consistent with all that it cosigned
// before for the same origin, and nothing else.
import { createSerialQueue } from '../../chain/writing/serialQueue.ts';
import { decodeAddCheckpoint } from '../../ledger/evidence/addCheckpoint.ts';
import { isSameBytes } from '../../ledger/evidence/bytes.ts';
import { type Checkpoint, decodeCheckpoint } from '../../ledger/evidence/checkpoint.ts';
import { encodeCosignature, toCosignedMessage } from '../../ledger/evidence/cosignature.ts';
import { isConsistent } from '../../ledger/evidence/merkleProof.ts';
import { EMPTY_ROOT } from '../../ledger/evidence/merkleTree.ts';
import { verifyCheckpoint } from '../../ledger/evidence/signedCheckpoint.ts';
import {
  decodeSignedNote,
  encodeSignatureLine,
  encodeSignedNote,
  type NoteSignature,
  type SignedNote,
} from '../../ledger/evidence/signedNote.ts';
import { UnreadableEvidence } from '../../ledger/evidence/unreadableEvidence.ts';
import type { VerifierKey } from '../../ledger/evidence/verifierKey.ts';
import type { WitnessKey } from './witnessKey.ts';
import type { WitnessState } from './witnessState.ts';

/** Answer to a request, as HTTP has it. */
export interface WitnessAnswer {
  readonly status: 200 | 400 | 403 | 404 | 409 | 422;
  /** The signature line at 200, the size that it knows at 409, else the reason. */
  readonly text: string;
}

/** Cosigns checkpoints. */
export interface Witness {
  /** Answers the body of an `add-checkpoint` request. A cosignature is on the disk before this resolves. */
  addCheckpoint(body: string): Promise<WitnessAnswer>;
}

/** Options of a witness. */
export interface WitnessOptions {
  readonly key: WitnessKey;
  /** Keys of the logs that it follows. The name of each is the origin of its log. */
  readonly logs: readonly VerifierKey[];
  readonly state: WitnessState;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

// A checkpoint that a followed log signed.
interface Submitted {
  readonly oldSize: number;
  readonly proof: readonly Uint8Array[];
  readonly checkpoint: Checkpoint;
  readonly text: string;
  /** Those of the followed log. */
  readonly signatures: readonly NoteSignature[];
}

const refuse = (status: Exclude<WitnessAnswer['status'], 200>, reason: string): WitnessAnswer => ({
  status,
  text: `${reason}\n`,
});

// The first of each key, and no other: the sender of a checkpoint chooses how many signatures it has.
const selectSignatures = ({ signatures }: SignedNote, keys: readonly VerifierKey[]): NoteSignature[] =>
  keys.flatMap((key) => signatures.find(({ name, id }) => name === key.name && id === key.id) ?? []);

// A second signature of a key, unless it is the same again, would have to be verified, too.
const isSignedTwice = ({ signatures }: SignedNote, selected: readonly NoteSignature[]): boolean =>
  selected.some((known) =>
    signatures.some(
      ({ name, id, signature }) => name === known.name && id === known.id && !isSameBytes(signature, known.signature),
    ),
  );

const authenticate = (body: string, logs: readonly VerifierKey[]): Submitted | WitnessAnswer => {
  const { oldSize, proof, checkpoint: note } = decodeAddCheckpoint(body);
  const signed = decodeSignedNote(note);
  const checkpoint = decodeCheckpoint(signed.text);
  const keys = logs.filter(({ name }) => name === checkpoint.origin);
  if (keys.length === 0) return refuse(404, 'this witness does not follow the log');
  const signatures = selectSignatures(signed, keys);
  if (isSignedTwice(signed, signatures)) return refuse(403, 'a key of the log has two signatures');
  const selected = encodeSignedNote({ text: signed.text, signatures });
  if (signatures.length === 0 || verifyCheckpoint(selected, keys)?.isLogSigned !== true)
    return refuse(403, 'the log did not sign the checkpoint');
  if (oldSize > checkpoint.size) return refuse(400, 'the old size exceeds that of the checkpoint');
  return { oldSize, proof, checkpoint, text: signed.text, signatures };
};

const findContradiction = ({ oldSize, proof, checkpoint }: Submitted, knownRoot: Uint8Array): string | undefined => {
  if (checkpoint.size === 0 && !isSameBytes(checkpoint.root, EMPTY_ROOT)) return 'the root is not that of no entries';
  const isExtended = isConsistent({ size: oldSize, root: knownRoot }, checkpoint, proof);
  return isExtended ? undefined : 'the checkpoint is not consistent with the one before';
};

/** A witness with this state. It alone may use the state. */
export const createWitness = ({ key, logs, state, now }: WitnessOptions): Witness => {
  const runSerially = createSerialQueue();

  const cosign = async (submitted: Submitted): Promise<WitnessAnswer> => {
    const { checkpoint, text, signatures } = submitted;
    const known = state.find(checkpoint.origin);
    if (submitted.oldSize !== (known?.size ?? 0)) return refuse(409, `${known?.size ?? 0}`);
    const contradiction = findContradiction(submitted, known?.root ?? EMPTY_ROOT);
    if (contradiction !== undefined) return refuse(422, contradiction);
    // A cosignature states that no larger tree was seen until then, so its time never goes back.
    const timeSeconds = Math.max(Math.floor(now() / 1_000), known?.timeSeconds ?? 1);
    const signature = encodeCosignature(timeSeconds, key.sign(toCosignedMessage(text, timeSeconds)));
    const own = { ...key.verifier, signature };
    const note = encodeSignedNote({ text, signatures: [...signatures, own] });
    await state.save({ ...checkpoint, timeSeconds, note });
    return { status: 200, text: encodeSignatureLine(own) };
  };

  return {
    addCheckpoint: async (body) => {
      try {
        const submitted = authenticate(body, logs);
        // One after the other: what is compared with the state must still be its end when it is saved.
        return await ('status' in submitted ? submitted : runSerially(() => cosign(submitted)));
      } catch (error) {
        if (error instanceof UnreadableEvidence) return refuse(400, error.message);
        throw error;
      }
    },
  };
};
