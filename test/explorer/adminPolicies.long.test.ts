// The access policies of the explorer: what its form grants is what others then get.
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import type { AssetResource } from '../../ledger/assets/assetResource.ts';
import { send } from '../support/testLedger.ts';
import { describeInBrowser, expectShown } from './browser.ts';
import { useExplorer } from './explorerFixture.ts';
import { expectReachable, LONG, waitForWrong } from './formPages.ts';
import { MARKUP } from './shownLedger.ts';

interface Policy {
  readonly identity: string;
  readonly display_name: string;
  readonly filters: readonly { or: readonly string[] }[];
  readonly access_permissions: readonly Readonly<Record<string, readonly unknown[]>>[];
}

const PERMISSION = {
  subjects: [],
  user_attributes: [{ or: ['gate=3', 'gate=4'] }],
  behaviours: ['RecordEvidence'],
  include_attributes: [],
  asset_attributes_read: ['*'],
  asset_attributes_write: [],
  event_arc_display_type_read: ['Inspection'],
  event_arc_display_type_write: ['Measure'],
};

describeInBrowser('the access policies of the explorer', () => {
  const pages = useExplorer();
  let door: AssetResource;

  const call = <T>(path: string, init: Parameters<typeof send>[2] = {}, token = pages().tenant.token) =>
    send<T>(`${pages().server.url}/archivist/${path}`, token, init);
  const list = async () => (await call<{ access_policies: Policy[] }>('iam/v1/access_policies')).body.access_policies;
  const find = async (name: string) => (await list()).find(({ display_name }) => display_name === name);
  const create = async (body: object) =>
    (await call<Policy>('iam/v1/access_policies', { body: { filters: [], access_permissions: [{}], ...body } })).body;
  const open = (path = '', heading = 'Access policies', options = {}) =>
    pages().open(`/admin/access-policies${path}`, heading, options);
  const entryOf = (page: Page, name: string): Locator => page.locator('.policy', { hasText: name });
  const issueDeviceToken = async (gate: string): Promise<string> => {
    const body = { display_name: `Gate ${gate}`, roles: [], custom_claims: { gate } };
    const { client_id, credentials } = (
      await call<{ client_id: string; credentials: { secret: string }[] }>('iam/v1/applications', { body })
    ).body;
    const url = `${pages().server.url}/archivist/iam/v1/appidp/token`;
    const client_secret = credentials[0]!.secret;
    const form = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret });
    return ((await (await fetch(url, { method: 'POST', body: form })).json()) as { access_token: string }).access_token;
  };
  const readAs = async (token: string): Promise<number> => (await call(`v2/${door.identity}`, {}, token)).status;

  before(async () => {
    door = await pages().tenant.createAsset({ arc_display_name: 'Door 7', arc_display_type: 'Door' });
    await pages().tenant.createAsset({ arc_display_name: 'Pump 1', arc_display_type: 'Pump' });
  });

  it('let a device read and record what the form says, and nothing else, until they are deleted', async () => {
    const token = await issueDeviceToken('3');
    const other = await issueDeviceToken('5');
    expect(await readAs(token)).to.equal(404);
    const { page, faults, close } = await open('/new', 'New access policy');
    await page.getByLabel('Name (required)').fill('Gates');
    await page.getByRole('button', { name: 'Add a condition' }).first().click();
    await page.getByLabel('Attribute 1.1').fill('arc_display_type');
    await page.getByLabel('Value 1.1').fill('Door');
    await page.getByRole('button', { name: 'Or … alternative to 1' }).click();
    await page.getByLabel('Attribute 1.2').fill('arc_display_type');
    await page.getByLabel('Value 1.2').fill('Gate');
    const claims = page.getByRole('group', { name: 'Only callers with these claims' });
    await claims.getByRole('button', { name: 'Add a condition' }).click();
    await claims.getByLabel('Claim 1.1').fill('gate');
    await claims.getByLabel('Value 1.1').fill('3');
    await page.getByLabel('Attributes of the asset to read').fill('arc_display_name\narc_display_type');
    await page.getByRole('checkbox', { name: 'RecordEvidence' }).check();
    await page.getByLabel('Types of events to record').fill('Measure');
    await page
      .locator('.sentence')
      .getByText(
        'Callers of this tenant without a role, with the claim gate=3 may read the attributes arc_display_name and arc_display_type; and may record events of the type Measure of the behaviour RecordEvidence, which may set no attribute.',
      )
      .waitFor();
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByText('Gates is created.').waitFor();
    const created = (await find('Gates'))!;
    await expectShown(
      async () => new URL(page.url()).pathname,
      `/admin/access-policies/${created.identity.split('/')[1]}`,
    );
    expect(created.filters).to.deep.equal([
      { or: ['attributes.arc_display_type=Door', 'attributes.arc_display_type=Gate'] },
    ]);
    expect([await readAs(token), await readAs(other)]).to.deep.equal([200, 404]);
    await page.getByRole('heading', { name: 'Assets that it is about now (1)' }).waitFor();
    await page.getByRole('link', { name: 'Door 7' }).waitFor();
    const event = {
      behaviour: 'RecordEvidence',
      operation: 'Record',
      event_attributes: { arc_display_type: 'Measure' },
    };
    expect((await call(`v2/${door.identity}/events`, { body: event }, token)).status).to.equal(200);
    await page.getByRole('link', { name: 'Back to the list' }).click();
    await entryOf(page, 'Gates').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog', { name: 'Delete Gates?' }).getByRole('button', { name: 'Delete the' }).click();
    await page.getByText('Gates is deleted.').waitFor();
    expect(await readAs(token)).to.equal(404);
    expect(faults).to.deep.equal([]);
    await close();
  });

  it('say in sentences what is granted to whom, and what grants nothing', async () => {
    const filters = [{ or: ['colour=red', 'colour!=*'] }, { or: ['arc_display_type:Door'] }];
    await create({ display_name: 'Sentences', filters, access_permissions: [PERMISSION, {}] });
    const { page, faults, close } = await open();
    const entry = entryOf(page, 'Sentences');
    await entry.getByText('lets others record').waitFor();
    const text = (await entry.textContent())!.replaceAll(/\s+/g, ' ');
    expect(text).to.contain('On assets of which colour is red or colour has no value and arc_display_type is Door:');
    expect(text).to.contain(
      'with the claim gate=3 or gate=4 may read all attributes, and events of the type Inspection',
    );
    expect(text).to.contain('Nobody, because it names neither a subject nor a claim, may do nothing.');
    expect(faults).to.deep.equal([]);
    await close();
  });

  it('are changed, and keep what the form did not touch', async () => {
    const { identity } = await create({ display_name: 'Changed', access_permissions: [PERMISSION] });
    const { page, faults, close } = await open(`/${identity.split('/')[1]}`, 'Access policy');
    await page.getByLabel('Types of events to record').fill('Measure\nInspection');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Changed is changed.').waitFor();
    expect((await find('Changed'))!.access_permissions).to.deep.equal([
      { ...PERMISSION, event_arc_display_type_write: ['Measure', 'Inspection'] },
    ]);
    expect(faults).to.deep.equal([]);
    await close();
  });

  it('are not changed over a change that was made meanwhile', async () => {
    const { identity } = await create({ display_name: 'Meanwhile', access_permissions: [PERMISSION] });
    const { page, close } = await open(`/${identity.split('/')[1]}`, 'Access policy');
    await page.getByLabel('Description').fill('mine');
    await call(`iam/v1/${identity}`, { method: 'PATCH', body: { description: 'of somebody else' } });
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').getByText('Somebody has changed the policy meanwhile').waitFor();
    const { body } = await call<{ description: string }>(`iam/v1/${identity}`);
    expect(body.description).to.equal('of somebody else');
    await page.getByRole('button', { name: 'Show it as it is now' }).click();
    await page.waitForFunction(`document.querySelector('[name=description]').value === 'of somebody else'`);
    await close();
  });

  it('say at the field what the server refuses, and keep the entries over a reload', async () => {
    const { page, close } = await open('/new', 'New access policy');
    await page.getByLabel('Name (required)').fill('Refused');
    await page.getByRole('button', { name: 'Add a condition' }).first().click();
    await page.getByLabel('Attribute 1.1').fill('colour');
    await page.getByRole('button', { name: 'Create' }).click();
    await waitForWrong(page, page, 'Attribute 1.1');
    expect(await find('Refused')).to.equal(undefined);
    await page.reload();
    await page.getByText('what you entered before').waitFor();
    await expectShown(() => page.getByLabel('Attribute 1.1').inputValue(), 'colour');
    await close();
  });

  it('show markup and long names as text, without a barrier at 320 pixels, in light and dark', async () => {
    const names = Array.from({ length: 40 }, (_, at) => `${MARKUP} ${at}`);
    const permission = { ...PERMISSION, asset_attributes_read: [LONG.slice(0, 1_024).trim(), ...names] };
    const { identity } = await create({
      display_name: MARKUP,
      description: LONG,
      filters: [{ or: [`attributes.${MARKUP}`] }],
      access_permissions: [permission],
    });
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page, faults, close } = await open('', 'Access policies', { colorScheme });
      await entryOf(page, MARKUP).getByText('and 33 more').waitFor();
      await expectReachable(page, `admin-policies-${colorScheme}`);
      await page.goto(`${pages().server.url}/admin/access-policies/${identity.split('/')[1]}`);
      await page.getByText('No asset meets its conditions.').waitFor();
      await expectReachable(page, `admin-policy-${colorScheme}`);
      await expectShown(() => page.title(), 'Access policies · Admin · Provenance ledger');
      expect(faults).to.deep.equal([]);
      await close();
    }
  });
});
