// Sign-in with a token of the operator.

import { useState } from 'preact/hooks';
import { useLocation } from 'preact-iso';
import { isExpired, signIn } from '../api/session.ts';
import { useTitle } from '../state/title.ts';

const TOKEN = /^[\w-]+\.[\w-]+\.[\w-]+$/;

export const SignInPage = () => {
  const { path, route } = useLocation();
  const [text, setText] = useState('');
  useTitle('Sign in');
  const given = text.trim().replace(/^Bearer\s+/i, '');
  const isToken = TOKEN.test(given);
  const submit = (event: Event): void => {
    event.preventDefault();
    if (!isToken) return;
    signIn(given);
    if (path === '/sign-in') route('/');
  };
  return (
    <section class="sign-in">
      <h1>Sign in</h1>
      {isExpired.value ? <p class="note failure">The token of this session has expired.</p> : null}
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
        <button type="submit" disabled={!isToken}>
          Sign in
        </button>
      </form>
      <p class="hint">
        <code>npm run token</code> in the server’s directory prints one. An application gets one with its client id and
        secret, as <a href="/docs">the interface</a> describes. This tab keeps the token until it is closed.
      </p>
    </section>
  );
};
