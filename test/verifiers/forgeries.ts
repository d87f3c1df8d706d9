// What forgers would try, by name. No verifier accepts one.

import type { Variant } from './change.ts';
import { CLAIM_FORGERIES } from './claimForgeries.ts';
import type { Forgery, Known } from './forge.ts';
import type { Original } from './originals.ts';
import { PROOF_FORGERIES } from './proofForgeries.ts';
import { ROOT_FORGERIES } from './rootForgeries.ts';

/** All forgeries, by what the forger tries. */
export const FORGERIES: Readonly<Record<string, Forgery>> = {
  ...CLAIM_FORGERIES,
  ...PROOF_FORGERIES,
  ...ROOT_FORGERIES,
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
