// Looks at the form of a JSON text before it is parsed. Parsing takes about 1 s and 400 MB for each 2 million empty
// arrays, which need 6 MB as text, so a text is refused that has more parts than answers of nodes have.
import { findExceeded } from '../../ledger/encoding/jsonForm.ts';

/** A text of this length costs little, whatever its form. */
const SMALL_BYTES = 256 * 1_024;
/** Arrays and objects within each other. */
const DEPTH_MAX = 64;
/** The parts that any text may have, and the bytes of each further one: those of nodes have 28 and more. */
const PARTS_FREE = 4_096;
const PART_BYTES = 16;

/** @throws Error when a text of over 256 KiB nests more than 64 levels, or has too many parts for its length. */
export const assertPlainJson = (text: Buffer): void => {
  if (text.length <= SMALL_BYTES) return;
  const partsMax = PARTS_FREE + text.length / PART_BYTES;
  const exceeded = findExceeded(text, { depthMax: DEPTH_MAX, partsMax });
  if (exceeded === 'depthMax') throw new Error(`more than ${DEPTH_MAX} levels`);
  if (exceeded === 'partsMax') throw new Error(`more than ${Math.floor(partsMax)} parts in ${text.length} bytes`);
};
