// Which of the caller's roots of trust the blocks of an evidence file are under.
import type { Certificate } from 'pkijs';
import { toHex } from '../../encoding/hex.ts';
import { toBftQuorum } from '../bftSeals.ts';
import { readHeaderSeals } from '../blockHash.ts';
import { isSameBytes } from '../bytes.ts';
import { toUtf8 } from '../lines.ts';
import { hashLeaf } from '../merkleTree.ts';
import { findSealers } from '../sealers.ts';
import { sha256 } from '../sha256.ts';
import type { Cosigner, VerifiedCheckpoint } from '../signedCheckpoint.ts';
import { decodeSignedNote } from '../signedNote.ts';
import { isProvenEntry } from '../tlogProof.ts';
import { readElsewhere } from './blocks.ts';
import { assertProved, type EvidenceFinding, toProved, toUnanswered } from './findings.ts';
import { type HashedAnchor, type HashedBlock, type HashedElsewhere, hashElsewhere, proveLog } from './provenParts.ts';
import { describeRecordings, type Recording } from './recordings.ts';
import { describeTime } from './times.ts';
import type { LedgerTrust } from './trust.ts';

/** What the caller named. */
export interface Roots {
  readonly trust: LedgerTrust;
  /** The same of other ledgers. */
  readonly elsewhere: readonly LedgerTrust[];
  /** Certificates of the file in `tsa_ca_file`. */
  readonly authorities: readonly Certificate[];
}

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
  /** Records of checkpoints with the block on other ledgers that the caller knows. */
  readonly recordings: readonly Recording[];
}

// A clique block has the seal of one signer, which proves nothing of its finality.
const toSealsNeeded = ({ rule }: HashedBlock, validators: number): number =>
  rule === 'clique' ? 1 : toBftQuorum(validators);

// The curves of signatures are a third of the verifier in a browser, and are loaded for the keys that a caller names.
const isSealedBy = async (block: HashedBlock, { validators }: LedgerTrust): Promise<boolean> => {
  const seals = readHeaderSeals(block.header, block.rule);
  if (seals === undefined || validators.length === 0) return false;
  const { recoverSealKey } = await import('../recoverSealKey.ts');
  return findSealers(seals, validators, recoverSealKey).length >= toSealsNeeded(block, validators.length);
};

type Signers = Pick<VerifiedCheckpoint, 'isLogSigned' | 'cosigners'>;

const NOBODY: Signers = { isLogSigned: false, cosigners: [] };

const findSigners = async ({ checkpoint }: HashedAnchor, { logs, witnesses }: LedgerTrust): Promise<Signers> => {
  const keys = [...logs, ...witnesses];
  if (keys.length === 0) return NOBODY;
  const { verifyCheckpoint } = await import('../signedCheckpoint.ts');
  const verified = verifyCheckpoint(checkpoint, keys);
  assertProved(verified !== undefined, 'operator', 'a signature of a checkpoint is wrong');
  return verified;
};

/** What one anchor says of its block. */
type AnchorRoots = Pick<BlockRoots, 'isLogged' | 'isWitnessed' | 'recordings'> & {
  readonly timesMs: readonly number[];
};

const MS_PER_SECOND = 1_000;

// When the last of the first `quorum` witnesses signed.
const toCosignedMs = (cosigners: readonly Cosigner[], quorum: number): number =>
  MS_PER_SECOND * cosigners.map(({ timeSeconds }) => timeSeconds).sort((a, b) => a - b)[quorum - 1]!;

const readTimes = async (
  { tokens }: HashedAnchor,
  message: Uint8Array,
  named: readonly Certificate[],
): Promise<number[]> => {
  if (named.length === 0) return [];
  // With its libraries it is as large as all else, and few files need it.
  const { checkTimestamp } = await import('../timestampToken.ts');
  const timesMs: number[] = [];
  for (const token of tokens) {
    const found = await checkTimestamp(token, message, named);
    if (!found.isUnderRoot) continue;
    assertProved(found.at !== undefined, 'time', 'a time stamp under your roots is not one of the checkpoint');
    timesMs.push(found.at.getTime());
  }
  return timesMs;
};

const isFinal = ({ rule }: HashedBlock, { isNoted, isLogged, isSealed }: BlockRoots): boolean =>
  isNoted || isLogged || (isSealed && rule !== 'clique');

const isOf = ({ ledger }: HashedElsewhere, { chainId, contract }: LedgerTrust): boolean =>
  ledger.chainId === chainId && isSameBytes(ledger.contract, contract);

// Whether the caller knows the other ledger or not, what the file says of it must be right. Undefined: it isn't known.
const findRecording = async (
  record: HashedElsewhere,
  hash: string,
  known: readonly LedgerTrust[],
): Promise<Recording | undefined> => {
  const { block, ledger, proof } = record;
  const { log } = proveLog(proof, [block], ledger.contract);
  const isAppended = log.event === 'RecordAppended';
  const hasHash = isAppended && new TextDecoder('latin1').decode(log.payload).includes(hash);
  assertProved(hasHash, 'elsewhere', 'the record on another ledger has not the hash of the checkpoint');
  const trusted = known.filter((one) => isOf(record, one));
  const nobody: LedgerTrust = { ...ledger, blocks: new Set(), logs: [], witnesses: [], quorum: 0, validators: [] };
  let isKnown = false;
  for (const trust of trusted.length === 0 ? [nobody] : trusted) {
    const roots = await findRoots(block, { trust, elsewhere: [], authorities: [] });
    isKnown ||= isFinal(block, roots);
  }
  return isKnown && isAppended ? { ledger, block, tenant: log.tenant, stream: log.stream } : undefined;
};

/**
 * Whether a record on another ledger, as an anchor has it, is in a block under the roots that are named of that ledger.
 * @param message the text of the recorded checkpoint that the log signs.
 * @param trust what is trusted of the other ledger; undefined: it may be any, and the answer is no.
 * @throws UnreadableEvidence for another form; Refuted when it is on another ledger, or isn't a record of the message.
 */
export const checkElsewhere = async (
  value: unknown,
  message: Uint8Array,
  trust: LedgerTrust | undefined,
): Promise<boolean> => {
  const record = hashElsewhere(readElsewhere(value, 'the record'), 'the block of the record');
  const isNamed = trust === undefined || isOf(record, trust);
  assertProved(isNamed, 'elsewhere', 'the record is on another ledger than the one that you named');
  const hash = toHex(sha256(message)).slice(2);
  return (await findRecording(record, hash, trust === undefined ? [] : [trust])) !== undefined;
};

const findRecordings = async (
  { elsewhere }: HashedAnchor,
  message: Uint8Array,
  known: readonly LedgerTrust[],
): Promise<Recording[]> => {
  const hash = toHex(sha256(message)).slice(2);
  const found: Recording[] = [];
  for (const record of elsewhere) {
    const recording = await findRecording(record, hash, known);
    if (recording !== undefined) found.push(recording);
  }
  return found;
};

const findAnchorRoots = async (anchor: HashedAnchor, block: HashedBlock, roots: Roots): Promise<AnchorRoots> => {
  const { quorum } = roots.trust;
  const isIn = isProvenEntry(anchor, hashLeaf(block.hash));
  assertProved(isIn, 'operator', `the checkpoint of an anchor does not contain block ${block.number}`);
  const { isLogSigned, cosigners } = await findSigners(anchor, roots.trust);
  const isWitnessed = isLogSigned && quorum > 0 && cosigners.length >= quorum;
  const message = toUtf8(decodeSignedNote(anchor.checkpoint).text);
  const stamped = await readTimes(anchor, message, roots.authorities);
  const timesMs = isWitnessed ? [...stamped, toCosignedMs(cosigners, quorum)] : stamped;
  const recordings = await findRecordings(anchor, message, roots.elsewhere);
  return { isLogged: isLogSigned, isWitnessed, timesMs, recordings };
};

const findRoots = async (block: HashedBlock, roots: Roots): Promise<BlockRoots> => {
  const anchors: AnchorRoots[] = [];
  for (const anchor of block.anchors) anchors.push(await findAnchorRoots(anchor, block, roots));
  const timesMs = anchors.flatMap((anchor) => anchor.timesMs);
  return {
    isNoted: roots.trust.blocks.has(toHex(block.hash)),
    isLogged: anchors.some(({ isLogged }) => isLogged),
    isWitnessed: anchors.some(({ isWitnessed }) => isWitnessed),
    isSealed: await isSealedBy(block, roots.trust),
    recordings: anchors.flatMap(({ recordings }) => recordings),
    existedMs: timesMs.length === 0 ? undefined : Math.min(...timesMs),
  };
};

const list = (blocks: readonly HashedBlock[]): string => blocks.map(({ number }) => number).join(', ');

const describeHashes = (blocks: readonly HashedBlock[]): string =>
  blocks.map(({ number, hash }) => `block ${number} has the hash ${toHex(hash)}`).join(', ');

const toTimes = (roots: readonly BlockRoots[], name: string): EvidenceFinding[] => {
  const existedMs = Math.max(...roots.map((root) => root.existedMs ?? Number.POSITIVE_INFINITY));
  return Number.isFinite(existedMs) ? [toProved('time', `${name} existed at ${describeTime(existedMs)}`)] : [];
};

const toElsewhere = (roots: readonly (BlockRoots & { readonly block: HashedBlock })[]): EvidenceFinding[] => {
  if (!roots.every(({ recordings }) => recordings.length > 0)) return [];
  const recorded = roots.map(({ block: { number }, recordings }) => ({ number, recordings }));
  return [toProved('elsewhere', describeRecordings(recorded))];
};

// Why a log or witness of the caller vouches for no block, where the file or the caller lacks something.
const explainOperator = (blocks: readonly HashedBlock[], { trust }: Roots): EvidenceFinding[] => {
  if (trust.logs.length === 0)
    return trust.witnesses.length === 0
      ? []
      : [toUnanswered('operator', 'you named witnesses: name the log in logs, too')];
  const hasCheckpoint = blocks.some(({ anchors }) => anchors.length > 0);
  return hasCheckpoint ? [] : [toUnanswered('operator', 'the file has no checkpoint of a log')];
};

/**
 * What holds for all blocks of a file.
 * @throws Refuted when an anchor contradicts its block, or a signature of a key that the caller named is wrong.
 */
export const findChainRoots = async (blocks: readonly HashedBlock[], named: Roots): Promise<EvidenceFinding[]> => {
  const roots: (BlockRoots & { readonly block: HashedBlock })[] = [];
  for (const block of blocks) roots.push({ block, ...(await findRoots(block, named)) });
  const isUnder = (root: 'isLogged' | 'isWitnessed' | 'isSealed'): boolean => roots.every((one) => one[root]);
  const name = `block ${list(blocks)}`;
  const { quorum } = named.trust;
  return [
    roots.every((root) => isFinal(root.block, root))
      ? toProved('chain', `${name} is under a root that you named`)
      : toUnanswered('chain', `compare with others: ${describeHashes(blocks)}`),
    ...(isUnder('isLogged')
      ? [toProved('operator', `the log has published ${name} and can't deny it`)]
      : explainOperator(blocks, named)),
    ...(isUnder('isWitnessed') ? [toProved('split-view', `${quorum} of your witnesses saw the same log`)] : []),
    ...(isUnder('isSealed') ? [toProved('seals', `${name} has the seals of validators that you named`)] : []),
    ...toElsewhere(roots),
    ...toTimes(roots, name),
  ];
};
