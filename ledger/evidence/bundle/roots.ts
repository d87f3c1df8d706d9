// Which of the caller's roots of trust the blocks of an evidence file are under.
import { toHex } from '../../encoding/hex.ts';
import { toBftQuorum } from '../bftSeals.ts';
import { readHeaderSeals } from '../blockHash.ts';
import { hashLeaf } from '../merkleTree.ts';
import { recoverSealKey } from '../recoverSealKey.ts';
import { findSealers } from '../sealers.ts';
import { verifyCheckpoint } from '../signedCheckpoint.ts';
import { isProvenEntry } from '../tlogProof.ts';
import { assertProved, type EvidenceFinding, toProved } from './findings.ts';
import type { HashedBlock } from './provenParts.ts';
import type { Trust } from './trust.ts';

/** What vouches for one block. */
interface BlockRoots {
  readonly isNoted: boolean;
  /** The log that the caller named has signed a checkpoint with the block. */
  readonly isLogged: boolean;
  /** A quorum of the caller's witnesses has, too. */
  readonly isWitnessed: boolean;
  /** Two thirds of the caller's validators, or on clique one of them, have sealed it. */
  readonly isSealed: boolean;
}

// A clique block has the seal of one signer, which proves nothing of its finality.
const toSealsNeeded = ({ rule }: HashedBlock, validators: number): number =>
  rule === 'clique' ? 1 : toBftQuorum(validators);

const isSealedBy = (block: HashedBlock, { validators }: Trust): boolean => {
  const seals = readHeaderSeals(block.header, block.rule);
  if (seals === undefined || validators.length === 0) return false;
  return findSealers(seals, validators, recoverSealKey).length >= toSealsNeeded(block, validators.length);
};

const findRoots = (block: HashedBlock, trust: Trust): BlockRoots => {
  const leafHash = hashLeaf(block.hash);
  let [isLogged, isWitnessed] = [false, false];
  for (const anchor of block.anchors) {
    const isIn = isProvenEntry(anchor, leafHash);
    assertProved(isIn, 'operator', `the checkpoint of an anchor does not contain block ${block.number}`);
    const verified = verifyCheckpoint(anchor.checkpoint, [...trust.logs, ...trust.witnesses]);
    assertProved(verified !== undefined, 'operator', 'a signature of a checkpoint is wrong');
    if (!verified.isLogSigned) continue;
    isLogged = true;
    isWitnessed ||= trust.quorum > 0 && verified.cosigners.length >= trust.quorum;
  }
  return { isNoted: trust.blocks.has(toHex(block.hash)), isLogged, isWitnessed, isSealed: isSealedBy(block, trust) };
};

const list = (blocks: readonly HashedBlock[]): string => blocks.map(({ number }) => number).join(', ');

/**
 * What holds for all blocks of a file.
 * @throws Refuted when an anchor contradicts its block, or a signature of a key that the caller named is wrong.
 */
export const findChainRoots = (blocks: readonly HashedBlock[], trust: Trust): EvidenceFinding[] => {
  const roots = blocks.map((block) => ({ block, ...findRoots(block, trust) }));
  const isUnder = (named: keyof BlockRoots): boolean => roots.every((one) => one[named]);
  const isFinal = roots.every(
    ({ block, isNoted, isLogged, isSealed }) => isNoted || isLogged || (isSealed && block.rule !== 'clique'),
  );
  const name = `block ${list(blocks)}`;
  return [
    ...(isFinal ? [toProved('chain', `${name} is under a root that you named`)] : []),
    ...(isUnder('isLogged') ? [toProved('operator', `the log has published ${name} and can't deny it`)] : []),
    ...(isUnder('isWitnessed') ? [toProved('split-view', `${trust.quorum} of your witnesses saw the same log`)] : []),
    ...(isUnder('isSealed') ? [toProved('seals', `${name} has the seals of validators that you named`)] : []),
  ];
};
