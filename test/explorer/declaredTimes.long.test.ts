// What the explorer shows of an event that was recorded long after it happened, and of a record that isn't there.
import { expect } from 'chai';
import type { AssetResource } from '../../ledger/assets/assetResource.ts';
import type { EventResource } from '../../ledger/records/event.ts';
import { describeInBrowser, expectShown, findBarriers } from './browser.ts';
import { useExplorer } from './explorerFixture.ts';

const HAPPENED = '2026-01-02T03:04:05Z';

describeInBrowser('the explorer, on what was recorded late,', () => {
  const explorer = useExplorer();
  let asset: AssetResource;
  let event: EventResource;

  before(async () => {
    const { tenant } = explorer();
    asset = await tenant.createAsset({ arc_display_name: 'Container 9' });
    const body = {
      behaviour: 'RecordEvidence',
      operation: 'Record',
      timestamp_declared: HAPPENED,
      event_attributes: { arc_display_type: 'Reading', arc_gis_lat: '-33.9', arc_gis_lng: '18.43' },
      asset_attributes: {},
    };
    event = (await tenant.post<EventResource>(`${asset.identity}/events`, body)).body;
  });

  const open = (path: string) => explorer().open(`/${path}`, undefined, { timezoneId: 'UTC', locale: 'en-GB' });

  it('says in the timeline, at the slider and on the map when it happened', async () => {
    const { page, faults, close } = await open(`${asset.identity}?at=${event.timestamp_accepted}`);
    const times = page.locator('.timeline li', { hasText: 'Reading' }).locator('time');
    await expectShown(() => times.first().getAttribute('datetime'), /^2026-01-02T03:04:05/);
    await expectShown(() => times.last().getAttribute('datetime'), event.timestamp_accepted);
    await page.locator('.slider output', { hasText: /after Reading of 2 Jan 2026, 03:04:05, recorded / }).waitFor();
    await expectShown(() => page.locator('.map title').last().textContent(), 'Reading, 2 Jan 2026, 03:04:05');
    expect(faults).to.deep.equal([]);
    await close();
  });

  it('says it in lists of events, and shows an event’s position on a map', async () => {
    const { page, faults, close } = await open('events');
    const row = page.locator('tbody tr', { hasText: 'Reading' });
    await expectShown(() => row.locator('[data-title=Declared] time').getAttribute('datetime'), /^2026-01-02/);
    await row.locator('[data-title=What] a').click();
    await page.getByRole('img', { name: 'Map of 1 position', exact: true }).waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    expect(faults).to.deep.equal([]);
    await close();
  });

  it('leads from a time before the asset was recorded to what is declared for it', async () => {
    const { page, close } = await open(`${asset.identity}?at=2026-01-09T00:00:00Z`);
    await page.getByText('The ledger didn’t have this asset yet').waitFor();
    expect(await findBarriers(page)).to.deep.equal([]);
    await page.getByRole('link', { name: 'What is declared for the time before' }).click();
    await page.locator('[data-title=What]', { hasText: 'Reading' }).waitFor();
    await close();
  });

  it('names the kind of a record that isn’t there', async () => {
    for (const [path, heading] of [
      ['assets/00000000-0000-4000-8000-000000000000', 'Asset'],
      [`${asset.identity}/events/00000000-0000-4000-8000-000000000000`, 'Event'],
      ['locations/00000000-0000-4000-8000-000000000000', 'Location'],
      ['policies/00000000-0000-4000-8000-000000000000', 'Policy'],
    ] as const) {
      const { page, close } = await open(path);
      await page.getByRole('alert').first().waitFor();
      await expectShown(() => page.locator('h1').textContent(), heading);
      await expectShown(() => page.getByRole('alert').first().textContent(), /\. It may belong to another tenant/);
      expect(await findBarriers(page), path).to.deep.equal([]);
      await close();
    }
  });
});
