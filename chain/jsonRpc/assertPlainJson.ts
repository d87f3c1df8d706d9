// Looks at the form of a JSON text before it is parsed. Parsing takes about 1 s and 400 MB for each 2 million empty
// arrays, which need 6 MB as text, so a text is refused that has more parts than answers of nodes have.
import type { Steps } from '../../ledger/compliance/steps.ts';
import { findExceededInSteps } from '../../ledger/encoding/jsonForm.ts';

/** Arrays and objects within each other. */
const DEPTH_MAX = 64;
/** The parts that any text may have, and the bytes of each further one: those of nodes have 28 and more. */
const PARTS_FREE = 4_096;
const PART_BYTES = 16;

/** @throws Error when a text nests more than 64 levels, or has too many parts for its length. */
export function* assertPlainJson(text: Uint8Array): Steps<void> {
  const partsMax = PARTS_FREE + text.length / PART_BYTES;
  const exceeded = yield* findExceededInSteps(text, { depthMax: DEPTH_MAX, partsMax });
  if (exceeded === 'depthMax') throw new Error(`more than ${DEPTH_MAX} levels`);
  if (exceeded === 'partsMax') throw new Error(`more than ${Math.floor(partsMax)} parts in ${text.length} bytes`);
}
