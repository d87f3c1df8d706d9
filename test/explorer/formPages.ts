// The explorer's forms in a browser: a server with a tenant, its pages, and what every form must meet.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { createOperatorCommands } from '../../host/operator/operatorCommands.ts';
import { createFixtureTenant, type FixtureTenant } from '../support/fixtureTenant.ts';
import { useSharedLedger } from '../support/sharedLedger.ts';
import { type ListeningServer, serveTestLedger } from '../support/testLedger.ts';
import { findBarriers, openPage, SCREENSHOTS, startBrowser, type WatchedPage } from './browser.ts';
import { openBuiltExplorer } from './builtExplorer.ts';

/** The parts of a suite of a form. */
export interface FormPages {
  readonly server: ListeningServer;
  readonly tenant: FixtureTenant;
  /** A token of the tenant with another role. */
  issueToken(role: string): Promise<string>;
  /** Opens a page of the explorer, signed in with this token, or as root. */
  open(path: string, heading: string, options?: OpenOptions): Promise<WatchedPage>;
}

interface OpenOptions extends BrowserContextOptions {
  readonly token?: string;
}

/** Starts them before the tests of a suite. */
export const useFormPages = (name: string, executable: string): (() => FormPages) => {
  const shared = useSharedLedger({});
  let browser: Browser;
  let server: ListeningServer;
  let pages: FormPages;
  before(async () => {
    await mkdir(SCREENSHOTS, { recursive: true });
    const { ledger } = shared();
    server = await serveTestLedger(ledger, { explorer: await openBuiltExplorer(ledger) });
    const tenant = await createFixtureTenant(ledger, server, name);
    browser = await startBrowser(executable);
    const issueToken = async (role: string) =>
      ((await createOperatorCommands(ledger).token!({ tenant: name, role })) as { token: string }).token;
    const open: FormPages['open'] = async (path, heading, { token = tenant.token, ...options } = {}) => {
      const opened = await openPage(browser, server.url, token, options);
      await opened.page.goto(`${server.url}${path}`);
      await opened.page.locator('h1', { hasText: heading }).waitFor();
      return opened;
    };
    pages = { server, tenant, issueToken, open };
  });
  after(async () => {
    await browser.close();
    await server.close();
  });
  return () => pages;
};

/** Expects that a page has no barrier and doesn't scroll sideways, 320 pixels wide and wide, and writes a picture. */
export const expectReachable = async (page: Page, name: string): Promise<void> => {
  for (const width of [320, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await page.screenshot({ path: join(SCREENSHOTS, `${name}-${width}.png`), fullPage: true });
    const scroll = await page.evaluate<number>('document.documentElement.scrollWidth');
    expect(scroll, `${name} at ${width}`).to.be.at.most(width);
    expect(await findBarriers(page)).to.deep.equal([]);
  }
};

/** Text of 4,096 characters, right to left and not, with what would be a program if it were taken for markup. */
export const LONG = `<script>document.title='taken'</script>שלום עולם `.repeat(200).slice(0, 4_096);

/** The attributes of a record that a page shows: what `identity` names at the server. */
export const fetchRecord = async <T>(tenant: FixtureTenant, page: Page): Promise<T> => {
  const { pathname } = new URL(page.url());
  return (await tenant.get<T>(pathname.slice(1))).body;
};
