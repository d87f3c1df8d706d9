// The proof that a log contains an entry, as a text (c2sp.org/tlog-proof@v1): the entry's index, its path, and the
// signed checkpoint with the root.
import { fromBase64, toBase64 } from './base64.ts';
import { decodeCheckpoint } from './checkpoint.ts';
import { fromDecimal, toLines } from './lines.ts';
import { isIncluded } from './merkleProof.ts';
import { assertHashes } from './merkleTree.ts';
import { decodeSignedNote } from './signedNote.ts';
import { assertReadable } from './unreadableEvidence.ts';

const HEADER = 'c2sp.org/tlog-proof@v1';
const EXTRA = 'extra ';
const INDEX = 'index ';
/** UTF-16 units, of which a checkpoint may have half. */
const LENGTH_MAX = 256 * 1024;
const PATH_HASHES_MAX = 64;
/** Header, extra data and index come before the hashes. */
const LINES_MAX = PATH_HASHES_MAX + 3;

/** The proof of one entry. */
export interface TlogProof {
  /** Data of the application; nothing signs them. */
  readonly extra?: Uint8Array;
  readonly index: number;
  /** Hashes from the leaf's sibling upwards. */
  readonly path: readonly Uint8Array[];
  /** The signed note, as it is. */
  readonly checkpoint: string;
}

/** The text of a proof. */
export const encodeTlogProof = ({ extra, index, path, checkpoint }: TlogProof): string => {
  const extraLine = extra === undefined ? [] : [`${EXTRA}${toBase64(extra)}`];
  return [HEADER, ...extraLine, `${INDEX}${index}`, ...path.map(toBase64), '', checkpoint].join('\n');
};

/**
 * The proof in a text. Doesn't read its checkpoint.
 * @throws UnreadableEvidence for anything else, and beyond 256 KiB or 64 hashes.
 */
export const decodeTlogProof = (text: string): TlogProof => {
  assertReadable(text.length <= LENGTH_MAX, 'not a proof of a log');
  const end = text.indexOf('\n\n') + 1;
  const [header, ...lines] = toLines(text.slice(0, end), LINES_MAX);
  assertReadable(header === HEADER, 'a proof of a log with another header');
  const extra = lines[0]?.startsWith(EXTRA) ? { extra: fromBase64(lines.shift()!.slice(EXTRA.length)) } : {};
  const indexLine = lines.shift();
  assertReadable(indexLine?.startsWith(INDEX) === true, 'a proof of a log without an index');
  const index = fromDecimal(indexLine.slice(INDEX.length));
  const path = lines.map(fromBase64);
  assertReadable(path.length <= PATH_HASHES_MAX, 'a proof of more than 64 hashes');
  assertHashes(path);
  return { ...extra, index, path, checkpoint: text.slice(end + 1) };
};

/**
 * Whether the checkpoint of a proof contains the entry with this leaf hash. Doesn't verify who signed the checkpoint.
 * @throws UnreadableEvidence when the checkpoint isn't one, or the index is outside of its tree.
 */
export const isProvenEntry = ({ index, path, checkpoint }: TlogProof, leafHash: Uint8Array): boolean =>
  isIncluded({ index, hash: leafHash }, path, decodeCheckpoint(decodeSignedNote(checkpoint).text));
