// Who may write, and the list of root principals, in the explorer.
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { Principal } from '../../ledger/principal.ts';
import { send } from '../support/testLedger.ts';
import { describeInBrowser, expectShown, type WatchedPage } from './browser.ts';
import { useExplorer } from './explorerFixture.ts';
import { expectReachable } from './formPages.ts';
import { MARKUP } from './shownLedger.ts';

describeInBrowser('the root principals of the explorer', () => {
  const pages = useExplorer();

  const toUrl = (path: string) => `${pages().server.url}/archivist/${path}`;
  const call = <T>(path: string, init: Parameters<typeof send>[2] = {}) =>
    send<T>(toUrl(path), pages().tenant.token, init);
  const list = async (): Promise<readonly Principal[]> =>
    (await call<{ root_principals: Principal[] }>('v1/tenancies/root_principals')).body.root_principals;
  const replace = (root_principals: readonly Principal[]) =>
    call('v1/tenancies/root_principals', { method: 'PATCH', body: { root_principals } });
  const createApplication = async (display_name: string, roles: readonly string[]) =>
    (await call<{ client_id: string }>('iam/v1/applications', { body: { display_name, roles } })).body.client_id;
  const open = (options = {}) => pages().open('/admin/root-principals', 'Root principals', options);
  const rowOf = (page: Page, name: string) => page.locator('tbody tr', { hasText: name });
  const withoutRefusals = ({ faults }: WatchedPage) => faults.filter((fault) => !fault.includes('status of 403'));

  it('are added, have every right at once, and are removed', async () => {
    const clientId = await createApplication('Backup', []);
    const { page, faults, close } = await open();
    await page.getByRole('button', { name: 'Add a root principal' }).click();
    const dialog = page.getByRole('dialog', { name: 'New root principal' });
    await dialog.getByRole('button', { name: 'Add' }).click();
    await dialog.locator('.field .wrong').waitFor();
    await dialog.getByLabel('Subject').fill(clientId);
    await dialog.getByLabel('Name').fill('Backup');
    await dialog.getByRole('button', { name: 'Add' }).click();
    await page.getByText('Backup is a root principal.').waitFor();
    expect((await list()).map(({ subject }) => subject)).to.include(clientId);
    await page.getByRole('link', { name: 'Applications', exact: true }).click();
    await rowOf(page, 'Backup').getByText('may write').waitFor();
    await page.getByRole('link', { name: 'Root principals' }).click();
    await rowOf(page, 'Backup').getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('dialog', { name: 'Remove Backup?' }).getByRole('button', { name: 'Remove' }).click();
    await page.getByText('no root principal any more').waitFor();
    expect((await list()).map(({ subject }) => subject)).not.to.include(clientId);
    expect(faults.filter((fault) => !fault.includes('status of 400'))).to.deep.equal([]);
    await close();
  });

  it('show the caller, who has no button to remove itself', async () => {
    const { page, faults, close } = await open();
    const own = rowOf(page, '(you)');
    await own.getByText('Nobody can remove oneself').waitFor();
    await expectShown(() => own.getByRole('button', { name: 'Remove' }).count(), 0);
    expect(faults).to.deep.equal([]);
    await close();
  });

  it('are not replaced by a list that was read before another change', async () => {
    const { page, close } = await open();
    await page.getByRole('button', { name: 'Add a root principal' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Subject').fill('too-late');
    const before = await list();
    await replace([...before, { ...before[0]!, subject: 'meanwhile', display_name: MARKUP }]);
    await dialog.getByRole('button', { name: 'Add' }).click();
    await dialog.getByRole('alert').getByText('Somebody has changed the list meanwhile').waitFor();
    expect((await list()).map(({ subject }) => subject)).to.deep.equal([before[0]!.subject, 'meanwhile']);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await rowOf(page, MARKUP).waitFor();
    await expectShown(() => page.title(), 'Root principals · Admin · Provenance ledger');
    await expectReachable(page, 'admin-roots');
    await replace(before);
    await close();
  });

  it('are hidden from others, who read how to become one, and use the other parts', async () => {
    const token = await pages().issueToken('auditor');
    const opened = await open({ token });
    const { page, close } = opened;
    await page.getByText('Only root principals may see').waitFor();
    await expectShown(() => page.getByLabel('Subject').inputValue(), /^root@tenant\//);
    await expectReachable(page, 'admin-roots-refused');
    await page.getByRole('link', { name: 'Who may write' }).click();
    await page.locator('.card', { hasText: 'may write' }).waitFor();
    await page.getByText('Only root principals may see').waitFor();
    await page.getByRole('link', { name: 'Applications', exact: true }).click();
    await rowOf(page, 'first application').waitFor();
    expect(withoutRefusals(opened)).to.deep.equal([]);
    await close();
  });

  it('are counted with the applications that may write, and the policies that let others record', async () => {
    await createApplication(`Reader ${MARKUP}`, ['reader']);
    await createApplication(`Writer ${MARKUP}`, ['writer']);
    const permission = {
      user_attributes: [{ or: ['gate=3'] }],
      behaviours: ['RecordEvidence'],
      event_arc_display_type_write: ['Measure'],
    };
    const write = async (display_name: string, access_permissions: readonly object[]) =>
      expect(
        (await call('iam/v1/access_policies', { body: { display_name, filters: [], access_permissions } })).status,
      ).to.equal(200);
    await write('Lets gate 3 record', [permission]);
    await write('Names no behaviour', [{ ...permission, behaviours: [] }]);
    const { page, faults, close } = await pages().open('/admin', 'Who may write');
    const applications = page.locator('.card', { hasText: 'applications may write' });
    await applications.getByText(`Writer ${MARKUP}`).waitFor();
    await expectShown(() => applications.getByText('Reader').count(), 0);
    await expectShown(() => applications.getByText('May give any application any role').count(), 1);
    await page.locator('.card', { hasText: 'root principal has every right' }).getByText('root of shown').waitFor();
    const policies = page.locator('.card', { hasText: 'access policy lets others record' });
    await policies.getByText('Callers of this tenant without a role, with the claim gate=3').waitFor();
    await expectShown(() => policies.getByText('Names no behaviour').count(), 0);
    await expectReachable(page, 'admin');
    expect(faults).to.deep.equal([]);
    await close();
  });

  it('are one part of a page whose others stay when the session ends', async () => {
    const { page, close } = await pages().open('/admin', 'Who may write');
    await page.locator('.card', { hasText: 'applications may write' }).waitFor();
    await page.route('**/v1/tenancies/root_principals', (route) => route.fulfill({ status: 401, json: {} }));
    await page.getByRole('link', { name: 'Root principals', exact: true }).click();
    await page.getByRole('button', { name: 'Add a root principal' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Subject').fill('somebody');
    await dialog.getByRole('button', { name: 'Add' }).click();
    await dialog.getByRole('link', { name: 'Sign in' }).waitFor();
    await expectShown(() => dialog.getByLabel('Subject').inputValue(), 'somebody');
    await close();
  });

  it('have no page but the ones that there are', async () => {
    const { page, close } = await pages().open('/admin/nothing', 'No such page');
    await page.getByRole('link', { name: 'Admin' }).click();
    await page.getByRole('heading', { name: 'Who may write' }).waitFor();
    await close();
  });
});
