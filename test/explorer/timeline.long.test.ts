// A long timeline in a real browser: only what is near the visible part is loaded and rendered.
import { join } from 'node:path';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { AssetResource } from '../../ledger/assets/assetResource.ts';
import type { EventResource } from '../../ledger/records/event.ts';
import { describeInBrowser, expectShown, findBarriers, readWidth, SCREENSHOTS } from './browser.ts';
import { useExplorer } from './explorerFixture.ts';
import { parametersOf } from './listPages.ts';

/** With the creation, three pages and a part of one. */
const EVENTS = 650;
const AT_ONCE = 50;
/** The visible rows, those of the margins, and what completes their blocks. */
const ROWS_MAX = 100;

/** Of each rendered row, its number and the address of its event. */
const ROWS = `[...document.querySelectorAll('.timeline [data-row]')].map((item) =>
  [item.getAttribute('data-row'), item.querySelector('a').getAttribute('href')])`;
/** The address of an event in the visible part. */
const VISIBLE = `[...document.querySelectorAll('.timeline a')].find((link) =>
  link.getBoundingClientRect().top > document.querySelector('.box').getBoundingClientRect().top + 100
).getAttribute('href')`;

describeInBrowser('a long timeline', () => {
  const explorer = useExplorer();
  let asset: AssetResource;
  const events: EventResource[] = [];

  before(async () => {
    const { tenant } = explorer();
    asset = await tenant.createAsset({ arc_display_name: 'Long' });
    for (let first = 0; first < EVENTS; first += AT_ONCE) {
      const recorded = Array.from({ length: AT_ONCE }, (_, at) => tenant.record(asset, `note ${first + at}`));
      events.push(...(await Promise.all(recorded)).map(({ body }) => body));
    }
    events.sort((one, other) => (one.timestamp_accepted < other.timestamp_accepted ? -1 : 1));
  });

  const open = async (query = '', width = 1280) => {
    const opened = await explorer().openTab();
    await opened.page.setViewportSize({ width, height: 800 });
    await opened.page.goto(`/${asset.identity}${query}`);
    await opened.page.locator('.timeline a').first().waitFor();
    return opened;
  };
  const box = (page: Page) => page.getByRole('region', { name: 'Timeline' });
  const countRows = (page: Page): Promise<number> => page.locator('.timeline [data-row]').count();
  const waitForRows = (page: Page): Promise<void> =>
    page.locator('.timeline .unread').first().waitFor({ state: 'detached' });

  it('renders a bounded number of rows from the newest event to the oldest, which the End key reaches', async () => {
    const { page, faults, close } = await open();
    await box(page).focus();
    for (let step = 0; step < 40; step += 1) {
      await page.keyboard.press('PageDown');
      expect(await countRows(page)).to.be.within(1, ROWS_MAX);
    }
    await page.keyboard.press('End');
    await page.locator('.timeline a', { hasText: 'Created' }).waitFor();
    await waitForRows(page);
    expect(await countRows(page)).to.be.within(1, ROWS_MAX);
    const last = page.locator('.timeline [data-row]').last();
    await expectShown(() => last.getAttribute('aria-posinset'), `${EVENTS + 1}`);
    await expectShown(() => last.getAttribute('aria-setsize'), `${EVENTS + 1}`);
    await page.keyboard.press('Home');
    await page.locator('[aria-posinset="1"] a').waitFor();
    expect(faults).to.deep.equal([]);
    await close();
  });

  it('shows every event once, in the order of acceptance', async () => {
    const { page, faults, close } = await open();
    const seen = new Map<string, string>();
    for (let top = 0; seen.size <= EVENTS && top < 200; top += 1) {
      await box(page).evaluate((element: { scrollTop: number }, at: number) => {
        element.scrollTop = at * 400;
      }, top);
      await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
      await waitForRows(page);
      const rows = await page.evaluate<[row: string, address: string][]>(ROWS);
      for (const [row, address] of rows) seen.set(row, address);
    }
    expect(seen.size).to.equal(EVENTS + 1);
    expect(new Set(seen.values()).size).to.equal(EVENTS + 1);
    expect(faults).to.deep.equal([]);
    await close();
  });

  it('is led by the slider and by a date to any event, and back to now', async () => {
    const { page, faults, close } = await open();
    const slider = page.getByRole('slider');
    await expectShown(() => slider.getAttribute('max'), `${EVENTS + 1}`);
    await slider.fill('300');
    await page.locator('output', { hasText: 'event 301 of 651' }).waitFor();
    await page.locator('.timeline [aria-posinset="351"] a').waitFor();
    await page.locator('.timeline .later').first().waitFor();
    await slider.press('ArrowRight');
    await page.locator('output', { hasText: 'event 302 of 651' }).waitFor();
    await page.locator('output').getByRole('link', { name: 'now' }).click();
    await page.locator('output', { hasText: 'now' }).waitFor();
    await page.getByLabel('As recorded until').fill('2020-01-01T00:00:00');
    await page.getByRole('button', { name: 'Go' }).click();
    await page.getByRole('alert').first().waitFor();
    await expectShown(async () => parametersOf(page).get('at'), new Date('2020-01-01T00:00:00').toISOString());
    expect(faults.filter((fault) => !fault.includes('404'))).to.deep.equal([]);
    await close();
  });

  it('opens at the time in the address', async () => {
    const { page, close } = await open(`?at=${events[99]!.timestamp_accepted}`);
    await page.locator(`.timeline a[href="/${events[99]!.identity}"]`).waitFor();
    await page.locator('.past').waitFor();
    await close();
  });

  it('gets new events without losing its place', async () => {
    const { page, faults, close } = await open();
    await box(page).evaluate((element: { scrollTop: number }) => {
      element.scrollTop = 4_000;
    });
    await page.locator('.timeline [data-row="80"] a').waitFor();
    const placeOf = (address: string): Promise<number> =>
      page.evaluate(`document.querySelector('.timeline a[href="${address}"]').getBoundingClientRect().top`);
    const visible = await page.evaluate<string>(VISIBLE);
    const place = await placeOf(visible);
    await explorer().tenant.record(asset, 'while one reads');
    await page
      .locator(`.timeline [aria-setsize="${EVENTS + 2}"]`)
      .first()
      .waitFor();
    expect(await placeOf(visible)).to.be.closeTo(place, 2);
    await box(page).focus();
    await page.keyboard.press('Home');
    await page.getByText('while one reads').waitFor();
    expect(faults).to.deep.equal([]);
    await close();
  });

  it('says so where the address has no time', async () => {
    for (const at of ['yesterday', '2026', '2026-13-45T00:00:00Z']) {
      const { page, faults, close } = await open(`?at=${at}`);
      await page.getByRole('alert').getByText('is no time').waitFor();
      await expectShown(() => page.locator('.past').count(), 0);
      expect(faults).to.deep.equal([]);
      await close();
    }
  });

  it('has no barrier and fits 320 pixels', async () => {
    for (const width of [320, 1280]) {
      const { page, faults, close } = await open('', width);
      await page.screenshot({ path: join(SCREENSHOTS, `timeline-${width}-light.png`), fullPage: true });
      expect(await readWidth(page)).to.be.at.most(width);
      expect(await findBarriers(page)).to.deep.equal([]);
      expect(faults).to.deep.equal([]);
      await close();
    }
  });
});
