// Seeded changes of evidence files, each of which somebody may try: of characters, values, encodings and trees.
import { type Change, pick, type Random, type Variant } from './change.ts';
import { changeEncoding, changeHeader, changeReceipt } from './encodingChanges.ts';
import { judgeOwnRecords } from './judgeChanges.ts';
import type { Original } from './originals.ts';
import { mergeOwnRecords } from './ownHistories.ts';
import {
  addMember,
  changeAnchor,
  changeBase64,
  changeCharacter,
  changeHex,
  changeLeaves,
  changeMember,
  changeNumber,
  changeNumberForm,
  changeStamp,
  changeTree,
  markByteOrder,
  repeatMember,
  swapParts,
  swapTrust,
  truncate,
} from './textChanges.ts';

const CHANGES: Readonly<Record<string, Change>> = {
  changeCharacter,
  markByteOrder,
  truncate,
  changeNumber,
  changeNumberForm,
  changeBase64,
  changeHex,
  changeMember,
  addMember,
  repeatMember,
  swapParts,
  swapTrust,
  changeEncoding,
  changeTree,
  changeAnchor,
  changeReceipt,
  changeHeader,
  changeLeaves,
  changeStamp,
  judgeOwnRecords,
  mergeOwnRecords,
};

/** So many variants of the originals, always the same for the same random numbers. */
export function* variantsOf(originals: readonly Original[], random: Random, count: number): Generator<Variant> {
  for (let made = 0; made < count; ) {
    const original = pick(random, originals);
    const [kind, change] = pick(random, Object.entries(CHANGES));
    const changed = change(original, random, originals);
    if (changed === undefined) continue;
    made += 1;
    yield {
      leaves: original.leaves,
      ...(changed as Variant),
      original,
      name: `${original.name}: ${kind} ${changed.name ?? ''}`,
    };
  }
}
