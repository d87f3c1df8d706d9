// What a check found, in words: first whether it holds, then each question.
import type { EvidenceFinding } from '../../ledger/evidence/bundle/findings.ts';
import type { EvidenceVerdict } from '../../ledger/evidence/bundle/verifyBundle.ts';
import { token } from '../api/session.ts';
import { Badge } from '../components/badges.tsx';
import { Copied, toPage } from '../components/links.tsx';
import { ErrorNote } from '../components/states.tsx';
import type { CheckResult, FoundBlob } from './checkFile.ts';
import type { CheckOutcome } from './runCheck.ts';

const SENTENCES = {
  0: ['good', 'Proved', 'by the roots that you named.'],
  1: ['bad', 'Rejected', 'it isn’t what the ledger has, or contradicts itself.'],
  3: ['waiting', 'Consistent', 'but no root of yours proves the chain: the maker of the proofs could have made it up.'],
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
            <Badge tone={TONES[answer]} text={question} /> {text}
          </li>
        ))}
      </ul>
      {uncovered.length === 0 ? null : <p class="hint">No proof reaches: {uncovered.join(', ')}.</p>}
    </>
  );
};

const Attached = ({ blob }: { blob: FoundBlob }) => {
  const isAnonymous = token.value === undefined;
  const more = blob.attached_by_total - blob.attached_by.length;
  return (
    <li>
      <Copied text={blob.identity} />
      {blob.attached_by.length === 0 ? ', attached by no event yet' : ', attached by'}
      <ul class="plain">
        {blob.attached_by.map((identity) => (
          <li key={identity}>
            <a href={toPage(identity, isAnonymous)!}>{identity}</a>
          </li>
        ))}
      </ul>
      {more === 0 ? null : `and ${more.toLocaleString()} older events`}
    </li>
  );
};

const FileResult = ({ hash, blobs }: { hash: string; blobs: readonly FoundBlob[] }) => (
  <>
    <p class={`outcome ${blobs.length > 0 ? 'good' : 'bad'}`} role="status">
      <strong>{blobs.length > 0 ? 'On the ledger' : 'Not found'}</strong>:{' '}
      {blobs.length > 0 ? 'a file with this hash was uploaded.' : 'no file that you may see has this hash.'}
    </p>
    <dl class="facts-list">
      <dt>SHA-256</dt>
      <dd>
        <code>{hash}</code>
      </dd>
    </dl>
    {blobs.length === 0 && token.value === undefined ? (
      <p>
        Without a token, files of public assets alone are found. <a href="/sign-in">Sign in</a> to search your own.
      </p>
    ) : null}
    <ul class="plain">
      {blobs.map((blob) => (
        <Attached key={blob.identity} blob={blob} />
      ))}
    </ul>
  </>
);

const Result = ({ result }: { result: CheckResult }) => {
  if (result.kind === 'file') return <FileResult {...result} />;
  return result.kind === 'chain' ? (
    <Findings verdict={result.verdict} sentence={CHAIN_SENTENCES[`${result.verdict.isVerified}`]} />
  ) : (
    <Findings verdict={result.verdict} sentence={SENTENCES[result.verdict.exitCode]} />
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
