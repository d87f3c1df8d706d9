// The head of every page: where one is, where one can go, and as whom.
import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso';
import { claims, isExpired, signOut, token } from '../api/session.ts';
import { abbreviate } from '../text/names.ts';

const PAGES = [
  ['/', 'Now'],
  ['/assets', 'Assets'],
  ['/events', 'Events'],
  ['/locations', 'Locations'],
  ['/policies', 'Policies'],
  ['/node', 'Chain'],
  ['/check', 'Check'],
  ['/admin', 'Admin'],
] as const;

const isCurrent = (page: string, path: string): boolean =>
  page === '/' ? path === '/' : path === page || path.startsWith(`${page}/`);

const Session = () => {
  if (token.value === undefined) return <a href="/sign-in">Sign in</a>;
  const tenant = claims.value?.tenant ?? '';
  return (
    <span class="session">
      {isExpired.value ? (
        <a href="/sign-in">Session expired: sign in</a>
      ) : (
        <span title={tenant}>{abbreviate(tenant)}</span>
      )}
      <button type="button" onClick={signOut}>
        Sign out
      </button>
    </span>
  );
};

/** The frame of a page. */
export const Frame = ({ children }: { children: ComponentChildren }) => {
  const { path } = useLocation();
  return (
    <>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <header class="top">
        <a class="brand" href="/">
          Provenance ledger
        </a>
        <nav aria-label="Main">
          {PAGES.map(([page, title]) => (
            <a key={page} href={page} aria-current={isCurrent(page, path) ? 'page' : undefined}>
              {title}
            </a>
          ))}
        </nav>
        <Session />
      </header>
      <main id="content" tabIndex={-1}>
        {children}
      </main>
    </>
  );
};
