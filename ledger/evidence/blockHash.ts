// The hash that identifies a block, by the rule of its chain.
import { type BftRule, hashBftBlock, readBftHeaderSeals } from './bftSeals.ts';
import { type BlockHeader, hashHeader } from './blockHeader.ts';
import { readCliqueHeaderSeal } from './cliqueSeal.ts';
import type { HeaderSeals } from './sealers.ts';

/** How a chain hashes its blocks, and where it has their seals. */
export type HashRule = 'ethereum' | 'clique' | BftRule;

const isBft = (rule: HashRule): rule is BftRule => rule === 'qbft' || rule === 'ibft2';

/** The hash of a block, 32 bytes; undefined when the header isn't one of a chain with this rule. */
export const toBlockHash = (header: BlockHeader, rule: HashRule): Uint8Array | undefined =>
  isBft(rule) ? hashBftBlock(header, rule) : hashHeader(header);

/** The seals in a header; undefined when the rule has none, or the header isn't one of a chain with this rule. */
export const readHeaderSeals = (header: BlockHeader, rule: HashRule): HeaderSeals | undefined => {
  if (isBft(rule)) return readBftHeaderSeals(header, rule);
  return rule === 'clique' ? readCliqueHeaderSeal(header) : undefined;
};
