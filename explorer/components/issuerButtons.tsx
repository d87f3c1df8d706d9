// The issuers with which people sign in.
import { useCallback } from 'preact/hooks';
import { loadNewestConfig, type ShownIssuer } from '../api/config.ts';
import { useInterval, useLoad } from '../state/useLoad.ts';
import type { SignIn } from '../state/useSignIn.ts';

/** The server asks an issuer that it doesn't reach every ten seconds. */
const PERIOD_MS = 3_000;

const toName = ({ issuer }: ShownIssuer): string => issuer.replace(/^https?:\/\//, '');

const Issuer = ({ issuer, signIn }: { issuer: ShownIssuer; signIn: SignIn }) => {
  const { endpoints } = issuer;
  const name = toName(issuer);
  return (
    <li>
      <button
        type="button"
        disabled={endpoints === null || signIn.isSending || !isSecureContext}
        onClick={() => endpoints !== null && signIn.begin(issuer, endpoints)}
      >
        Sign in with {name}
      </button>
      {endpoints === null ? (
        <p class="hint" role="status">
          The server doesn’t reach {name} now, or can’t use it: its operator sees why. This page tries again by itself.
        </p>
      ) : null}
    </li>
  );
};

/** A button for each issuer of the server; nothing where there is none. */
export const IssuerButtons = ({ signIn }: { signIn: SignIn }) => {
  const { value, reload } = useLoad('config', loadNewestConfig);
  const issuers = value?.issuers ?? [];
  const isComplete = issuers.every(({ endpoints }) => endpoints !== null);
  const retry = useCallback(() => {
    if (!isComplete) reload();
  }, [isComplete, reload]);
  useInterval(retry, PERIOD_MS);
  if (issuers.length === 0) return null;
  return (
    <>
      <ul class="issuers">
        {issuers.map((issuer) => (
          <Issuer key={issuer.issuer} issuer={issuer} signIn={signIn} />
        ))}
      </ul>
      {isSecureContext ? null : (
        <p class="note">Open this page by HTTPS to sign in so: the browser needs it for the proof of the sign-in.</p>
      )}
      <h2>Or with a token</h2>
    </>
  );
};
