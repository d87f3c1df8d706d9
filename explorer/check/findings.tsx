// The verdict on a record, in words: first whether it holds, then each question.
import type { EvidenceFinding } from '../../ledger/evidence/bundle/findings.ts';
import type { EvidenceVerdict } from '../../ledger/evidence/bundle/verifyBundle.ts';
import { Badge } from '../components/badges.tsx';
import { toVisible } from '../text/visible.ts';
import type { VerdictResult } from './givenFile.ts';

const SENTENCES = {
  0: ['good', 'Proved', 'by the roots that you named.'],
  1: ['bad', 'Rejected', 'it isn’t what the ledger has, or contradicts itself.'],
  3: [
    'waiting',
    'Consistent',
    'every proof fits. No root of yours (trust.json) proves the chain itself, so the maker of the proofs could have made it up.',
  ],
} as const;

const TONES = { proved: 'good', refuted: 'bad', 'not answered': 'plain' } as const;

// Most questions don't arise for a file.
const isSaid = ({ answer, text }: EvidenceFinding): boolean => answer !== 'not answered' || text !== '';

const CHAIN_SENTENCES = {
  true: ['good', 'On the ledger', 'the contract has exactly this, by the word of the node that was asked.'],
  false: SENTENCES[1],
} as const;

type Verdict = Pick<EvidenceVerdict, 'findings' | 'uncovered'>;

interface FindingsProps {
  readonly verdict: Verdict;
  readonly sentence: readonly [tone: string, word: string, text: string];
}

const Findings = ({ verdict: { findings, uncovered }, sentence }: FindingsProps) => {
  const [tone, word, text] = sentence;
  return (
    <>
      <p class={`outcome ${tone}`} role="status">
        <strong>{word}</strong>: {text}
      </p>
      <ul class="plain">
        {findings.filter(isSaid).map(({ question, answer, text }) => (
          <li key={question}>
            <Badge tone={TONES[answer]} text={question} /> {toVisible(text)}
          </li>
        ))}
      </ul>
      {uncovered.length === 0 ? null : <p class="hint">No proof reaches: {toVisible(uncovered.join(', '))}.</p>}
    </>
  );
};

/** What a check of a record found. */
export const ShownVerdict = ({ result }: { result: VerdictResult }) =>
  result.kind === 'chain' ? (
    <Findings verdict={result.verdict} sentence={CHAIN_SENTENCES[`${result.verdict.isVerified}`]} />
  ) : (
    <Findings verdict={result.verdict} sentence={SENTENCES[result.verdict.exitCode]} />
  );
