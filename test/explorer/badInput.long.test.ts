// What the pages of the explorer do with records that are too long, too many or misleading, and with a server that ends
// streams or can't be reached.
import { expect } from 'chai';
import type { AssetResource } from '../../ledger/assets/assetResource.ts';
import type { EventResource } from '../../ledger/records/event.ts';
import { describeInBrowser, expectShown, readWidth } from './browser.ts';
import { useExplorer } from './explorerFixture.ts';
import { parametersOf } from './listPages.ts';
import { MARKUP } from './shownLedger.ts';

const LONG = 'x'.repeat(4_096);
const RIGHT_TO_LEFT = 'حاوية \u202eCBA\u202c 7';
const ATTACHMENTS = 10_000;

describeInBrowser('the pages of the explorer, on bad input,', () => {
  const explorer = useExplorer();
  let asset: AssetResource;
  let event: EventResource;

  before(async () => {
    const { tenant } = explorer();
    const attributes = {
      arc_display_name: RIGHT_TO_LEFT,
      arc_display_type: MARKUP,
      arc_description: LONG,
      [LONG.slice(0, 1_024)]: LONG,
      arc_gis_lat: 'north',
      arc_gis_lng: '999',
      list: [{ [RIGHT_TO_LEFT]: LONG }],
    };
    asset = await tenant.createAsset(attributes);
    const body = {
      behaviour: 'RecordEvidence',
      operation: 'Record',
      principal_declared: { issuer: LONG.slice(0, 1_024), subject: RIGHT_TO_LEFT, display_name: LONG.slice(0, 1_024) },
      event_attributes: { arc_display_type: LONG, arc_description: LONG, arc_gis_lat: '1e9', arc_gis_lng: 'east' },
      asset_attributes: { [MARKUP]: LONG },
    };
    event = (await tenant.post<EventResource>(`${asset.identity}/events`, body)).body;
  });

  it('fit 320 pixels with the longest values, and show markup and right-to-left names as text', async () => {
    const { page, faults, close } = await explorer().openTab();
    for (const width of [320, 1280])
      for (const path of ['/', '/assets', '/events', `/${asset.identity}`, `/${event.identity}`]) {
        await page.setViewportSize({ width, height: 800 });
        await page.goto(`${path}`);
        await page.locator('main a[href^="/assets/"]').first().waitFor();
        expect(await readWidth(page), `${path} at ${width}`).to.be.at.most(width);
        expect(await page.title()).not.to.equal('taken');
      }
    await page.goto(`/${asset.identity}`);
    const heading = page.locator('h1', { hasText: RIGHT_TO_LEFT.slice(0, 5) });
    await heading.waitFor();
    expect(
      await heading.evaluate((element: { matches(selector: string): boolean }) => element.matches(':dir(rtl)')),
    ).to.equal(true);
    await expectShown(() => page.locator('.map').count(), 0);
    expect(faults).to.deep.equal([]);
    await close();
  });

  it('stay usable with 10,000 attachments', async () => {
    const { page, faults, close } = await explorer().openTab();
    const attached = Array.from({ length: ATTACHMENTS }, (_, at) => ({
      arc_attachment_identity: `blobs/${at}`,
      arc_display_name: `file ${at}`,
      arc_hash_value: 'aa',
      arc_hash_alg: 'SHA256',
    }));
    await page.route(`**/v2/${asset.identity}`, async (route) => {
      const answer = await route.fetch();
      const shown = (await answer.json()) as AssetResource;
      await route.fulfill({
        response: answer,
        json: { ...shown, attributes: { ...shown.attributes, arc_attachments: attached } },
      });
    });
    await page.goto(`/${asset.identity}`);
    const list = page.getByRole('region', { name: 'Attachments' });
    await list.getByRole('button', { name: 'file 0', exact: true }).waitFor();
    expect(await page.locator('.attachments [data-row]').count()).to.be.within(1, 150);
    await list.focus();
    await page.keyboard.press('End');
    await list.getByRole('button', { name: `file ${ATTACHMENTS - 1}`, exact: true }).waitFor();
    expect(await page.locator('.attachments [data-row]').count()).to.be.within(1, 150);
    expect(faults).to.deep.equal([]);
    await close();
  });

  it('continue a stream that the server has ended, without a gap', async () => {
    const { tenant, openTab } = explorer();
    const { page, faults, close } = await openTab();
    let ended = 0;
    await page.route('**/events:stream', (route) => {
      ended += 1;
      return ended < 3
        ? route.fulfill({ status: 200, contentType: 'text/event-stream', body: 'id: \ndata: \n\n' })
        : route.continue();
    });
    await page.goto(`/${asset.identity}`);
    await page.locator('.timeline a').first().waitFor();
    await tenant.record(asset, 'while no stream was there');
    await page.locator('.timeline').getByText('while no stream was there').waitFor();
    await tenant.record(asset, 'when it was there again');
    await page.locator('.timeline').getByText('when it was there again').waitFor();
    expect(ended).to.be.at.least(2);
    expect(faults).to.deep.equal([]);
    await close();
  });

  it('keep what they show while the server can’t be reached, and say what to do', async () => {
    const { page, close } = await explorer().openTab();
    await page.goto(`/events`);
    await page.locator('tbody tr').first().waitFor();
    await page.context().setOffline(true);
    await page.getByLabel('Description').fill('none');
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByRole('alert').getByText('can’t be reached').waitFor();
    await expectShown(async () => parametersOf(page).get('attributes.arc_description'), 'none');
    await page.context().setOffline(false);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('No event matches').waitFor();
    await page.goto(`/${asset.identity}`);
    await page.locator('.timeline a').first().waitFor();
    await page.context().setOffline(true);
    await page.getByRole('slider').press('ArrowLeft');
    await page.getByRole('alert').first().waitFor();
    await page.locator('.timeline a').first().waitFor();
    await close();
  });

  it('say that no node of the chain answers, and show no block for it', async () => {
    const { page, close } = await explorer().openTab();
    await page.route('**/v1/node', async (route) => {
      const answer = await route.fetch();
      const { blockchain_nodes, ...report } = await answer.json();
      const away = { connection_status: 'UNREACHABLE', block_height: '0', timestamp_committed: '1970-01-01T00:00:00Z' };
      const nodes = blockchain_nodes.map((node: object) => ({ ...node, ...away }));
      await route.fulfill({ json: { ...report, chain_head: null, blockchain_nodes: nodes } });
    });
    await page.route('**/rpc', (route) => route.fulfill({ status: 502, body: '' }));
    await page.goto(`/node`);
    await page.getByText('No node answers').waitFor();
    await expectShown(() => page.locator('[data-title=State]').textContent(), /unreachable/);
    await expectShown(() => page.locator('[data-title="Newest block"]').textContent(), '');
    await page.goto(`/${event.identity}`);
    await page.getByRole('button', { name: 'Check against the chain' }).click();
    await page.getByRole('alert').getByText('The page “Chain” says whether its node answers').waitFor();
    await close();
  });
});
