// What a check found, in words: first whether it holds, then what of the rest is worth a line.
import type { EvidenceFinding } from '../../ledger/evidence/bundle/findings.ts';
import type { CheckResult, FoundBlob } from './checkFile.ts';

/** The first line of an answer. */
export interface Sentence {
  readonly tone: 'good' | 'bad' | 'waiting';
  readonly word: string;
  readonly text: string;
}

const REJECTED: Sentence = {
  tone: 'bad',
  word: 'Rejected',
  text: 'it isn’t what the ledger has, or contradicts itself.',
};

const BY_EXIT_CODE: Readonly<Record<0 | 1 | 3, Sentence>> = {
  0: { tone: 'good', word: 'Proved', text: 'by the roots that you named.' },
  1: REJECTED,
  3: {
    tone: 'waiting',
    word: 'Consistent',
    text: 'every proof fits. No root of yours (trust.json) proves the chain itself, so the maker of the proofs could have made it up.',
  },
};

const ON_CHAIN: Sentence = {
  tone: 'good',
  word: 'On the ledger',
  text: 'the contract has exactly this, by the word of the node that was asked.',
};

const FILE_FOUND: Sentence = { tone: 'good', word: 'On the ledger', text: 'a file with this hash was uploaded.' };
const FILE_NOT_FOUND: Sentence = {
  tone: 'bad',
  word: 'Not found',
  text: 'no file that you may see has this hash.',
};

const FILE_STATED: Sentence = { tone: 'good', word: 'On the ledger', text: 'an event states this hash.' };

const toFileSentence = ({ blobs, statedBy }: Extract<CheckResult, { kind: 'file' }>): Sentence => {
  if (blobs.length > 0) return FILE_FOUND;
  return statedBy.length > 0 ? FILE_STATED : FILE_NOT_FOUND;
};

/** Whether what was checked holds. */
export const toSentence = (result: CheckResult): Sentence => {
  if (result.kind === 'file') return toFileSentence(result);
  if (result.kind === 'chain') return result.verdict.isVerified ? ON_CHAIN : REJECTED;
  return BY_EXIT_CODE[result.verdict.exitCode];
};

/** The findings that say something: most questions don't arise for a file. */
export const listSaid = (findings: readonly EvidenceFinding[]): EvidenceFinding[] =>
  findings.filter(({ answer, text }) => answer !== 'not answered' || text !== '');

/** What stands before and after the newest events that attach a file. */
export const describeAttached = ({
  attached_by,
  attached_by_total,
}: Pick<FoundBlob, 'attached_by' | 'attached_by_total'>): readonly [before: string, after: string] => {
  const older = attached_by_total - attached_by.length;
  return [
    attached_by.length === 0 ? 'attached by no event yet' : 'attached by',
    older === 0 ? '' : `and ${older.toLocaleString()} older events`,
  ];
};
