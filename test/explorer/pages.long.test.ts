// The pages of the explorer in a real browser, from a real server.
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { renderSVG } from 'uqr';
import { createFixtureTenant, type FixtureTenant } from '../support/fixtureTenant.ts';
import { useSharedLedger } from '../support/sharedLedger.ts';
import { type ListeningServer, serveTestLedger } from '../support/testLedger.ts';
import { findBarriers, findChromium, openPage, SCREENSHOTS, startBrowser } from './browser.ts';
import { openBuiltExplorer } from './builtExplorer.ts';
import { MARKUP, recordShown, type ShownLedger } from './shownLedger.ts';

const NARROW = 320;
const SCHEMES = ['light', 'dark'] as const;

describe('the pages of the explorer', function () {
  const executable = findChromium();
  if (executable === undefined) {
    it('are not tested: there is no Chromium on the PATH');
    return;
  }
  this.timeout(300_000);
  const shared = useSharedLedger({});
  let server: ListeningServer;
  let browser: Browser;
  let token: string;
  let tenant: FixtureTenant;
  let shown: ShownLedger;

  before(async () => {
    await mkdir(SCREENSHOTS, { recursive: true });
    server = await serveTestLedger(shared().ledger, { explorer: await openBuiltExplorer(shared().ledger) });
    tenant = await createFixtureTenant(shared().ledger, server, 'shown');
    ({ token } = tenant);
    shown = await recordShown(server.url, tenant);
    browser = await startBrowser(executable);
  });
  after(async () => {
    await browser.close();
    await server.close();
  });

  const addresses = (): Readonly<Record<string, readonly [path: string, heading: string]>> => ({
    home: ['/', 'Now'],
    assets: ['/assets', 'Assets'],
    asset: [`/${shown.asset.identity}`, 'Container 7'],
    past: [`/${shown.asset.identity}?at=${shown.events[1]!.timestamp_accepted}`, 'Container 7'],
    event: [`/${shown.events[0]!.identity}`, 'Position'],
    locations: ['/locations', 'Locations'],
    location: [`/${shown.location}`, `Port ${MARKUP}`],
    policies: ['/policies', 'Policies'],
    node: ['/node', 'Chain'],
    check: ['/check', 'Check'],
    public: [`/p/${shown.publicAsset.identity}`, 'Container 8'],
    missing: ['/assets/none/of/these', 'No such page'],
  });

  const show = async (page: Page, path: string, heading: string): Promise<void> => {
    await page.goto(`${server.url}${path}`);
    await page.locator('h1', { hasText: heading }).waitFor();
    await page.locator('.waiting').first().waitFor({ state: 'detached' });
    await page.waitForFunction(`document.querySelectorAll('.waiting').length === 0`);
  };

  for (const scheme of SCHEMES)
    it(`have no message, no foreign request and no barrier, ${scheme}, 320 and 1,280 pixels wide`, async () => {
      const opened = await openPage(browser, server.url, token, { colorScheme: scheme });
      const { page, faults } = opened;
      for (const [name, [path, heading]] of Object.entries(addresses()))
        for (const width of [NARROW, 1280]) {
          await page.setViewportSize({ width, height: 800 });
          await show(page, path, heading);
          await page.screenshot({ path: join(SCREENSHOTS, `${name}-${width}-${scheme}.png`), fullPage: true });
          const scroll = await page.evaluate<number>('document.documentElement.scrollWidth');
          expect(scroll, `${name} at ${width}`).to.be.at.most(width);
          expect(await findBarriers(page)).to.deep.equal([]);
          expect(await page.title(), name).not.to.equal('taken');
        }
      expect(faults).to.deep.equal([]);
      await opened.close();
    });

  it('show the asset as it was, by the slider and by the address', async () => {
    const { page, faults, close } = await openPage(browser, server.url, token);
    await show(page, `/${shown.asset.identity}`, 'Container 7');
    const temperature = page.locator('.attributes tr', { hasText: 'temperature' }).locator('td');
    const verdict = page.locator('.verdict', { hasText: 'Cargo stays cold' });
    expect(await temperature.textContent()).to.equal('-9');
    await verdict.getByText('fails').waitFor();
    await page.getByRole('slider').focus();
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await page.locator('.past').waitFor();
    expect(new URL(page.url()).searchParams.get('at')).to.equal(shown.events[2]!.timestamp_accepted);
    await page.locator('.attributes td', { hasText: /^-16$/ }).waitFor();
    await verdict.getByText('complies').waitFor();
    expect(await page.locator('.timeline .later').count()).to.equal(1);
    expect(await page.locator('.map circle').count()).to.equal(3);
    expect(faults).to.deep.equal([]);
    await close();
  });

  it('sign in with a pasted token, and keep it until sign-out', async () => {
    const { page, close } = await openPage(browser, server.url, undefined);
    await page.goto(`${server.url}/assets`);
    const button = page.getByRole('main').getByRole('button', { name: 'Sign in' });
    await page.getByLabel('Access token').fill('no token');
    expect(await button.isDisabled()).to.equal(true);
    await page.getByLabel('Access token').fill(` Bearer ${token}\n`);
    await button.click();
    await page.getByRole('link', { name: 'Container 7' }).waitFor();
    await page.reload();
    await page.getByRole('link', { name: 'Container 7' }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Access token').waitFor();
    expect(await page.evaluate(() => sessionStorage.length)).to.equal(0);
    await close();
  });

  it('say that the session has expired, and what to do', async () => {
    const forged = `${token.slice(0, -4)}AAAA`;
    const { page, close } = await openPage(browser, server.url, forged);
    await page.goto(`${server.url}/assets`);
    const note = page.getByRole('main').getByRole('alert');
    await note.getByRole('link', { name: 'Sign in' }).click();
    await page.getByLabel('Access token').waitFor();
    await close();
  });

  it('show public assets without a token, with their files and the links to their public events', async () => {
    const { page, faults, close } = await openPage(browser, server.url, undefined);
    await page.goto(`${server.url}/archivist/v2/public${shown.publicAsset.identity}`);
    await page.locator('h1', { hasText: 'Container 8' }).waitFor();
    expect(new URL(page.url()).pathname).to.equal(`/p/${shown.publicAsset.identity}`);
    await page.locator('.attachments img').waitFor();
    await page.locator('.timeline a', { hasText: 'Created' }).click();
    await page.locator('h1', { hasText: 'Created' }).waitFor();
    expect(new URL(page.url()).pathname).to.match(/^\/p\/assets\/[0-9a-f-]+\/events\/[0-9a-f-]+$/);
    expect(await page.getByText('name not public').count()).to.equal(2);
    expect(faults).to.deep.equal([]);
    await close();
  });

  it('filter assets by the address', async () => {
    const { page, close } = await openPage(browser, server.url, token);
    await show(page, '/assets', 'Assets');
    await page.getByLabel('Type').fill('Pump');
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByText('No asset matches').waitFor();
    expect(new URL(page.url()).searchParams.get('attributes.arc_display_type')).to.equal('Pump');
    await page.getByRole('link', { name: 'Type: Pump' }).click();
    await page.getByRole('link', { name: 'Container 7' }).waitFor();
    await close();
  });

  it('sort a list by its columns, and keep the order in the address', async () => {
    const { page, faults, close } = await openPage(browser, server.url, token);
    await show(page, '/assets', 'Assets');
    const names = () => page.locator('tbody td[data-title=Name]').allTextContents();
    const heading = page.getByRole('columnheader', { name: 'Name' });
    await heading.getByRole('link').click();
    await page.locator('th[aria-sort=ascending]').waitFor();
    expect(await names()).to.deep.equal(['Container 7', 'Container 8']);
    await heading.getByRole('link').click();
    await page.locator('th[aria-sort=descending]').waitFor();
    expect(await names()).to.deep.equal(['Container 8', 'Container 7']);
    await page.reload();
    await page.locator('th[aria-sort=descending]').waitFor();
    expect(faults).to.deep.equal([]);
    await close();
  });

  it('save the whole list as CSV, by its filters', async () => {
    const { page, faults, close } = await openPage(browser, server.url, token);
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
    const { page, faults, close } = await openPage(browser, server.url, token);
    for (const [asset, path] of [
      [shown.publicAsset, `/p/${shown.publicAsset.identity}`],
      [shown.asset, `/${shown.asset.identity}`],
    ] as const) {
      await page.goto(`${server.url}/${asset.identity}`);
      await page.locator('summary', { hasText: 'QR code' }).click();
      const picture = page.getByRole('img', { name: `QR code of ${server.url}${path}` });
      await picture.waitFor();
      expect(await picture.evaluate((image: { naturalWidth: number }) => image.naturalWidth)).to.be.greaterThan(0);
      const saved = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Save as SVG' }).click();
      const svg = await readFile(await (await saved).path(), 'utf8');
      expect(svg).to.equal(renderSVG(`${server.url}${path}`, { ecc: 'Q', border: 4 }));
    }
    expect(faults).to.deep.equal([]);
    await close();
  });

  it('draw the newest blocks, and say so where the operator has switched off the reads of the chain', async () => {
    const { page, faults, close } = await openPage(browser, server.url, token);
    await show(page, '/node', 'Chain');
    for (const figure of [/^Height$/, /Seconds/])
      await page.getByRole('figure', { name: figure }).locator('canvas').waitFor();
    await page.getByText(/Between the newest \d+ blocks/).waitFor();
    expect(faults).to.deep.equal([]);
    await page.route('**/rpc', (route) => route.fulfill({ status: 404 }));
    await page.reload();
    await page.getByText('switched off').waitFor();
    expect(await page.locator('.figures dd').first().textContent()).to.match(/^[\d,.]+$/);
    await close();
  });

  it('show an event as it is committed, and after a break those that were committed meanwhile', async () => {
    const { page, close } = await openPage(browser, server.url, token);
    await show(page, '/', 'Now');
    await page.getByText('live').waitFor();
    await tenant.record(shown.asset, 'while one looks');
    await page.getByText('while one looks').waitFor();
    await page.context().setOffline(true);
    await page.getByText('unreachable').waitFor();
    expect(await page.getByRole('link', { name: 'Container 7' }).count()).to.be.greaterThan(0);
    await tenant.record(shown.asset, 'in the break');
    await page.context().setOffline(false);
    await page.getByText('in the break').waitFor();
    const total = await page.locator('.figures dd').first().textContent();
    const { headers } = await tenant.get('assets/-/events?page_size=1');
    expect(total).to.equal(headers.get('x-total-count'));
    await close();
  });

  it('show in the list which assets fail a policy', async () => {
    const { page, faults, close } = await openPage(browser, server.url, token);
    await show(page, '/assets', 'Assets');
    await page.locator('tr', { hasText: 'Container 7' }).getByText('fails').waitFor();
    expect(
      await page
        .locator('tr', { hasText: 'Container 8' })
        .getByText(/fails|complies/)
        .count(),
    ).to.equal(0);
    expect(faults).to.deep.equal([]);
    await close();
  });
});
