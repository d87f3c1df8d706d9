// What a browser loads for a page of the explorer, and when it paints.
import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { ExplorerServer } from './explorerServer.ts';

/** One load of a page with an empty cache. */
export interface PageLoad {
  /** Paths of its files. */
  readonly paths: readonly string[];
  readonly firstPaintMs: number;
}

/** The paths of the files that a check loads, beyond those of the page. */
export interface CheckLoads {
  /** An event's JSON, by the contract. */
  readonly chain: readonly string[];
  /** An evidence file, without roots of trust. */
  readonly evidence: readonly string[];
  /** The same, with the key of a log. */
  readonly signed: readonly string[];
}

const SETTLED = '.waiting';

const openSignedIn = async (browser: Browser, { token }: ExplorerServer): Promise<BrowserContext> => {
  const context = await browser.newContext();
  await context.addInitScript(`sessionStorage.setItem('provenance-ledger-token', ${JSON.stringify(token)})`);
  return context;
};

// The files of the application; the API's answers are data.
const listPaths = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(
    `performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname)
      .filter((path) => path.startsWith('/ui/') && path !== '/ui/config.json')`,
  );

const FIRST_PAINT = `performance.getEntriesByName('first-contentful-paint')[0]?.startTime`;

/** Loads the first page as somebody who is signed in. */
export const loadFirstPage = async (browser: Browser, server: ExplorerServer): Promise<PageLoad> => {
  const context = await openSignedIn(browser, server);
  const page = await context.newPage();
  await page.goto(`${server.url}/`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.locator(SETTLED).first().waitFor({ state: 'detached' });
  await page.waitForFunction(FIRST_PAINT);
  const firstPaintMs = await page.evaluate<number>(FIRST_PAINT);
  const paths = ['/index.html', ...(await listPaths(page))];
  await context.close();
  return { paths, firstPaintMs };
};

const choose = async (page: Page, label: RegExp, text: string): Promise<void> => {
  const file = { name: 'chosen.json', mimeType: 'application/json', buffer: Buffer.from(text) };
  await page.getByLabel(label).setInputFiles(file);
};

const loadCheck = async (browser: Browser, server: ExplorerServer, file: string, trust?: string): Promise<string[]> => {
  const context = await openSignedIn(browser, server);
  const page = await context.newPage();
  await page.goto(`${server.url}/check`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  const before = await listPaths(page);
  if (trust !== undefined) await choose(page, /roots/, trust);
  await choose(page, /File to check/, file);
  await page.locator('.outcome.good, .outcome.waiting').waitFor();
  const paths = (await listPaths(page)).filter((path) => path.endsWith('.js') && !before.includes(path));
  await context.close();
  return paths;
};

/** Checks what a person could have. Rejects when a check doesn't succeed. */
export const loadChecks = async (browser: Browser, server: ExplorerServer): Promise<CheckLoads> => ({
  chain: await loadCheck(browser, server, server.event),
  evidence: await loadCheck(browser, server, server.evidence),
  signed: await loadCheck(browser, server, server.evidence, server.trust),
});
