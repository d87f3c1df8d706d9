// The verdict on a record: first whether it holds, then each question.
import { Badge } from '../components/badges.tsx';
import { toQuotation } from '../text/quotation.ts';
import type { CheckResult } from './checkFile.ts';
import type { VerdictResult } from './givenFile.ts';
import { listSaid, toSentence } from './verdictWords.ts';

const TONES = { proved: 'good', refuted: 'bad', 'not answered': 'plain' } as const;

/** Whether what was checked holds. */
export const ShownSentence = ({ result }: { result: CheckResult }) => {
  const { tone, word, text } = toSentence(result);
  return (
    <p class={`outcome ${tone}`} role="status">
      <strong>{word}</strong>: {text}
    </p>
  );
};

/** What a check of a record found. */
export const ShownVerdict = ({ result }: { result: VerdictResult }) => {
  const { findings, uncovered } = result.verdict;
  return (
    <>
      <ShownSentence result={result} />
      <ul class="plain">
        {listSaid(findings).map(({ question, answer, text }) => (
          <li key={question}>
            <Badge tone={TONES[answer]} text={question} /> {toQuotation(text)}
          </li>
        ))}
      </ul>
      {uncovered.length === 0 ? null : <p class="hint">No proof reaches: {toQuotation(uncovered.join(', '))}.</p>}
    </>
  );
};
