// The head of a log as a text (c2sp.org/tlog-checkpoint): origin, size and root hash on a line each, then lines that
// have no meaning here.
import { fromBase64, toBase64 } from './base64.ts';
import { fromDecimal, toLines } from './lines.ts';
import type { TreeHead } from './merkleProof.ts';
import { assertReadable } from './unreadableEvidence.ts';

const ROOT_BYTES = 32;
const EXTENSIONS_MAX = 64;

/** The head of a log, before it is signed. */
export interface Checkpoint extends TreeHead {
  /** The name of the log. */
  readonly origin: string;
  /** Further lines, without their newlines. */
  readonly extensions: readonly string[];
}

/** The text of a checkpoint that is signed. */
export const encodeCheckpoint = ({ origin, size, root, extensions }: Checkpoint): string =>
  `${[origin, `${size}`, toBase64(root), ...extensions].join('\n')}\n`;

/**
 * The checkpoint in the text of a note.
 * @throws UnreadableEvidence for anything else, for a size beyond 2^53 - 1, and for more than 64 further lines.
 */
export const decodeCheckpoint = (text: string): Checkpoint => {
  const [origin, size, root, ...extensions] = toLines(text, 3 + EXTENSIONS_MAX);
  assertReadable(origin !== undefined && size !== undefined && root !== undefined, 'not a checkpoint');
  assertReadable(origin !== '' && !extensions.includes(''), 'a checkpoint with an empty line');
  const hash = fromBase64(root);
  assertReadable(hash.length === ROOT_BYTES, 'a root hash without 32 bytes');
  return { origin, size: fromDecimal(size), root: hash, extensions };
};
