// The pages of locations, and the filters of assets, in a real browser from a real server.
import { expect } from 'chai';
import { describeInBrowser, expectShown } from './browser.ts';
import { useExplorer } from './explorerFixture.ts';
import { filterByAttribute, parametersOf, waitForTotal } from './listPages.ts';

interface Identified {
  readonly identity: string;
}

describeInBrowser('the locations and the filters of assets', () => {
  const explorer = useExplorer();
  let port: string;

  const createLocation = async (display_name: string, attributes: object, latitude: number): Promise<string> => {
    const place = { display_name, description: 'a port', latitude, longitude: 4.14, attributes };
    return (await explorer().tenant.post<Identified>('locations', place)).body.identity;
  };

  before(async () => {
    const { tenant } = explorer();
    port = await createLocation('Rotterdam', { phone: '+31' }, 51.95);
    await createLocation('Singapore', {}, 1.26);
    await createLocation('Vostok', {}, -78.46);
    await tenant.createAsset({ arc_display_name: 'At home', arc_home_location_identity: port });
    const lost = await tenant.createAsset({ arc_display_name: 'Not tracked' });
    await tenant.post(`${lost.identity}/events`, { behaviour: 'Builtin', operation: 'StopTracking' });
  });

  it('are filtered by name and by attribute, which the address keeps', async () => {
    const { page, faults, close } = await explorer().open('/locations');
    await waitForTotal(page, 3);
    await expectShown(() => page.locator('.map circle').count(), 3);
    await page.locator('input[name=display_name]').fill('Singapore');
    await page.getByRole('button', { name: 'Filter' }).click();
    await waitForTotal(page, 1);
    await expectShown(async () => parametersOf(page).get('display_name'), 'Singapore');
    await page.getByRole('link', { name: 'Name: Singapore' }).click();
    await waitForTotal(page, 3);
    await page.getByText('More filters').click();
    await filterByAttribute(page, { name: 'phone', condition: 'is present' });
    await waitForTotal(page, 1);
    await page.getByRole('link', { name: 'Rotterdam' }).waitFor();
    await page.goto(`/locations?display_name=nowhere`);
    await page.getByText('No location matches').waitFor();
    expect(faults).to.deep.equal([]);
    await close();
  });

  it('have the assets at home there as a table', async () => {
    const { page, faults, close } = await explorer().open(`/${port}`);
    await page.locator('td[data-title=Name]').getByRole('link', { name: 'At home' }).waitFor();
    await expectShown(() => page.locator('tbody tr td[data-title=Name]').count(), 1);
    await page.getByRole('link', { name: 'Filter these assets' }).click();
    await waitForTotal(page, 1);
    expect(faults).to.deep.equal([]);
    await close();
  });

  it('stay off the map where a position is none, and the others stay on it', async () => {
    const { page, faults, close } = await explorer().openTab();
    const wrong = ['north', '91', '', '1e9', 'NaN', 'Infinity'];
    await page.route('**/v2/locations?**', async (route) => {
      const answer = await route.fetch();
      const body = (await answer.json()) as { locations: Record<string, unknown>[] };
      const [one] = body.locations;
      const added = wrong.map((latitude, at) => ({ ...one, identity: `locations/none-${at}`, latitude }));
      await route.fulfill({ response: answer, json: { ...body, locations: [...body.locations, ...added] } });
    });
    await page.goto(`/locations`);
    await page.locator('.map circle').first().waitFor();
    await expectShown(() => page.locator('.map circle').count(), 3);
    await expectShown(() => page.locator('tbody tr').count(), 3 + wrong.length);
    expect(faults).to.deep.equal([]);
    await close();
  });

  it('have filters for assets that are not tracked, for behaviours and for absent attributes', async () => {
    const { page, faults, close } = await explorer().open('/assets');
    await waitForTotal(page, 1);
    await page.getByLabel('Tracked').selectOption('ANY');
    await page.getByRole('button', { name: 'Filter' }).click();
    await waitForTotal(page, 2);
    await page.getByText('More filters').click();
    await filterByAttribute(page, { name: 'arc_home_location_identity', condition: 'is absent or empty' });
    await waitForTotal(page, 1);
    await page.getByLabel('Has the behaviour').fill('Firmware');
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByText('No asset matches').waitFor();
    expect(Object.fromEntries(parametersOf(page))).to.deep.equal({
      tracked: 'ANY',
      'attributes.arc_home_location_identity!': '*',
      behaviours: 'Firmware',
    });
    expect(faults).to.deep.equal([]);
    await close();
  });
});
