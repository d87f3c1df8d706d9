// Which of the caller's roots of trust the blocks of an evidence file are under.
import type { Certificate } from 'pkijs';
import { toHex } from '../../encoding/hex.ts';
import { toBftQuorum } from '../bftSeals.ts';
import { readHeaderSeals } from '../blockHash.ts';
import { toUtf8 } from '../lines.ts';
import { hashLeaf } from '../merkleTree.ts';
import { recoverSealKey } from '../recoverSealKey.ts';
import { findSealers } from '../sealers.ts';
import { type Cosigner, verifyCheckpoint } from '../signedCheckpoint.ts';
import { decodeSignedNote } from '../signedNote.ts';
import { checkTimestamp } from '../timestampToken.ts';
import { isProvenEntry } from '../tlogProof.ts';
import type { Anchor } from './bundle.ts';
import { assertProved, type EvidenceFinding, toProved } from './findings.ts';
import type { HashedBlock } from './provenParts.ts';
import type { Trust } from './trust.ts';

/** What the caller named. */
export interface Roots {
  readonly trust: Trust;
  /** Certificates of the file in `tsa_ca_file`. */
  readonly authorities: readonly Certificate[];
}

/** The last time that a Date can have. */
const DATE_MS_MAX = 8.64e15;

/** What vouches for one block. */
interface BlockRoots {
  readonly isNoted: boolean;
  /** The log that the caller named has signed a checkpoint with the block. */
  readonly isLogged: boolean;
  /** A quorum of the caller's witnesses has, too. */
  readonly isWitnessed: boolean;
  /** Two thirds of the caller's validators, or on clique one of them, have sealed it. */
  readonly isSealed: boolean;
  /** Since when the block exists, by witnesses or authorities that the caller named; milliseconds since the epoch. */
  readonly existedMs: number | undefined;
}

// A clique block has the seal of one signer, which proves nothing of its finality.
const toSealsNeeded = ({ rule }: HashedBlock, validators: number): number =>
  rule === 'clique' ? 1 : toBftQuorum(validators);

const isSealedBy = (block: HashedBlock, { validators }: Trust): boolean => {
  const seals = readHeaderSeals(block.header, block.rule);
  if (seals === undefined || validators.length === 0) return false;
  return findSealers(seals, validators, recoverSealKey).length >= toSealsNeeded(block, validators.length);
};

/** What one anchor says of its block. */
type AnchorRoots = Pick<BlockRoots, 'isLogged' | 'isWitnessed'> & { readonly timesMs: readonly number[] };

const MS_PER_SECOND = 1_000;

// When the last of the first `quorum` witnesses signed.
const toCosignedMs = (cosigners: readonly Cosigner[], quorum: number): number =>
  MS_PER_SECOND * cosigners.map(({ timeSeconds }) => timeSeconds).sort((a, b) => a - b)[quorum - 1]!;

const readTimes = async ({ tokens, checkpoint }: Anchor, named: readonly Certificate[]): Promise<number[]> => {
  const message = toUtf8(decodeSignedNote(checkpoint).text);
  const timesMs: number[] = [];
  for (const token of named.length === 0 ? [] : tokens) {
    const found = await checkTimestamp(token, message, named);
    if (!found.isUnderRoot) continue;
    assertProved(found.at !== undefined, 'time', 'a time stamp under your roots is not one of the checkpoint');
    timesMs.push(found.at.getTime());
  }
  return timesMs;
};

const findAnchorRoots = async (anchor: Anchor, block: HashedBlock, roots: Roots): Promise<AnchorRoots> => {
  const { logs, witnesses, quorum } = roots.trust;
  const isIn = isProvenEntry(anchor, hashLeaf(block.hash));
  assertProved(isIn, 'operator', `the checkpoint of an anchor does not contain block ${block.number}`);
  const verified = verifyCheckpoint(anchor.checkpoint, [...logs, ...witnesses]);
  assertProved(verified !== undefined, 'operator', 'a signature of a checkpoint is wrong');
  const { isLogSigned, cosigners } = verified;
  const isWitnessed = isLogSigned && quorum > 0 && cosigners.length >= quorum;
  const stamped = await readTimes(anchor, roots.authorities);
  const timesMs = isWitnessed ? [...stamped, toCosignedMs(cosigners, quorum)] : stamped;
  return { isLogged: isLogSigned, isWitnessed, timesMs };
};

const findRoots = async (block: HashedBlock, roots: Roots): Promise<BlockRoots> => {
  const anchors: AnchorRoots[] = [];
  for (const anchor of block.anchors) anchors.push(await findAnchorRoots(anchor, block, roots));
  const timesMs = anchors.flatMap((anchor) => anchor.timesMs);
  return {
    isNoted: roots.trust.blocks.has(toHex(block.hash)),
    isLogged: anchors.some(({ isLogged }) => isLogged),
    isWitnessed: anchors.some(({ isWitnessed }) => isWitnessed),
    isSealed: isSealedBy(block, roots.trust),
    existedMs: timesMs.length === 0 ? undefined : Math.min(...timesMs),
  };
};

const list = (blocks: readonly HashedBlock[]): string => blocks.map(({ number }) => number).join(', ');

const toTimes = (roots: readonly BlockRoots[], name: string): EvidenceFinding[] => {
  const existedMs = Math.max(...roots.map((root) => root.existedMs ?? Number.POSITIVE_INFINITY));
  const text = existedMs <= DATE_MS_MAX ? new Date(existedMs).toISOString() : `${existedMs / MS_PER_SECOND} s`;
  return Number.isFinite(existedMs) ? [toProved('time', `${name} existed at ${text}`)] : [];
};

/**
 * What holds for all blocks of a file.
 * @throws Refuted when an anchor contradicts its block, or a signature of a key that the caller named is wrong.
 */
export const findChainRoots = async (blocks: readonly HashedBlock[], named: Roots): Promise<EvidenceFinding[]> => {
  const roots: (BlockRoots & { readonly block: HashedBlock })[] = [];
  for (const block of blocks) roots.push({ block, ...(await findRoots(block, named)) });
  const isUnder = (root: 'isLogged' | 'isWitnessed' | 'isSealed'): boolean => roots.every((one) => one[root]);
  const isFinal = roots.every(
    ({ block, isNoted, isLogged, isSealed }) => isNoted || isLogged || (isSealed && block.rule !== 'clique'),
  );
  const name = `block ${list(blocks)}`;
  const { quorum } = named.trust;
  return [
    ...(isFinal ? [toProved('chain', `${name} is under a root that you named`)] : []),
    ...(isUnder('isLogged') ? [toProved('operator', `the log has published ${name} and can't deny it`)] : []),
    ...(isUnder('isWitnessed') ? [toProved('split-view', `${quorum} of your witnesses saw the same log`)] : []),
    ...(isUnder('isSealed') ? [toProved('seals', `${name} has the seals of validators that you named`)] : []),
    ...toTimes(roots, name),
  ];
};
