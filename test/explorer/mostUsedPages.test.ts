// The ten pages that people open most, each with the key data of a ledger; test:all has all pages and forms.
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { describeInBrowser, expectShown, findBarriers } from './browser.ts';
import { useExplorer } from './explorerFixture.ts';
import { waitForTotal } from './listPages.ts';
import { recordShown, type ShownLedger } from './shownLedger.ts';

interface VisitedPage {
  readonly name: string;
  readonly path: (shown: ShownLedger) => string;
  readonly heading: string;
  /** Waits for what the page says of the ledger. */
  readonly fact: (page: Page, shown: ShownLedger) => Promise<void>;
  readonly isPublic?: boolean;
}

const PAGES: readonly VisitedPage[] = [
  {
    name: 'what is recorded now, live, with the newest events',
    path: () => '/',
    heading: 'Now',
    fact: async (page) => {
      await page.locator('.badge', { hasText: 'live' }).waitFor();
      await page.getByRole('link', { name: 'Container 7' }).first().waitFor();
    },
  },
  {
    name: 'the assets, with the policy that one of them fails',
    path: () => '/assets',
    heading: 'Assets',
    fact: async (page) => {
      await waitForTotal(page, 2);
      await page.locator('tr', { hasText: 'Container 7' }).getByText('fails').waitFor();
    },
  },
  {
    name: 'an asset, with its attributes, verdicts, track and timeline',
    path: ({ asset }) => `/${asset.identity}`,
    heading: 'Container 7',
    fact: async (page) => {
      await page.locator('.attributes tr', { hasText: 'temperature' }).getByText('-9', { exact: true }).waitFor();
      await page.locator('.verdict', { hasText: 'Cargo stays cold' }).getByText('fails').waitFor();
      await expectShown(() => page.locator('.map circle').count(), 4);
      await expectShown(() => page.locator('.timeline a').count(), 5);
    },
  },
  {
    name: 'an asset as it was',
    path: ({ asset, events }) => `/${asset.identity}?at=${events[1]!.timestamp_accepted}`,
    heading: 'Container 7',
    fact: async (page) => {
      await page.locator('.past').waitFor();
      await page.locator('.attributes td', { hasText: /^-17$/ }).waitFor();
      await page.locator('.verdict', { hasText: 'Cargo stays cold' }).getByText('complies').waitFor();
    },
  },
  {
    name: 'an event, which the contract proves',
    path: ({ events }) => `/${events[0]!.identity}`,
    heading: 'Position',
    fact: async (page) => {
      await page.getByText('on the ledger').first().waitFor();
      await page.getByRole('button', { name: 'Check against the chain' }).click();
      await page.getByRole('status').locator('strong', { hasText: 'On the ledger' }).waitFor();
    },
  },
  {
    name: 'the events',
    path: () => '/events',
    heading: 'Events',
    fact: (page) => waitForTotal(page, 6),
  },
  {
    name: 'the locations, on a map',
    path: () => '/locations',
    heading: 'Locations',
    fact: async (page) => {
      await waitForTotal(page, 1);
      await page.locator('.map circle').waitFor();
    },
  },
  {
    name: 'the policies',
    path: () => '/policies',
    heading: 'Policies',
    fact: (page) => page.getByRole('link', { name: 'Cargo stays cold' }).waitFor(),
  },
  {
    name: 'the state of the chain, with its newest blocks',
    path: () => '/node',
    heading: 'Chain',
    fact: async (page) => {
      await page.getByText(/Between the newest \d+ blocks/).waitFor();
      await expectShown(() => page.locator('.figures dd').first().textContent(), /^[\d,.]+$/);
    },
  },
  {
    name: 'a public asset, without a token',
    path: ({ publicAsset }) => `/p/${publicAsset.identity}`,
    heading: 'Container 8',
    isPublic: true,
    fact: async (page) => {
      await page.locator('.attachments img').waitFor();
      await page.locator('.timeline a', { hasText: 'Created' }).waitFor();
    },
  },
];

describeInBrowser('the most used pages of the explorer', () => {
  const explorer = useExplorer();
  let shown: ShownLedger;

  before(async () => {
    shown = await recordShown(explorer());
  });

  for (const { name, path, heading, fact, isPublic } of PAGES)
    it(`show ${name}, and do nothing that they must not do`, async () => {
      const { page, faults, close } = await explorer().open(path(shown), heading, isPublic ? { token: null } : {});
      await fact(page, shown);
      expect(await page.title()).not.to.equal('taken');
      expect(faults).to.deep.equal([]);
      await close();
    });

  for (const path of ['/assets', '/'])
    it(`have no barrier: ${path}`, async () => {
      const { page, close } = await explorer().open(path);
      await page.getByRole('link', { name: 'Container 7' }).first().waitFor();
      expect(await findBarriers(page)).to.deep.equal([]);
      await close();
    });
});
