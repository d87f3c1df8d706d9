// Sign-in with an issuer, a token of the operator, or the link that the server printed at its first start.
import { useState } from 'preact/hooks';
import { isExpired, token } from '../api/session.ts';
import { IssuerButtons } from '../components/issuerButtons.tsx';
import { useTitle } from '../state/title.ts';
import { type SignIn, useSignIn } from '../state/useSignIn.ts';

const TOKEN = /^[\w-]+\.[\w-]+\.[\w-]+$/;

const TokenForm = ({ signIn }: { signIn: SignIn }) => {
  const [text, setText] = useState('');
  const given = text.trim().replace(/^Bearer\s+/i, '');
  const isToken = TOKEN.test(given);
  const submit = (event: Event): void => {
    event.preventDefault();
    if (isToken) signIn.enter(given);
  };
  return (
    <form onSubmit={submit}>
      <label>
        Access token
        <textarea
          rows={5}
          spellcheck={false}
          autocomplete="off"
          value={text}
          aria-invalid={text !== '' && !isToken}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
      </label>
      {text !== '' && !isToken ? (
        <p class="note failure">A token has three parts with full stops between them.</p>
      ) : null}
      <button type="submit" disabled={!isToken || signIn.isSending}>
        Sign in
      </button>
    </form>
  );
};

export const SignInPage = () => {
  useTitle('Sign in');
  const signIn = useSignIn();
  return (
    <section class="sign-in">
      <h1>Sign in</h1>
      {signIn.isSending ? (
        <p class="note waiting" role="status">
          Signing in …
        </p>
      ) : null}
      {signIn.error === undefined ? null : (
        <p class="note failure" role="alert">
          {signIn.error.message}
        </p>
      )}
      {isExpired.value && token.value !== undefined ? (
        <p class="note failure">Your session has expired. After signing in you are back where you were.</p>
      ) : null}
      <IssuerButtons signIn={signIn} />
      <TokenForm signIn={signIn} />
      <p class="hint">
        <code>npm run token</code> in the server’s directory prints a token. An application gets one with its client id
        and secret, as <a href="/docs">the interface</a> describes. This tab keeps the token until it is closed.
      </p>
    </section>
  );
};
