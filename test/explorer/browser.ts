// The system's Chromium, and pages in it that record what must not happen: messages, errors and requests to others.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];
const WAIT_MS = 20_000;

/** The folder of the pictures, which git ignores. */
export const SCREENSHOTS = fileURLToPath(new URL('../../.screenshots', import.meta.url));

/** The source of axe, which finds barriers. */
const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** The path of the system's Chromium; undefined where there is none. */
export const findChromium = (): string | undefined =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => NAMES.map((name) => join(folder, name)))
    .find(existsSync);

/** Starts the browser. */
export const startBrowser = (executablePath: string): Promise<Browser> =>
  chromium.launch({ executablePath, args: ['--no-sandbox'] });

/** A page, and what it did that it must not do. */
export interface WatchedPage {
  readonly page: Page;
  /** Messages of the console (also of a refused resource), uncaught errors, requests to other origins. */
  readonly faults: string[];
  close(): Promise<void>;
}

/** Opens a page of a server; with a token, signed in. The page may also send requests to the origins of `others`. */
export const openPage = async (
  browser: Browser,
  origin: string,
  token: string | undefined,
  options: BrowserContextOptions = {},
  others: readonly string[] = [],
): Promise<WatchedPage> => {
  const allowed = [origin, `blob:${origin}`, ...others].map((start) => `${start}/`);
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  context.setDefaultTimeout(WAIT_MS);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on('console', (message) => faults.push(`${page.url()} ${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => faults.push(`${page.url()} ${error.message}`));
  page.on('request', (request) => {
    const url = request.url();
    if (!allowed.some((start) => url.startsWith(start))) faults.push(`request to ${url}`);
  });
  if (token !== undefined)
    await page.addInitScript((given) => {
      // Once: a page that is loaded again after sign-out stays without a token. The name stays with the tab.
      const tab = globalThis as unknown as { name: string };
      if (tab.name === '') sessionStorage.setItem('provenance-ledger-token', given);
      tab.name = 'opened';
    }, token);
  return { page, faults, close: () => context.close() };
};

/** The barriers that axe finds on a page, each with the elements that have it. */
export const findBarriers = async (page: Page): Promise<string[]> => {
  await page.evaluate(await readFile(AXE, 'utf8'));
  return page.evaluate<string[]>(
    `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)].join(' ')))`,
  );
};
