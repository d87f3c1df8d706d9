// Compares what the two verifiers answer, and an accepted file with the original that it was made of.
import { readFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { verifyBundle } from '../../ledger/evidence/bundle/verifyBundle.ts';
import { UnreadableEvidence } from '../../ledger/evidence/unreadableEvidence.ts';
import type { EvidenceFile } from '../support/evidenceFiles.ts';
import type { Json } from '../support/mutations.ts';
import type { Variant } from './change.ts';
import { toCovered } from './covered.ts';
import type { Answer, Case, PythonVerifier } from './pythonVerifier.ts';

const BATCH = 50;
/** No multiple and no part of a leaf's length. */
const PART_BYTES = 97;

/** Something that must not be. */
export interface Defect {
  readonly kind: 'answers differ' | 'false acceptance' | 'failed';
  readonly variant: Variant;
  readonly answers: readonly [ours: Answer, theirs: Answer];
}

/** How many variants had which exit code, and the defects. */
export interface Comparison {
  readonly codes: Map<string, number>;
  readonly defects: Defect[];
}

const readParts = async function* (text: string): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text, 'base64');
  for (let at = 0; at < bytes.length; at += PART_BYTES) yield bytes.subarray(at, at + PART_BYTES);
};

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

// As the command reads it.
const readText = async (path: string): Promise<string> => {
  try {
    return decoder.decode(await readFile(path));
  } catch {
    throw new UnreadableEvidence(`there is no text in ${path}`);
  }
};

/** The answer of the verifier in TypeScript, as the one in Python writes it. */
export const answerOf = async ({ file, trust, leaves }: Case): Promise<Answer> => {
  try {
    const files = { leaves: leaves === undefined ? undefined : readParts(leaves), readText };
    const { exitCode, findings } = await verifyBundle(file, trust, files);
    const proved = findings.filter(({ answer }) => answer === 'proved').map(({ question }) => question);
    return [exitCode, ...proved].join(' ');
  } catch (error) {
    return error instanceof UnreadableEvidence ? '2' : `failed: ${(error as Error).message}`;
  }
};

// As texts and back, because -0 is 0 in JSON and isn't in JavaScript.
const normalize = (value: Json): Json => JSON.parse(JSON.stringify(value)) as Json;

// Another block that the caller noted may have the same receipts.
const isFalse = ({ file, trust, leaves, original, isOwnBlock, isForgery }: Variant): boolean => {
  if (isForgery === true) return true;
  if (isOwnBlock === true) return false;
  const { blocks, ...covered } = toCovered(JSON.parse(file) as EvidenceFile);
  const { blocks: own, ...expected } = toCovered(original.file);
  const noted = (JSON.parse(trust) as { blocks?: string[] }).blocks ?? [];
  const isKnown = blocks.every((hash) => [...own, ...noted].includes(hash));
  return leaves !== original.leaves || !isKnown || !isDeepStrictEqual(normalize(covered), normalize(expected));
};

const judge = (variant: Variant, ours: Answer, theirs: Answer): Defect[] => {
  const answers = [ours, theirs] as const;
  if (ours.startsWith('failed')) return [{ kind: 'failed', variant, answers }];
  if (ours !== theirs) return [{ kind: 'answers differ', variant, answers }];
  return ours.startsWith('0') && isFalse(variant) ? [{ kind: 'false acceptance', variant, answers }] : [];
};

/** Lets both verifiers check the variants. */
export const compare = async (variants: Iterable<Variant>, python: PythonVerifier): Promise<Comparison> => {
  const [codes, defects] = [new Map<string, number>(), [] as Defect[]];
  const check = async (batch: readonly Variant[]): Promise<void> => {
    const asked = python.verify(batch);
    const ours = await Promise.all(batch.map(answerOf));
    for (const [at, theirs] of (await asked).entries()) {
      const code = theirs.split(' ')[0]!;
      codes.set(code, (codes.get(code) ?? 0) + 1);
      defects.push(...judge(batch[at]!, ours[at]!, theirs));
    }
  };
  let batch: Variant[] = [];
  for (const variant of variants) {
    batch.push(variant);
    if (batch.length < BATCH) continue;
    await check(batch);
    batch = [];
  }
  await check(batch);
  return { codes, defects };
};
