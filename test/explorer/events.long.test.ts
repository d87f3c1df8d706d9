// The list of events and the pages of blocks in a real browser, from a real server.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { describeInBrowser, expectShown, findBarriers, readWidth, SCREENSHOTS } from './browser.ts';
import { useExplorer } from './explorerFixture.ts';
import { filterByAttribute, parametersOf, waitForTotal } from './listPages.ts';
import { recordShown, type ShownLedger } from './shownLedger.ts';

describeInBrowser('the list of events', () => {
  const explorer = useExplorer();
  let shown: ShownLedger;

  before(async () => {
    shown = await recordShown(explorer());
  });

  it('filters by the form, keeps the filters in the address, and removes each by its chip', async () => {
    const { page, faults, close } = await explorer().open('/events');
    await waitForTotal(page, 6);
    await page.getByLabel('Type', { exact: true }).fill('Position');
    await page.getByLabel('Since', { exact: true }).fill('2020-01-01T00:00:00');
    await page.getByRole('button', { name: 'Filter' }).click();
    await waitForTotal(page, 4);
    const expected = new Date('2020-01-01T00:00:00').toISOString();
    await expectShown(async () => parametersOf(page).get('timestamp_accepted_since'), expected);
    await page.reload();
    await waitForTotal(page, 4);
    await expectShown(() => page.getByLabel('Since', { exact: true }).inputValue(), /^2020-01-01T00:00(?::00)?$/);
    await page.getByRole('link', { name: 'Type: Position' }).click();
    await waitForTotal(page, 6);
    await expectShown(async () => [...parametersOf(page).keys()], ['timestamp_accepted_since']);
    expect(faults).to.deep.equal([]);
    await close();
  });

  it('filters by what an event set, by what is absent, and by the asset as it is now', async () => {
    const { page, faults, close } = await explorer().open('/events');
    await page.getByText('More filters').click();
    const filter = (where: string, name: string, condition: string, value: string) =>
      filterByAttribute(page, { where, name, condition, value });
    await filter('what it set on the asset', 'temperature', 'is exactly', '-9');
    await waitForTotal(page, 1);
    await page.getByRole('link', { name: 'set: temperature = -9' }).click();
    await waitForTotal(page, 6);
    await filter('what the event says', 'arc_gis_lat', 'is absent or empty', '');
    await waitForTotal(page, 2);
    await expectShown(async () => parametersOf(page).get('attributes.arc_gis_lat!'), '*');
    await filter('the asset, as it is now', 'arc_display_name', 'is exactly', 'Container 8');
    await waitForTotal(page, 1);
    await page.getByRole('link', { name: 'Remove all filters' }).click();
    await waitForTotal(page, 6);
    expect(faults).to.deep.equal([]);
    await close();
  });

  it('says which parameter the server refuses, and offers the first page where a page token is not valid', async () => {
    const { page, close } = await explorer().open('/events?operaton=Record');
    await page.getByRole('alert').getByText('operaton').waitFor();
    await page.goto(`/events?page_token=none&operation=Record`);
    await page.getByRole('link', { name: 'First page' }).click();
    await waitForTotal(page, 4);
    await expectShown(async () => parametersOf(page).get('operation'), 'Record');
    await close();
  });

  it('saves what the filters match as CSV', async () => {
    const { page, close } = await explorer().open(`/events?asset_attributes.temperature=-17`);
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download as CSV' }).click();
    const text = await readFile(await (await saved).path(), 'utf8');
    expect(text).to.contain(shown.events[1]!.identity).and.not.to.contain(shown.events[0]!.identity);
    await close();
  });

  it('is reached from an asset and from a principal, and leads to blocks and transactions', async () => {
    const { page, faults, close } = await explorer().open(`/${shown.asset.identity}`);
    await page.getByRole('link', { name: 'Filter the events of this asset' }).click();
    await waitForTotal(page, 5);
    await page.locator('td[data-title=What] a').first().click();
    await page.getByTitle('Events of this principal').last().click();
    await waitForTotal(page, 6);
    await page.locator('td[data-title=Block] a[href^="/events"]').first().click();
    await page.waitForURL(/transaction_id=0x/);
    await waitForTotal(page, 1);
    await page.locator('td[data-title=Block] a').first().click();
    await page.locator('h1', { hasText: /^Block [\d,.]+$/ }).waitFor();
    expect(faults).to.deep.equal([]);
    await close();
  });

  it('shows the header of a block and the visible events in it, and says so where there is none', async () => {
    const event = (
      await explorer().tenant.get<typeof shown.asset & { block_number: number; transaction_id: string }>(
        shown.events[2]!.identity,
      )
    ).body;
    const { page, faults, close } = await explorer().open(`/node/blocks/${event.block_number}`);
    await page.getByRole('link', { name: event.transaction_id }).waitFor();
    await page.locator(`td a[href="/${event.identity}"]`).waitFor();
    const parent = await page.locator('.facts-list a code').textContent();
    await page.getByRole('link', { name: 'Previous block' }).click();
    await page.locator('dd', { hasText: parent! }).waitFor();
    await page.goto(`/node/blocks/0`);
    await page.getByText('it is the first block').waitFor();
    await page.goto(`/node/blocks/999999999`);
    await page.getByText('has no block').waitFor();
    await page.goto(`/node/blocks/-1`);
    await page.getByText('ends with its height').waitFor();
    expect(faults).to.deep.equal([]);
    await page.route('**/rpc', (route) => route.fulfill({ status: 404 }));
    await page.goto(`/node/blocks/1`);
    await page.getByText('switched off').waitFor();
    await close();
  });

  it('has no barrier and fits 320 pixels, also its block page and its opened form', async () => {
    const { page, faults, close } = await explorer().open('/events?operation=Record');
    const block = (await explorer().tenant.get<{ block_number: number }>(shown.events[0]!.identity)).body.block_number;
    for (const [name, path] of [
      ['events', '/events?operation=Record'],
      ['block', `/node/blocks/${block}`],
    ] as const)
      for (const width of [320, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        await page.goto(`${path}`);
        await page.locator('tbody tr').first().waitFor();
        if (name === 'events') await page.getByText('More filters').click();
        await page.screenshot({ path: join(SCREENSHOTS, `${name}-${width}-light.png`), fullPage: true });
        expect(await readWidth(page), name).to.be.at.most(width);
        expect(await findBarriers(page)).to.deep.equal([]);
      }
    expect(faults).to.deep.equal([]);
    await close();
  });

  it('has identities that a click copies, and that are shown whole where pages can’t copy', async () => {
    const options = { permissions: ['clipboard-read', 'clipboard-write'] };
    const { page, faults, close } = await explorer().openTab(options);
    const { identity } = shown.events[0]!;
    const copied = page.locator('.copied').last();
    await page.goto(`/${identity}`);
    await copied.click();
    await page.getByText('copied', { exact: true }).waitFor();
    await expectShown(() => page.evaluate('navigator.clipboard.readText()'), identity);
    await page.addInitScript("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
    await page.reload();
    await copied.click();
    await page.locator('dd code').getByText(identity, { exact: true }).waitFor();
    expect(faults).to.deep.equal([]);
    await close();
  });
});
