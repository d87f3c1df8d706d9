// A server with an issuer for browsers and a link that signs in once, two assets, and a browser.
import type { BrowserContextOptions, Page } from 'playwright-core';
import { createSignInLink, type SignInLink } from '../../server/explorer/signInLink.ts';
import { type FixtureTenant, tenantAt } from '../support/fixtureTenant.ts';
import { type ListeningServer, serveTestLedger } from '../support/testLedger.ts';
import { openPage, type WatchedPage } from './browser.ts';
import { openBuiltExplorer } from './builtExplorer.ts';
import { useExplorer } from './explorerFixture.ts';
import { type SignInIssuer, startSignInIssuer } from './signInIssuer.ts';

/** What the tests use. */
export interface SignInFixture {
  readonly server: ListeningServer;
  readonly tenant: FixtureTenant;
  readonly issuer: SignInIssuer;
  readonly link: SignInLink;
  /** The time of the link's clock. */
  readonly linkClock: { atMs: number };
  /** Lets time pass for a page, whose clock must be installed, and in the answers of the server. */
  readonly fastForward: (page: Page, ms: number) => Promise<void>;
  readonly open: (token?: string, options?: BrowserContextOptions) => Promise<WatchedPage>;
}

/** Starts it before the tests of a block, and ends it after them. The issuer is down when the server starts. */
export const useSignInFixture = (): (() => SignInFixture) => {
  const explorer = useExplorer();
  let fixture: SignInFixture;
  let dateAheadMs = 0;
  // The server first: a page takes over the time that an answer shows, also in the middle of a jump of its own clock.
  const fastForward: SignInFixture['fastForward'] = async (page, ms) => {
    dateAheadMs += ms;
    await page.clock.fastForward(ms);
  };

  before(async () => {
    const { ledger, browser, tenant, atEnd } = explorer();
    for (const name of ['Pump 1', 'Pump 2']) await tenant.createAsset({ arc_display_name: name });
    let origin = '';
    const issuer = await startSignInIssuer(tenant.identity, () => origin);
    atEnd(issuer.close);
    const issuers = [issuer.settings];
    const linkClock = { atMs: 0 };
    const link = createSignInLink(() => linkClock.atMs);
    issuer.conduct.isUp = false;
    const files = await openBuiltExplorer(ledger, issuers);
    const dates = { dateAheadMs: () => dateAheadMs };
    const server = await serveTestLedger(ledger, { explorer: files, issuers, signInLink: link, ...dates });
    atEnd(server.close);
    origin = server.url;
    const open: SignInFixture['open'] = (token, options = {}) =>
      openPage(browser, server.url, token, options, [issuer.url]);
    const servedTenant = tenantAt(server, tenant, tenant.token);
    fixture = { server, tenant: servedTenant, issuer, link, linkClock, fastForward, open };
  });
  beforeEach(() => {
    fixture.issuer.reset();
    dateAheadMs = 0;
  });
  return () => fixture;
};

/** The address of a page without its origin. */
export const addressOf = (page: Page): string => page.url().replace(/^https?:\/\/[^/]*/, '');

/** The names of what the tab has stored. */
export const storedNames = (page: Page): Promise<string[]> => page.evaluate<string[]>('Object.keys(sessionStorage)');

/** Opens an address without a session, and goes to the page of the issuer. */
export const goToIssuer = async (page: Page, url: string): Promise<void> => {
  await page.goto(url);
  await page.locator('.issuers button:enabled').click();
  await page.getByRole('heading', { name: 'Issuer' }).waitFor();
};

/** The same, and consents there. */
export const signInAtIssuer = async (page: Page, url: string): Promise<void> => {
  await goToIssuer(page, url);
  await page.getByRole('link', { name: 'Continue as Anna' }).click();
};

/** Pastes a token on the page to sign in. */
export const pasteToken = async (page: Page, token: string): Promise<void> => {
  await page.getByLabel('Access token').fill(token);
  await page.getByRole('main').getByRole('button', { name: 'Sign in', exact: true }).click();
};
