// The validators and seals of a reported header of Besu's IBFT 2.0 or QBFT. The block's hash shows which of the two
// engines it is; the beneficiary doesn't, since a chain may name any.
import { toHex } from '../../../ledger/encoding/hex.ts';
import { type BftRule, hashBftBlock, readBftHeaderSeals } from '../../../ledger/evidence/bftSeals.ts';
import type { BlockSeals } from './blockSeals.ts';
import type { ReportedHeader } from './reportedHeader.ts';

const RULES: readonly BftRule[] = ['ibft2', 'qbft'];

/**
 * The validators and seals of a Besu IBFT 2.0 or QBFT header; undefined for other chains. The genesis block has no
 * seals.
 */
export const readBftSeals = ({ header, hash }: ReportedHeader): BlockSeals | undefined => {
  const rule = RULES.find((candidate) => {
    const computed = hashBftBlock(header, candidate);
    return computed !== undefined && toHex(computed) === hash;
  });
  const seals = rule && readBftHeaderSeals(header, rule);
  return seals && { ...seals, isListCurrent: true };
};
