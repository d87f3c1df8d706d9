// What the explorer's forms must meet in a browser, and the entries that try them.
import { join } from 'node:path';
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import type { FixtureTenant } from '../support/fixtureTenant.ts';
import { findBarriers, readWidth, SCREENSHOTS } from './browser.ts';

/** Expects that a page has no barrier and doesn't scroll sideways, 320 pixels wide and wide, and writes a picture. */
export const expectReachable = async (page: Page, name: string): Promise<void> => {
  for (const width of [320, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    await page.screenshot({ path: join(SCREENSHOTS, `${name}-${width}.png`), fullPage: true });
    expect(await readWidth(page), `${name} at ${width}`).to.be.at.most(width);
    expect(await findBarriers(page)).to.deep.equal([]);
  }
};

/** Waits until a form says what is wrong with the field of a label. */
export const waitForWrong = (page: Page, form: Page | Locator, label: string): Promise<void> =>
  form
    .locator('.field', { has: page.getByLabel(label) })
    .locator('.wrong')
    .waitFor();

/** Text of 4,096 characters, right to left and not, with what would be a program if it were taken for markup. */
export const LONG = `<script>document.title='taken'</script>שלום עולם `.repeat(200).slice(0, 4_096);

/** The attributes of a record that a page shows: what `identity` names at the server. */
export const fetchRecord = async <T>(tenant: FixtureTenant, page: Page): Promise<T> => {
  const { pathname } = new URL(page.url());
  return (await tenant.get<T>(pathname.slice(1))).body;
};
