// The system's Chromium, without which tests are skipped, and pages in it that record what must not happen: messages,
// errors and requests to others.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { findProgram, skipWithout } from '../support/missing.ts';
import { until, WAIT_MS } from '../support/until.ts';

const MISSING = 'the tests of pages in a browser, without Chromium on the PATH (Debian has it in the package chromium)';

/** The folder of the pictures, which git ignores. */
export const SCREENSHOTS = fileURLToPath(new URL('../../.screenshots', import.meta.url));

/** The source of axe, which finds barriers. */
const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

const findChromium = (): string | undefined => findProgram('chromium', 'chromium-browser', 'google-chrome');

/** Describes tests that need Chromium. Without it they and their hooks are skipped. */
export const describeInBrowser = (title: string, tests: () => void): void => {
  describe(title, () => {
    before(function () {
      if (findChromium() === undefined) skipWithout(this, MISSING);
    });
    tests();
  });
};

/** Starts the browser. It draws without looking for a graphics card: machines for tests have none. */
export const startBrowser = (): Promise<Browser> =>
  chromium.launch({ executablePath: findChromium()!, args: ['--no-sandbox', '--disable-gpu'] });

/** A page, and what it did that it must not do. */
export interface WatchedPage {
  readonly page: Page;
  /** Messages of the console (also of a refused resource), uncaught errors, requests to other origins. */
  readonly faults: string[];
  close(): Promise<void>;
}

/**
 * Opens a page whose paths lead to a server; with a token, signed in. The page may also send requests to the origins of
 * `others`.
 */
export const openPage = async (
  browser: Browser,
  origin: string,
  token: string | undefined,
  options: BrowserContextOptions = {},
  others: readonly string[] = [],
): Promise<WatchedPage> => {
  const allowed = [origin, `blob:${origin}`, ...others].map((start) => `${start}/`);
  const context = await browser.newContext({ baseURL: origin, viewport: { width: 1280, height: 800 }, ...options });
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

/** Waits until what is read of a page is this, or matches it: a page is not there at once. */
export const expectShown = async <T>(read: () => Promise<T>, expected: T | RegExp): Promise<void> => {
  let seen: T;
  await until(
    async () => {
      seen = await read();
      return expected instanceof RegExp ? expected.test(String(seen)) : isDeepStrictEqual(seen, expected);
    },
    () => ({ seen, expected }),
  );
};

/** The width that a page needs, in pixels. */
export const readWidth = (page: Page): Promise<number> => page.evaluate<number>('document.documentElement.scrollWidth');

/** The barriers that axe finds on a page, each with the elements that have it. */
export const findBarriers = async (page: Page): Promise<string[]> => {
  await page.evaluate(await readFile(AXE, 'utf8'));
  return page.evaluate<string[]>(
    `axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)].join(' ')))`,
  );
};
