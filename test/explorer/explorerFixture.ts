// The explorer in a browser: a ledger with a tenant, a server that has the pages, and what opens them.
import { mkdir } from 'node:fs/promises';
import type { Browser, BrowserContextOptions } from 'playwright-core';
import { openCheckpoints } from '../../host/evidence/openCheckpoints.ts';
import { openEvidence } from '../../host/evidence/openEvidence.ts';
import type { Ledger } from '../../host/openLedger.ts';
import { createOperatorCommands } from '../../host/operator/operatorCommands.ts';
import { createFixtureTenant, type FixtureTenant } from '../support/fixtureTenant.ts';
import {
  createTemporaryDirectory,
  type ListeningServer,
  openTestLedger,
  serveTestLedger,
} from '../support/testLedger.ts';
import { openPage, SCREENSHOTS, startBrowser, type WatchedPage } from './browser.ts';
import { openBuiltExplorer } from './builtExplorer.ts';

/** The options of a page. */
export interface OpenOptions extends BrowserContextOptions {
  /** Instead of the tenant's root token; null: not signed in. */
  readonly token?: string | null;
}

/** What the tests of a suite share. */
export interface Explorer {
  readonly ledger: Ledger;
  readonly server: ListeningServer;
  readonly browser: Browser;
  readonly tenant: FixtureTenant;
  /** A token of the tenant with another role. */
  issueToken(role: string): Promise<string>;
  /** Opens an empty page, whose signed-in user is the tenant unless the options say otherwise. */
  openTab(options?: OpenOptions): Promise<WatchedPage>;
  /** Opens a page by its path, and waits for its heading if one is given. */
  open(path: string, heading?: string, options?: OpenOptions): Promise<WatchedPage>;
  /** Has this called after the tests, before what was there earlier ends. */
  atEnd(end: () => Promise<unknown>): void;
}

interface Parts {
  /** Whether the server has evidence files. */
  readonly hasEvidence?: boolean;
}

const EVIDENCE_WAIT_MS = 30_000;

/** Registers hooks that open it for a suite, and end it; the returned function returns it. */
export const useExplorer = ({ hasEvidence = false }: Parts = {}): (() => Explorer) => {
  const ends: (() => Promise<unknown>)[] = [];
  let explorer: Explorer;

  const openEvidenceOf = async (ledger: Ledger) => {
    const checkpoints = (await openCheckpoints(ledger, { checkpointSeconds: 3_600 }, () => undefined))!;
    ends.push(checkpoints.close);
    return openEvidence({ ledger, checkpoints, waitMs: EVIDENCE_WAIT_MS });
  };

  before(async () => {
    await mkdir(SCREENSHOTS, { recursive: true });
    const { path: dataDir, remove } = await createTemporaryDirectory();
    ends.push(remove);
    const ledger = await openTestLedger(dataDir);
    ends.push(ledger.close);
    const evidence = hasEvidence ? { evidence: await openEvidenceOf(ledger) } : {};
    const server = await serveTestLedger(ledger, { ...evidence, explorer: await openBuiltExplorer(ledger) });
    ends.push(server.close);
    const tenant = await createFixtureTenant(ledger, server, 'shown');
    const browser = await startBrowser();
    ends.push(() => browser.close());
    const issueToken = async (role: string) =>
      ((await createOperatorCommands(ledger).token!({ tenant: 'shown', role })) as { token: string }).token;
    const openTab: Explorer['openTab'] = ({ token = tenant.token, ...options } = {}) =>
      openPage(browser, server.url, token ?? undefined, options);
    const open: Explorer['open'] = async (path, heading, options) => {
      const opened = await openTab(options);
      await opened.page.goto(path);
      if (heading !== undefined) await opened.page.locator('h1', { hasText: heading }).waitFor();
      return opened;
    };
    explorer = { ledger, server, browser, tenant, issueToken, openTab, open, atEnd: (end) => ends.push(end) };
  });
  after(async () => {
    for (const end of ends.splice(0).reverse()) await end();
  });
  return () => explorer;
};
