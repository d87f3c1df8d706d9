// What a page shows while it waits, when there is nothing, and when something went wrong.
import type { ComponentChildren } from 'preact';
import { ApiError } from '../api/client.ts';
import { isExpired } from '../api/session.ts';
import { useAddress } from '../state/address.ts';
import type { Loaded } from '../state/useLoad.ts';
import { ToSignIn } from './toSignIn.tsx';

const ADVICE: Readonly<Record<number, string>> = {
  0: 'Then try again.',
  403: 'Sign in as somebody who may do it.',
  404: 'It may belong to another tenant, or never have existed.',
  429: 'Wait a moment, then try again.',
  503: 'The server is busy or starting; try again in a few seconds.',
};

const BY_CODE: Readonly<Record<string, string>> = {
  RPC_FAILED: 'The page “Chain” says whether its node answers; try again when it does.',
  RPC_OFF: 'Set EXPLORER_RPC=yes to switch them on.',
  PAGE_TOKEN_INVALID: 'Begin with the first page.',
};

const toAdvice = (error: Error): string => {
  if (isExpired.value) return 'Sign in again.';
  if (!(error instanceof ApiError)) return '';
  return BY_CODE[error.code] ?? ADVICE[error.status] ?? '';
};

// A page token may cease to be valid, such as after an update of the server.
const isOfPage = (error: Error): boolean => error instanceof ApiError && error.code === 'PAGE_TOKEN_INVALID';

const FirstPage = () => <a href={useAddress().toLink({ page_token: undefined })}>First page</a>;

const toSentence = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`);

/** What went wrong, and what to do. */
export const ErrorNote = ({ error, onRetry }: { error: Error; onRetry?: () => void }) => (
  <div class="note failure" role="alert">
    <p>
      {toSentence(error.message)} {toAdvice(error)}
    </p>
    {isExpired.value ? <ToSignIn>Sign in</ToSignIn> : null}
    {isOfPage(error) ? <FirstPage /> : null}
    {onRetry === undefined || isExpired.value || isOfPage(error) ? null : (
      <button type="button" onClick={onRetry}>
        Try again
      </button>
    )}
  </div>
);

/** Nothing to show, and what would be there. */
export const Empty = ({ children }: { children: ComponentChildren }) => <p class="note empty">{children}</p>;

interface ShownProps<T> {
  readonly loaded: Loaded<T>;
  /** The heading of the page until there is a value, which has one of its own. */
  readonly heading?: string;
  readonly children: (value: T) => ComponentChildren;
}

/**
 * What was loaded. What was there before stays while it is loaded again, and when that fails.
 */
export function Shown<T>({ loaded, heading, children }: ShownProps<T>) {
  const { value, error, reload } = loaded;
  return (
    <>
      {heading === undefined || value !== undefined ? null : <h1>{heading}</h1>}
      {error === undefined ? null : <ErrorNote error={error} onRetry={reload} />}
      {value === undefined && error === undefined ? <p class="note waiting">Loading …</p> : null}
      {value === undefined ? null : children(value)}
    </>
  );
}
