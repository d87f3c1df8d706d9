// What forgers would try, by name. No verifier accepts one.
import { ANCHOR_FORGERIES } from './anchorForgeries.ts';
import type { Variant } from './change.ts';
import { CLAIM_FORGERIES } from './claimForgeries.ts';
import type { Forgery, Known } from './forge.ts';
import { LIST_FORGERIES } from './listForgeries.ts';
import { MERGED_FORGERIES } from './mergedForgeries.ts';
import type { Original } from './originals.ts';
import { PROOF_FORGERIES } from './proofForgeries.ts';
import { RECORD_FORGERIES } from './recordForgeries.ts';
import { ROOT_FORGERIES } from './rootForgeries.ts';
import { VERDICT_FORGERIES } from './verdictForgeries.ts';

/** All forgeries, by what the forger tries. */
export const FORGERIES: Readonly<Record<string, Forgery>> = {
  ...CLAIM_FORGERIES,
  ...VERDICT_FORGERIES,
  ...RECORD_FORGERIES,
  ...LIST_FORGERIES,
  ...MERGED_FORGERIES,
  ...PROOF_FORGERIES,
  ...ROOT_FORGERIES,
  ...ANCHOR_FORGERIES,
};

/** Every forgery of the originals of each chain. */
export function* forgeriesOf(originals: readonly Original[], chains: readonly string[]): Generator<Variant> {
  for (const chain of chains) {
    const known: Known = (name) => originals.find((original) => original.name === `${chain}: ${name}`)!;
    for (const [name, [of, forge]] of Object.entries(FORGERIES)) {
      const original = known(of);
      const { file, trust, leaves = original.leaves } = forge(original, known);
      yield {
        name: `${original.name}: ${name}`,
        original,
        file: JSON.stringify(file),
        trust: JSON.stringify(trust),
        leaves,
        isForgery: true,
      };
    }
  }
}
