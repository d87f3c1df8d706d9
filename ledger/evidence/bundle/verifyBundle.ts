// The check of an evidence file, without any server or node: what it proves under which of the caller's roots.
import type { Certificate } from 'pkijs';
import type { Hex } from '../../encoding/hex.ts';
import { isSameBytes } from '../bytes.ts';
import { readCertificates } from '../certificateChain.ts';
import { assertReadable, UnreadableEvidence } from '../unreadableEvidence.ts';
import { checkCode } from './accountProof.ts';
import type { LedgerName } from './blocks.ts';
import { type Bundle, parseBundle } from './bundle.ts';
import type { Claim } from './claim.ts';
import { assertWhole } from './claimChecks.ts';
import { assertParts } from './claimParts.ts';
import { checkClaim, listUncovered } from './claims.ts';
import { answerAll, assertProved, type EvidenceFinding, type Question, Refuted } from './findings.ts';
import { assertOneChain, type HashedBlock, hashBlocks, proveLogs } from './provenParts.ts';
import { findChainRoots } from './roots.ts';
import { parseTrust, type Trust } from './trust.ts';

/** Exit code of a check: proved under a root of the caller, refuted, or consistent but the chain under none. */
export const EXIT_CODE = { proved: 0, refuted: 1, unreadable: 2, unrooted: 3 } as const;

/** The result of a check. */
export interface EvidenceVerdict {
  readonly exitCode: (typeof EXIT_CODE)['proved' | 'refuted' | 'unrooted'];
  /** One for each question, in their order. */
  readonly findings: readonly EvidenceFinding[];
  /** Members of the event's JSON that no proof reaches: they may be wrong. */
  readonly uncovered: readonly string[];
}

/** The question that a claim of each kind is about. */
const SUBJECT: Record<Claim['kind'], Question> = {
  event: 'content',
  history: 'completeness',
  range: 'completeness',
  absence: 'absence',
  tenant: 'completeness',
  verdict: 'verdict',
  merged_history: 'completeness',
  merged_verdict: 'verdict',
};

const assertSameLedger = ({ ledger }: Bundle, trust: Trust): void => {
  const isSame = ledger.chainId === trust.chainId && isSameBytes(ledger.contract, trust.contract);
  assertProved(isSame, 'chain', 'the file is about another ledger than the one that you named');
};

/** Files that belong to an evidence file. */
export interface EvidenceFiles {
  /** Bytes of the file with the leaves of a tenant's list, in parts of any length. Read once, after all else. */
  readonly leaves?: AsyncIterable<Uint8Array> | undefined;
  /** Text of the file at a path that `trust.json` names. */
  readonly readText?: (path: string) => Promise<string>;
  /** Hash of the code that the contract of a ledger has if it was built as the verifier. */
  readonly readCodeHash?: (ledger: LedgerName) => Promise<Hex>;
}

async function* readNothing(): AsyncGenerator<Uint8Array> {}

const check = async (
  bundle: Bundle,
  blocks: readonly HashedBlock[],
  trust: Trust,
  authorities: readonly Certificate[],
  { leaves = readNothing(), readCodeHash }: EvidenceFiles,
): Promise<EvidenceFinding[]> => {
  assertSameLedger(bundle, trust);
  assertOneChain(blocks);
  const logs = proveLogs(bundle, blocks);
  const roots = await findChainRoots(blocks, { trust, elsewhere: trust.elsewhere, authorities });
  const builtHash = await readCodeHash?.(bundle.ledger);
  const code = checkCode(bundle, blocks, { namedHash: trust.codeHash, builtHash });
  return [...(await checkClaim({ bundle, logs }, leaves)), ...roots, ...code];
};

const readAuthorities = async ({ tsaCaFile }: Trust, { readText }: EvidenceFiles): Promise<Certificate[]> => {
  if (tsaCaFile === undefined) return [];
  assertReadable(readText !== undefined, 'the file in trust.tsa_ca_file is missing');
  return readCertificates(await readText(tsaCaFile));
};

// What the bytes of a file encode is decoded as it is proved. The form of the file is right by then, so bytes that
// encode nothing refute what the file says of them.
const toRefuted = (error: unknown): Refuted => {
  if (error instanceof Refuted) return error;
  if (error instanceof UnreadableEvidence) return new Refuted('chain', error.message);
  throw error;
};

// Parts that are left out don't refute the others.
const toVerdict = ({ claim }: Bundle, error: unknown): EvidenceVerdict => {
  const { question, message } = toRefuted(error);
  if (claim.kind === 'event') assertWhole(claim.event);
  return {
    exitCode: EXIT_CODE.refuted,
    findings: answerAll([{ question, answer: 'refuted', text: message }]),
    uncovered: [],
  };
};

/**
 * Checks an evidence file under the roots of trust in a `trust.json`.
 * @throws UnreadableEvidence when one of the texts has another form, a newer format, or exceeds a limit, when a file is
 * missing that belongs to it, and when an event lacks what the ledger commits to.
 */
export const verifyBundle = async (
  text: string,
  trustText: string,
  files: EvidenceFiles = {},
): Promise<EvidenceVerdict> => {
  const trust = parseTrust(trustText);
  const bundle = parseBundle(text);
  assertParts(bundle);
  assertReadable(bundle.claim.kind !== 'tenant' || files.leaves !== undefined, 'the file with the leaves is missing');
  const blocks = hashBlocks(bundle);
  const authorities = await readAuthorities(trust, files);
  try {
    const findings = answerAll(await check(bundle, blocks, trust, authorities, files));
    const isProved = (question: Question): boolean =>
      findings.some((finding) => finding.question === question && finding.answer === 'proved');
    const isRooted = isProved(SUBJECT[bundle.claim.kind]) && isProved('chain');
    return { exitCode: isRooted ? EXIT_CODE.proved : EXIT_CODE.unrooted, findings, uncovered: listUncovered(bundle) };
  } catch (error) {
    return toVerdict(bundle, error);
  }
};
