// The forms of the five types of policies, their list and their pages, in a real browser and with a real server.
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { AssetResource } from '../../ledger/assets/assetResource.ts';
import type { PolicyResource } from '../../ledger/records/policy.ts';
import { send } from '../support/testLedger.ts';
import { describeInBrowser, expectShown } from './browser.ts';
import { useExplorer } from './explorerFixture.ts';
import { expectReachable, LONG } from './formPages.ts';
import { FILLED_FORMS, recordFaulty } from './policyForms.ts';
import { MARKUP } from './shownLedger.ts';

const POLICY_PAGE = /\/policies\/[0-9a-f]{8}-[0-9a-f-]{27}$/;
const SAVE = 'Save the policy';

describeInBrowser('the pages of compliance policies', () => {
  const pages = useExplorer();
  let asset: AssetResource;
  let before: string;
  const dayPolicies = { compliance_type: 'COMPLIANCE_RICHNESS', richness_assertions: [{ or: ['force<7'] }] };

  beforeEach(async () => {
    ({ asset, before } = await recordFaulty(pages().tenant));
  });

  const request = <T>(path: string, options: object = {}, token = pages().tenant.token) =>
    send<T>(`${pages().server.url}/archivist/v1/${path}`, token, options);
  const readPolicies = async () =>
    (await request<{ compliance_policies: PolicyResource[] }>('compliance_policies')).body.compliance_policies;
  const createPolicy = async (body: object) =>
    (await request<PolicyResource>('compliance_policies', { body })).body.identity.replace(/.*\//, '');
  const deleteAll = async (): Promise<void> => {
    for (const { identity } of await readPolicies()) await request(identity, { method: 'DELETE' });
  };
  afterEach(deleteAll);

  const openForm = (type: string, options = {}) => pages().open(`/policies/new?type=${type}`, 'New policy', options);
  const choose = (page: Page) => page.locator(`[name="assets/${asset.identity}"]`).check();
  const tryIt = (page: Page) => page.getByRole('button', { name: 'Try', exact: true }).click();

  for (const { type, fill, reason, content } of FILLED_FORMS)
    it(`try a policy before it is saved, and save it: ${type}`, async () => {
      const { page, faults, close } = await openForm(type);
      await fill(page);
      await choose(page);
      await tryIt(page);
      const verdict = page.locator('.verdict', { hasText: 'Door 7' });
      await verdict.getByText(reason === undefined ? 'complies' : 'fails', { exact: false }).waitFor();
      if (reason !== undefined) await verdict.getByText(reason).waitFor();
      expect(await readPolicies()).to.deep.equal([]);
      await page.getByLabel('Name (required)').fill(`${MARKUP} שלום`);
      await page.getByLabel('Description').fill(LONG);
      await page.getByRole('button', { name: SAVE }).dblclick();
      await page.waitForURL(POLICY_PAGE);
      const [policy, ...others] = await readPolicies();
      expect(others).to.deep.equal([]);
      expect(policy).to.deep.include({ compliance_type: type, display_name: `${MARKUP} שלום`, description: LONG });
      expect(policy).to.deep.include({ ...content, asset_filter: [] });
      await page.locator('h1', { hasText: 'שלום' }).waitFor();
      await page.getByText(/assets? checked/).waitFor();
      await expectShown(
        () => page.locator(`main ul a[href="/${asset.identity}"]`).count(),
        reason === undefined ? 0 : 1,
      );
      await expectReachable(page, `policy-${type}`);
      expect(await page.title()).not.to.equal('taken');
      expect(faults).to.deep.equal([]);
      await close();
    });

  it('try a policy at a past time, and say where it would not apply or the asset did not exist', async () => {
    const { page, close } = await openForm('COMPLIANCE_RICHNESS', { timezoneId: 'UTC' });
    await FILLED_FORMS.at(-1)!.fill(page);
    await page.getByLabel('Search assets').fill('Door');
    await choose(page);
    await page.getByLabel('As of').fill(before.replace('Z', ''));
    await tryIt(page);
    await page.locator('.verdict').getByText('complies').waitFor();
    await page.getByLabel('As of').fill('2020-01-01T00:00');
    await page.keyboard.press('Enter');
    await page.getByText('did not exist at that time').waitFor();
    await page.getByLabel('As of').fill('');
    await page.getByRole('button', { name: 'Add a condition' }).click();
    await page.getByLabel('Attribute 1.1').first().fill('arc_display_type');
    await page.getByLabel('Value 1.1').first().fill('Crane');
    await tryIt(page);
    await page.getByText('The policy would not apply to it').waitFor();
    expect(await readPolicies()).to.deep.equal([]);
    await close();
  });

  it('save filters row by row, and link to the assets that they select', async () => {
    const { page, faults, close } = await openForm('COMPLIANCE_SINCE');
    await page.getByLabel('Name (required)').fill('Filtered');
    await FILLED_FORMS[0]!.fill(page);
    await page.getByRole('button', { name: 'Add a condition' }).click();
    await page.getByLabel('Attribute 1.1').fill('arc_display_type');
    await page.getByLabel('Value 1.1').fill('Fire door');
    await page.getByRole('button', { name: 'And …' }).click();
    await page.getByLabel('Attribute 2.1').fill('retired');
    await page.getByLabel('Condition 2.1').selectOption('!=*');
    await expectReachable(page, 'new-policy');
    await page.getByRole('button', { name: SAVE }).click();
    await page.waitForURL(POLICY_PAGE);
    const [policy] = await readPolicies();
    expect(policy!.asset_filter).to.deep.equal([
      { or: ['attributes.arc_display_type=Fire door'] },
      { or: ['attributes.retired!=*'] },
    ]);
    await page.getByRole('link', { name: 'Assets that it applies to' }).click();
    await page.locator(`a[href="/${asset.identity}"]`).first().waitFor();
    expect(faults).to.deep.equal([]);
    await close();
  });

  it('show what the server refuses at its fields', async () => {
    const { page, close } = await openForm('COMPLIANCE_RICHNESS');
    await page.getByLabel('Name (required)').fill('Wrong');
    await page.getByLabel('Attribute 1.1').fill('force ');
    await page.getByLabel('Value 1.1').fill('7');
    await page.getByRole('button', { name: SAVE }).click();
    await page.locator('.wrong', { hasText: 'must have no blanks' }).waitFor();
    await page.locator('[name="richness_assertions/0/or/0"]:focus').waitFor();
    await page.goto(`${pages().server.url}/policies/new?type=COMPLIANCE_SINCE`);
    await page.getByLabel('Name (required)').fill('Wrong');
    await page.getByLabel('Period').fill('a year');
    await page.getByRole('button', { name: SAVE }).click();
    await page.locator('.wrong', { hasText: 'is required' }).waitFor();
    await page.getByLabel('Type of event (required)').fill('Inspection');
    await page.getByRole('button', { name: SAVE }).click();
    await page.locator('.wrong', { hasText: 'is not a whole number' }).waitFor();
    expect(await readPolicies()).to.deep.equal([]);
    await close();
  });

  it('send the names of attributes that have an operator with the backslashes that they need', async () => {
    const { page, close } = await openForm('COMPLIANCE_RICHNESS');
    await page.getByLabel('Name (required)').fill('Escaped');
    await page.getByLabel('Attribute 1.1').fill('a=b');
    await page.getByLabel('Value 1.1').fill('7');
    await page.getByRole('button', { name: SAVE }).click();
    await page.waitForURL(POLICY_PAGE);
    const [policy] = await readPolicies();
    expect(policy!.richness_assertions).to.deep.equal([{ or: [String.raw`a\=b=7`] }]);
    await close();
  });

  it('delete a policy after a question, by keyboard, and keep it at Escape', async () => {
    const uuid = await createPolicy({ ...dayPolicies, display_name: 'Closes well' });
    const { page, faults, close } = await pages().open(`/policies/${uuid}`, 'Closes well');
    await page.getByRole('button', { name: 'Delete this policy' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await expectReachable(page, 'policy-deletion');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    expect(await readPolicies()).to.have.length(1);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/policies$/);
    await page.getByText('No policy matches').waitFor();
    expect(await readPolicies()).to.deep.equal([]);
    expect(faults).to.deep.equal([]);
    await close();
  });

  it('list policies by the filters of the address, sorted, with what is left of the quota', async () => {
    for (const display_name of ['B', 'A']) await createPolicy({ ...dayPolicies, display_name });
    await createPolicy({ compliance_type: 'COMPLIANCE_SINCE', event_display_type: 'X', time_period_seconds: 60 });
    const { page, faults, close } = await pages().open('/policies?compliance_type=COMPLIANCE_RICHNESS', 'Policies');
    const names = () => page.locator('tbody td[data-title=Name]').allTextContents();
    await page.locator('tbody tr').nth(1).waitFor();
    await expectShown(() => names(), ['A', 'B']);
    await page.getByRole('columnheader', { name: 'Name' }).getByRole('link').click();
    await page.getByRole('columnheader', { name: 'Name' }).getByRole('link').click();
    await page.locator('th[aria-sort=descending]').waitFor();
    await expectShown(() => names(), ['B', 'A']);
    await page.getByText('97 more can be created').waitFor();
    await page.getByLabel('Type').selectOption('COMPLIANCE_SINCE');
    await page.getByRole('button', { name: 'Filter' }).click();
    await page.getByText('1 minute', { exact: true }).waitFor();
    await expectShown(() => names(), ['Done recently']);
    await expectReachable(page, 'policies-list');
    expect(faults).to.deep.equal([]);
    await close();
  });

  it('lead from the five types to their forms, and from a verdict to its policy', async () => {
    const uuid = await createPolicy({ ...dayPolicies, display_name: 'Closes well' });
    const { page, faults, close } = await pages().open('/policies/new', 'New policy');
    await page.getByRole('link', { name: 'Nothing open' }).waitFor();
    await expectReachable(page, 'policy-types');
    await expectShown(() => page.locator('.policy').count(), 5);
    await page.getByRole('link', { name: 'Nothing open' }).click();
    await page.getByLabel('Type of the event that closes it').waitFor();
    await page.goto(`${pages().server.url}/${asset.identity}`);
    await page.locator('.verdict').getByRole('link', { name: 'Closes well' }).click();
    await page.locator('h1', { hasText: 'Closes well' }).waitFor();
    expect(page.url()).to.contain(`/policies/${uuid}`);
    expect(faults).to.deep.equal([]);
    await close();
  });

  it('let a reader try, and say why it can’t save or delete', async () => {
    const uuid = await createPolicy({ ...dayPolicies, display_name: 'Closes well' });
    const token = await pages().issueToken('reader');
    const { page, close } = await openForm('COMPLIANCE_RICHNESS', { token });
    await expectShown(() => page.getByRole('button', { name: SAVE }).isDisabled(), true);
    await page.getByText('can’t change policies').waitFor();
    await FILLED_FORMS.at(-1)!.fill(page);
    await choose(page);
    await tryIt(page);
    await page.getByText('No assertion holds').waitFor();
    await page.goto(`${pages().server.url}/policies/${uuid}`);
    await page.getByText('can’t change policies').waitFor();
    await expectShown(() => page.getByRole('button', { name: 'Delete this policy' }).count(), 0);
    await close();
  });
});
