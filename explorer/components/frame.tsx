// The head of every page: where one is, where one can go, and as whom.
import type { ComponentChildren } from 'preact';
import { useLocation } from 'preact-iso';
import { claims, isExpired, signOut, token } from '../api/session.ts';
import { abbreviate } from '../text/names.ts';
import { ToSignIn } from './toSignIn.tsx';

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

// What was read with the token goes with the page.
const leave = (): void => {
  signOut();
  location.reload();
};

const Session = () => {
  if (token.value === undefined) return <ToSignIn>Sign in</ToSignIn>;
  // Another issuer may name the tenant in another claim.
  const name = claims.value?.tenant || claims.value?.subject || '';
  return (
    <span class="session">
      <span title={name} dir="auto">
        {abbreviate(name)}
      </span>
      <button type="button" onClick={leave}>
        Sign out
      </button>
    </span>
  );
};

const Expiry = ({ path }: { path: string }) =>
  isExpired.value && path !== '/sign-in' ? (
    <p class="expiry note failure" role="alert">
      Your session has expired. What is shown stays here; <ToSignIn>sign in again</ToSignIn> to go on.
    </p>
  ) : null;

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
        <Expiry path={path} />
      </header>
      <main id="content" tabIndex={-1}>
        {children}
      </main>
    </>
  );
};
