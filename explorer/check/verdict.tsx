// What a check found, in words: first whether it holds, then each question.
import type { EvidenceFinding } from '../../ledger/evidence/bundle/findings.ts';
import type { EvidenceVerdict } from '../../ledger/evidence/bundle/verifyBundle.ts';
import { Badge } from '../components/badges.tsx';
import { ErrorNote } from '../components/states.tsx';
import type { CheckResult } from './checkFile.ts';
import type { CheckOutcome } from './runCheck.ts';

const SENTENCES = {
  0: ['good', 'Proved', 'by the roots that you named.'],
  1: ['bad', 'Rejected', 'it isn’t what the ledger has, or contradicts itself.'],
  3: ['waiting', 'Consistent', 'but no root of yours proves the chain: the maker of the proofs could have made it up.'],
} as const;

const TONES = { proved: 'good', refuted: 'bad', 'not answered': 'plain' } as const;

// Most questions don't arise for a file.
const isSaid = ({ answer, text }: EvidenceFinding): boolean => answer !== 'not answered' || text !== '';

const Findings = ({ verdict: { exitCode, findings, uncovered } }: { verdict: EvidenceVerdict }) => {
  const [tone, word, sentence] = SENTENCES[exitCode];
  return (
    <>
      <p class={`outcome ${tone}`} role="status">
        <strong>{word}</strong>: {sentence}
      </p>
      <ul class="plain">
        {findings.filter(isSaid).map(({ question, answer, text }) => (
          <li key={question}>
            <Badge tone={TONES[answer]} text={question} /> {text}
          </li>
        ))}
      </ul>
      {uncovered.length === 0 ? null : <p class="hint">No proof reaches: {uncovered.join(', ')}.</p>}
    </>
  );
};

const Result = ({ result }: { result: CheckResult }) => {
  if (result.kind !== 'file') return <Findings verdict={result.verdict} />;
  const isKnown = result.blobs.length > 0;
  return (
    <>
      <p class={`outcome ${isKnown ? 'good' : 'bad'}`} role="status">
        <strong>{isKnown ? 'On the ledger' : 'Not found'}</strong>:{' '}
        {isKnown ? 'a file with this hash was uploaded.' : 'no file that you may see has this hash.'}
      </p>
      <dl class="facts-list">
        <dt>SHA-256</dt>
        <dd>
          <code>{result.hash}</code>
        </dd>
        {isKnown ? <dt>Recorded as</dt> : null}
        {isKnown ? <dd>{result.blobs.join(', ')}</dd> : null}
      </dl>
    </>
  );
};

/** What a page shows of a check. */
export const ShownOutcome = ({ outcome: { result, error, isRunning } }: { outcome: CheckOutcome }) => (
  <>
    {isRunning === true ? <p class="note waiting">Checking …</p> : null}
    {error === undefined ? null : <ErrorNote error={error} />}
    {result === undefined ? null : <Result result={result} />}
  </>
);
