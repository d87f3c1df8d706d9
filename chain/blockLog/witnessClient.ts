// Requests cosignatures of one witness (c2sp.org/tlog-witness). What it answers is verified: it is another party.
import { encodeAddCheckpoint } from '../../ledger/evidence/addCheckpoint.ts';
import { fromDecimal } from '../../ledger/evidence/lines.ts';
import { verifyCheckpoint } from '../../ledger/evidence/signedCheckpoint.ts';
import { decodeSignedNote, encodeSignedNote, type NoteSignature } from '../../ledger/evidence/signedNote.ts';
import { UnreadableEvidence } from '../../ledger/evidence/unreadableEvidence.ts';
import type { VerifierKey } from '../../ledger/evidence/verifierKey.ts';
import { readBounded } from '../jsonRpc/readBounded.ts';
import type { SignedHead } from './blockLog.ts';
import { readConsistencyProof } from './logHashes.ts';
import { CLOCK_SECONDS_MAX, describeClock } from './witnessClock.ts';

const ANSWER_BYTES_MAX = 16 * 1024;
const OK = 200;
const CONFLICT = 409;

/** A witness as a log names it. */
export interface WitnessAddress {
  readonly key: VerifierKey;
  /** The prefix of its submissions, without a slash at the end. */
  readonly url: string;
}

/** A witness's cosignature of a checkpoint. */
export interface Cosigned {
  readonly cosignature: NoteSignature;
  /** How far its time is ahead of our clock when it arrives, at most a day; negative when it is behind. */
  readonly aheadSeconds: number;
}

/** What `createWitnessClient` needs of the log. */
export interface CosignedLog {
  /** With the tiles of the log. */
  readonly log: Parameters<typeof readConsistencyProof>[0];
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** Requests the cosignatures of one witness. */
export interface WitnessClient {
  readonly key: VerifierKey;
  /**
   * The witness's cosignature of a checkpoint.
   * @throws WitnessRefusal when it answers without one, or with one whose time is more than a day from ours; Error when
   * it doesn't answer.
   */
  cosign(head: SignedHead, signal: AbortSignal): Promise<Cosigned>;
}

/** Thrown when a witness answers, and doesn't cosign. */
export class WitnessRefusal extends Error {
  override readonly name = 'WitnessRefusal';
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

const readAnswer = async (response: Response): Promise<Answer> => {
  const bytes = await readBounded(response, ANSWER_BYTES_MAX);
  if (bytes === undefined) throw new WitnessRefusal(`it answers more than ${ANSWER_BYTES_MAX} bytes`);
  return { status: response.status, text: Buffer.from(bytes).toString() };
};

const asRefusal = <T>(what: string, read: () => T): T => {
  try {
    return read();
  } catch (cause) {
    if (!(cause instanceof UnreadableEvidence)) throw cause;
    throw new WitnessRefusal(what, { cause });
  }
};

const isSeen = (text: string): boolean => /^[\x20-\x7e]{1,200}$/.test(text);

const toRefusal = ({ status, text }: Answer): WitnessRefusal => {
  const [reason = ''] = text.split('\n', 1);
  return new WitnessRefusal(`it answers ${status}${isSeen(reason) ? ` (${reason})` : ''}`);
};

// Version 1.0.0 of the standard has 409 for another root at the size that the witness knows, later texts 422.
const isOtherRoot = ({ status, text }: Answer, oldSize: number, { size }: SignedHead): boolean =>
  status === CONFLICT && oldSize === size && (!/^\d{1,16}\n?$/.test(text) || Number(text) === size);

interface TimedCosignature {
  readonly cosignature: NoteSignature;
  readonly timeSeconds: number;
}

const readCosignature = (note: string, { text }: Answer, key: VerifierKey): TimedCosignature =>
  asRefusal('it answers 200 without a cosignature', () => {
    const signed = decodeSignedNote(`${note}${text}`);
    const cosignature = signed.signatures.find(({ name, id }) => name === key.name && id === key.id);
    // One signature alone: the witness chooses how many it sends.
    const own = encodeSignedNote({ ...signed, signatures: cosignature === undefined ? [] : [cosignature] });
    const timeSeconds = cosignature && verifyCheckpoint(own, [key])?.cosigners[0]?.timeSeconds;
    if (cosignature !== undefined && timeSeconds !== undefined) return { cosignature, timeSeconds };
    throw new WitnessRefusal('it answers 200 with a cosignature that is wrong');
  });

const toCosigned = ({ cosignature, timeSeconds }: TimedCosignature, nowMs: number): Cosigned => {
  const aheadSeconds = timeSeconds - Math.floor(nowMs / 1_000);
  if (Math.abs(aheadSeconds) <= CLOCK_SECONDS_MAX) return { cosignature, aheadSeconds };
  throw new WitnessRefusal(`the time of its cosignature is ${describeClock(aheadSeconds)}`);
};

const readKnownSize = ({ text }: Answer, { size }: SignedHead): number => {
  const known = asRefusal('it answers 409 without a size', () => fromDecimal(text.replace(/\n$/, '')));
  if (known <= size) return known;
  throw new WitnessRefusal(
    `it cosigned a checkpoint of ${known} blocks, and the log has ${size}: if the log was restored from an older backup, ` +
      'restore it with --new-log',
  );
};

/** A client of a witness, for a log. */
export const createWitnessClient = ({ key, url }: WitnessAddress, { log, now }: CosignedLog): WitnessClient => {
  // Size that the witness cosigned last; if that is wrong, it answers with the right one.
  let knownSize = 0;
  const send = async (head: SignedHead, signal: AbortSignal): Promise<Answer> => {
    const oldSize = Math.min(knownSize, head.size);
    const proof = await readConsistencyProof(log, oldSize, head.size);
    const body = encodeAddCheckpoint({ oldSize, proof, checkpoint: head.note });
    const headers = { 'content-type': 'text/plain; charset=utf-8' };
    const answer = await readAnswer(
      await fetch(`${url}/add-checkpoint`, { method: 'POST', body, headers, signal, redirect: 'error' }),
    );
    if (isOtherRoot(answer, oldSize, head))
      throw new WitnessRefusal(`it answers 409: it cosigned another checkpoint of ${head.size} blocks`);
    return answer;
  };
  return {
    key,
    cosign: async (head, signal) => {
      let answer = await send(head, signal);
      if (answer.status === CONFLICT) {
        knownSize = readKnownSize(answer, head);
        answer = await send(head, signal);
      }
      if (answer.status !== OK) throw toRefusal(answer);
      const timed = readCosignature(head.note, answer, key);
      knownSize = head.size;
      return toCosigned(timed, now());
    },
  };
};
