// The pages of the explorer in a real browser, from a real server.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { renderSVG } from 'uqr';
import { describeInBrowser, expectShown, findBarriers, readWidth, SCREENSHOTS, type WatchedPage } from './browser.ts';
import { useExplorer } from './explorerFixture.ts';
import { parametersOf } from './listPages.ts';
import { MARKUP, recordShown, type ShownLedger } from './shownLedger.ts';

const NARROW = 320;
const SCHEMES = ['light', 'dark'] as const;

describeInBrowser('the pages of the explorer', () => {
  const explorer = useExplorer();
  let shown: ShownLedger;

  before(async () => {
    shown = await recordShown(explorer());
  });

  /** Path and heading of each page, by its name. */
  const addresses: Readonly<Record<string, () => readonly [path: string, heading: string]>> = {
    home: () => ['/', 'Now'],
    assets: () => ['/assets', 'Assets'],
    asset: () => [`/${shown.asset.identity}`, 'Container 7'],
    past: () => [`/${shown.asset.identity}?at=${shown.events[1]!.timestamp_accepted}`, 'Container 7'],
    event: () => [`/${shown.events[0]!.identity}`, 'Position'],
    locations: () => ['/locations', 'Locations'],
    location: () => [`/${shown.location}`, `Port ${MARKUP}`],
    policies: () => ['/policies', 'Policies'],
    node: () => ['/node', 'Chain'],
    check: () => ['/check', 'Check'],
    public: () => [`/p/${shown.publicAsset.identity}`, 'Container 8'],
    missing: () => ['/assets/none/of/these', 'No such page'],
  };

  const show = async (page: Page, path: string, heading: string): Promise<void> => {
    await page.goto(`${path}`);
    await page.locator('h1', { hasText: heading }).waitFor();
    await page.locator('.waiting').first().waitFor({ state: 'detached' });
    await page.waitForFunction(`document.querySelectorAll('.waiting').length === 0`);
  };

  for (const scheme of SCHEMES)
    describe(`have no message, no foreign request and no barrier, ${scheme}, 320 and 1,280 pixels wide`, () => {
      // One tab for all of them, which keeps what it has loaded.
      let opened: WatchedPage;
      before(async () => {
        opened = await explorer().openTab({ colorScheme: scheme });
      });
      after(() => opened.close());

      for (const [name, addressOf] of Object.entries(addresses))
        it(name, async () => {
          const { page, faults } = opened;
          for (const width of [NARROW, 1280]) {
            await page.setViewportSize({ width, height: 800 });
            await show(page, ...addressOf());
            await page.screenshot({ path: join(SCREENSHOTS, `${name}-${width}-${scheme}.png`), fullPage: true });
            expect(await readWidth(page), `${name} at ${width}`).to.be.at.most(width);
            expect(await findBarriers(page)).to.deep.equal([]);
            expect(await page.title(), name).not.to.equal('taken');
          }
          expect(faults.splice(0)).to.deep.equal([]);
        });
    });

  it('show the asset as it was, by the slider and by the address', async () => {
    const { page, faults, close } = await explorer().openTab();
    await show(page, `/${shown.asset.identity}`, 'Container 7');
    const temperature = page.locator('.attributes tr', { hasText: 'temperature' }).locator('td');
    const verdict = page.locator('.verdict', { hasText: 'Cargo stays cold' });
    await expectShown(() => temperature.textContent(), '-9');
    await verdict.getByText('fails').waitFor();
    await page.getByRole('slider').focus();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await page.locator('.past').waitFor();
    await expectShown(async () => parametersOf(page).get('at'), shown.events[2]!.timestamp_accepted);
    await page.locator('.attributes td', { hasText: /^-16$/ }).waitFor();
    await verdict.getByText('complies').waitFor();
    await expectShown(() => page.locator('.timeline .later').count(), 1);
    await expectShown(() => page.locator('.map circle').count(), 3);
    expect(faults).to.deep.equal([]);
    await close();
  });

  it('sign in with a pasted token, and keep it until sign-out', async () => {
    const { page, close } = await explorer().openTab({ token: null });
    await page.goto(`/assets`);
    const button = page.getByRole('main').getByRole('button', { name: 'Sign in' });
    await page.getByLabel('Access token').fill('no token');
    await expectShown(() => button.isDisabled(), true);
    await page.getByLabel('Access token').fill(` Bearer ${explorer().tenant.token}\n`);
    await button.click();
    await page.getByRole('link', { name: 'Container 7' }).waitFor();
    await page.reload();
    await page.getByRole('link', { name: 'Container 7' }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Access token').waitFor();
    await expectShown(() => page.evaluate(() => sessionStorage.length), 0);
    await close();
  });

  it('say that the session has expired, and what to do', async () => {
    const forged = `${explorer().tenant.token.slice(0, -4)}AAAA`;
    const { page, close } = await explorer().openTab({ token: forged });
    await page.goto(`/assets`);
    const note = page.getByRole('main').getByRole('alert');
    await note.getByRole('link', { name: 'Sign in' }).click();
    await page.getByLabel('Access token').waitFor();
    await close();
  });

  it('show public assets without a token, with their files and the links to their public events', async () => {
    const { page, faults, close } = await explorer().openTab({ token: null });
    await page.goto(`/archivist/v2/public${shown.publicAsset.identity}`);
    await page.locator('h1', { hasText: 'Container 8' }).waitFor();
    await expectShown(async () => new URL(page.url()).pathname, `/p/${shown.publicAsset.identity}`);
    await page.locator('.attachments img').waitFor();
    await page.locator('.timeline a', { hasText: 'Created' }).click();
    await page.locator('h1', { hasText: 'Created' }).waitFor();
    await expectShown(async () => new URL(page.url()).pathname, /^\/p\/assets\/[0-9a-f-]+\/events\/[0-9a-f-]+$/);
    await expectShown(() => page.getByText('name not public').count(), 2);
    expect(faults).to.deep.equal([]);
    await close();
  });

  it('filter assets by the address', async () => {
    const { page, close } = await explorer().openTab();
    await show(page, '/assets', 'Assets');
    await page.getByLabel('Type').fill('Pump');
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByText('No asset matches').waitFor();
    await expectShown(async () => parametersOf(page).get('attributes.arc_display_type'), 'Pump');
    await page.getByRole('link', { name: 'Type: Pump' }).click();
    await page.getByRole('link', { name: 'Container 7' }).waitFor();
    await close();
  });

  it('sort a list by its columns, and keep the order in the address', async () => {
    const { page, faults, close } = await explorer().openTab();
    await show(page, '/assets', 'Assets');
    const names = () => page.locator('tbody td[data-title=Name]').allTextContents();
    const heading = page.getByRole('columnheader', { name: 'Name' });
    await heading.getByRole('link').click();
    await page.locator('th[aria-sort=ascending]').waitFor();
    await expectShown(() => names(), ['Container 7', 'Container 8']);
    await heading.getByRole('link').click();
    await page.locator('th[aria-sort=descending]').waitFor();
    await expectShown(() => names(), ['Container 8', 'Container 7']);
    await page.reload();
    await page.locator('th[aria-sort=descending]').waitFor();
    expect(faults).to.deep.equal([]);
    await close();
  });

  it('save the whole list as CSV, by its filters', async () => {
    const { page, faults, close } = await explorer().openTab();
    await show(page, '/assets?attributes.arc_display_type=Container', 'Assets');
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download as CSV' }).click();
    const file = await saved;
    expect(file.suggestedFilename()).to.equal('assets.csv');
    const text = await readFile(await file.path(), 'utf8');
    expect(text).to.contain(shown.asset.identity).and.to.contain(MARKUP.replaceAll('"', '""'));
    expect(text).not.to.contain(shown.publicAsset.identity);
    expect(faults).to.deep.equal([]);
    await close();
  });

  it('have a QR code: of a public asset, the address of its public page', async () => {
    const { server, openTab } = explorer();
    const { page, faults, close } = await openTab();
    for (const [asset, path] of [
      [shown.publicAsset, `/p/${shown.publicAsset.identity}`],
      [shown.asset, `/${shown.asset.identity}`],
    ] as const) {
      await page.goto(`/${asset.identity}`);
      await page.locator('summary', { hasText: 'QR code' }).click();
      const picture = page.getByRole('img', { name: `QR code of ${server.url}${path}` });
      await picture.waitFor();
      await expectShown(() => picture.evaluate((image: { naturalWidth: number }) => image.naturalWidth > 0), true);
      const saved = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Save as SVG' }).click();
      const svg = await readFile(await (await saved).path(), 'utf8');
      expect(svg).to.equal(renderSVG(`${server.url}${path}`, { ecc: 'Q', border: 4 }));
    }
    expect(faults).to.deep.equal([]);
    await close();
  });

  it('draw the newest blocks, and say so where the operator has switched off the reads of the chain', async () => {
    const { page, faults, close } = await explorer().openTab();
    await show(page, '/node', 'Chain');
    for (const figure of [/^Height$/, /Seconds/])
      await page.getByRole('figure', { name: figure }).locator('canvas').waitFor();
    await page.getByText(/Between the newest \d+ blocks/).waitFor();
    expect(faults).to.deep.equal([]);
    await page.route('**/rpc', (route) => route.fulfill({ status: 404 }));
    await page.reload();
    await page.getByText('switched off').waitFor();
    await expectShown(() => page.locator('.figures dd').first().textContent(), /^[\d,.]+$/);
    await close();
  });

  it('show an event as it is committed, and after a break those that were committed meanwhile', async () => {
    const { tenant, openTab } = explorer();
    const { page, close } = await openTab();
    await show(page, '/', 'Now');
    await page.getByText('live').waitFor();
    await tenant.record(shown.asset, 'while one looks');
    await page.getByText('while one looks').waitFor();
    await page.context().setOffline(true);
    await page.getByText('unreachable').waitFor();
    await page.getByRole('link', { name: 'Container 7' }).first().waitFor();
    await tenant.record(shown.asset, 'in the break');
    await page.context().setOffline(false);
    await page.getByText('in the break').waitFor();
    const { headers } = await tenant.get('assets/-/events?page_size=1');
    await expectShown(() => page.locator('.figures dd').first().textContent(), headers.get('x-total-count'));
    await close();
  });

  it('show in the list which assets fail a policy', async () => {
    const { page, faults, close } = await explorer().openTab();
    await show(page, '/assets', 'Assets');
    await page.locator('tr', { hasText: 'Container 7' }).getByText('fails').waitFor();
    const others = page.locator('tr', { hasText: 'Container 8' }).getByText(/fails|complies/);
    await expectShown(() => others.count(), 0);
    expect(faults).to.deep.equal([]);
    await close();
  });
});
