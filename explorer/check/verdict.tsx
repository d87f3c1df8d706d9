// What a check found: a verdict on a record, or where the ledger has a file.
import { token } from '../api/session.ts';
import { Copied } from '../components/links.tsx';
import { NamedLink } from '../components/namedLink.tsx';
import { ErrorNote } from '../components/states.tsx';
import { ToSignIn } from '../components/toSignIn.tsx';
import type { CheckResult, FoundBlob } from './checkFile.ts';
import { ShownSentence, ShownVerdict } from './findings.tsx';
import type { CheckOutcome } from './runCheck.ts';
import { describeAttached } from './verdictWords.ts';

type FileCheck = Extract<CheckResult, { kind: 'file' }>;

const Attached = ({ blob }: { blob: FoundBlob }) => {
  const [before, after] = describeAttached(blob);
  return (
    <li>
      <Copied text={blob.identity} />, {before}
      <ul class="plain">
        {blob.attached_by.map((identity) => (
          <li key={identity}>
            <NamedLink identity={identity} />
          </li>
        ))}
      </ul>
      {after}
    </li>
  );
};

const FileResult = ({ result }: { result: FileCheck }) => {
  const { hash, blobs, statedBy } = result;
  return (
    <>
      <ShownSentence result={result} />
      <dl class="facts-list">
        <dt>SHA-256</dt>
        <dd>
          <code>{hash}</code>
        </dd>
      </dl>
      {statedBy.length === 0 ? null : (
        <>
          <p>These events state it:</p>
          <ul class="plain">
            {statedBy.map((identity) => (
              <li key={identity}>
                <NamedLink identity={identity} />
              </li>
            ))}
          </ul>
        </>
      )}
      {blobs.length === 0 && statedBy.length === 0 && token.value === undefined ? (
        <p>
          Without a token, files of public assets alone are found. <ToSignIn>Sign in</ToSignIn> to search your own.
        </p>
      ) : null}
      <ul class="plain">
        {blobs.map((blob) => (
          <Attached key={blob.identity} blob={blob} />
        ))}
      </ul>
    </>
  );
};

const Result = ({ result }: { result: CheckResult }) =>
  result.kind === 'file' ? <FileResult result={result} /> : <ShownVerdict result={result} />;

/** What a page shows of a check. */
export const ShownOutcome = ({ outcome: { result, error, isRunning } }: { outcome: CheckOutcome }) => (
  <>
    {isRunning === true ? <p class="note waiting">Checking …</p> : null}
    {error === undefined ? null : <ErrorNote error={error} />}
    {result === undefined ? null : <Result result={result} />}
  </>
);
