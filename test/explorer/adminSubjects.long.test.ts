// The subjects of the explorer: two tenants come to know each other by what their pages show.
import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { createFixtureTenant, type FixtureTenant } from '../support/fixtureTenant.ts';
import { send } from '../support/testLedger.ts';
import { describeInBrowser, expectShown } from './browser.ts';
import { useExplorer } from './explorerFixture.ts';
import { expectReachable, LONG, waitForWrong } from './formPages.ts';
import { MARKUP } from './shownLedger.ts';

interface Subject {
  readonly identity: string;
  readonly display_name: string;
  readonly wallet_pub_key: readonly string[];
  readonly wallet_address: readonly string[];
  readonly tessera_pub_key: readonly string[];
}

const OWN = 'subjects/00000000-0000-0000-0000-000000000000';

describeInBrowser('the subjects of the explorer', () => {
  const explorer = useExplorer();
  let owner: FixtureTenant;
  let partner: FixtureTenant;

  before(async () => {
    const { ledger, server, tenant } = explorer();
    owner = tenant;
    partner = await createFixtureTenant(ledger, server, 'partner');
  });

  const call = <T>({ token }: FixtureTenant, path: string, init: Parameters<typeof send>[2] = {}) =>
    send<T>(`${explorer().server.url}/archivist/iam/v1/${path}`, token, init);
  const ownSubject = async (tenant: FixtureTenant) => (await call<Subject>(tenant, OWN)).body;
  const list = async () => (await call<{ subjects: Subject[] }>(owner, 'subjects')).body.subjects;
  const find = async (name: string) => (await list()).find(({ display_name }) => display_name === name);
  const open = async (tenant = owner) => {
    const opened = await explorer().openTab({ token: tenant.token });
    await opened.page.goto(`/admin/subjects`);
    await opened.page.getByLabel('Your own subject').waitFor();
    return opened;
  };
  const rowOf = (page: Page, name: string) => page.locator('tbody tr', { hasText: name });
  const openForm = async (page: Page) => {
    await page.getByRole('button', { name: 'New subject' }).click();
    return page.getByRole('dialog', { name: 'New subject' });
  };

  it('are created from the text that another tenant copies, and are changed and deleted', async () => {
    const sender = await open(partner);
    const sent = await sender.page.getByLabel('Your own subject').inputValue();
    await sender.close();
    expect(JSON.parse(sent)).to.deep.equal(await ownSubject(partner));
    const { page, faults, close } = await open();
    const dialog = await openForm(page);
    await dialog.getByLabel('What it has sent').fill(sent);
    await dialog.getByLabel('Name (required)').fill('Partner');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByText('Partner is created.').waitFor();
    const created = (await find('Partner'))!;
    const { wallet_pub_key, wallet_address } = await ownSubject(partner);
    expect(created).to.deep.include({ wallet_pub_key, wallet_address });
    await rowOf(page, 'Partner').getByText('on the ledger').waitFor();
    await rowOf(page, 'Partner').getByRole('button', { name: 'Change Partner' }).click();
    await page.getByRole('dialog').getByLabel('Name (required)').fill('Harbour');
    await page.getByRole('dialog').getByLabel('Other public keys').fill('abc=');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await rowOf(page, 'Harbour').waitFor();
    expect(await find('Harbour')).to.deep.include({ wallet_pub_key, tessera_pub_key: ['abc='] });
    await rowOf(page, 'Harbour').getByRole('button', { name: 'Delete Harbour' }).click();
    await page.getByRole('button', { name: 'Delete the subject' }).click();
    await rowOf(page, 'Harbour').waitFor({ state: 'detached' });
    expect(await find('Harbour')).to.equal(undefined);
    expect(faults).to.deep.equal([]);
    await close();
  });

  it('are created from the file that another tenant saves, and from base64 text', async () => {
    const sender = await open(partner);
    const saved = sender.page.waitForEvent('download');
    await sender.page.getByRole('button', { name: 'Save as file' }).click();
    const file = await (await saved).path();
    const { page, faults, close } = await open();
    for (const name of ['By file', 'By base64']) {
      const dialog = await openForm(page);
      if (name === 'By file') await dialog.getByLabel('Or its file').setInputFiles(file);
      else await dialog.getByLabel('What it has sent').fill((await readFile(file)).toString('base64'));
      await dialog.getByLabel('Name (required)').fill(name);
      await dialog.getByRole('button', { name: 'Create' }).click();
      await page.getByText(`${name} is created.`).waitFor();
      expect((await find(name))!.wallet_pub_key).to.deep.equal((await ownSubject(partner)).wallet_pub_key);
    }
    expect(faults).to.deep.equal([]);
    await sender.close();
    await close();
  });

  it('say what is wrong with keys, names, addresses and what was sent', async () => {
    const { page, close } = await open();
    const dialog = await openForm(page);
    await dialog.getByLabel('What it has sent').fill('no subject');
    await dialog.getByText('This is no subject').waitFor();
    await dialog.getByLabel('Name (required)').fill(LONG);
    await dialog.getByLabel('Public keys of its wallets').fill('04ff');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.locator('.field .wrong', { hasText: 'too long' }).waitFor();
    await dialog.getByLabel('Name (required)').fill('Nobody');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await waitForWrong(page, dialog, 'Public keys');
    const { wallet_pub_key } = await ownSubject(partner);
    await dialog.getByLabel('Public keys of its wallets').fill(wallet_pub_key.join('\n'));
    await dialog.getByLabel('Addresses of the keys').fill((await ownSubject(owner)).wallet_address.join('\n'));
    await dialog.getByRole('button', { name: 'Create' }).click();
    await waitForWrong(page, dialog, 'Addresses');
    expect(await find('Nobody')).to.equal(undefined);
    await close();
  });

  it('say which of them is ambiguous', async () => {
    const both = [...(await ownSubject(partner)).wallet_pub_key];
    await call(owner, 'subjects', { body: { display_name: 'One tenant', wallet_pub_key: both } });
    await call(owner, 'subjects', { body: { display_name: 'Two tenants', wallet_pub_key: both } });
    const { page, faults, close } = await open();
    // Two tenants of one ledger never sign with one key, so the answer of the server stands in for the server's.
    const { identity } = (await find('Two tenants'))!;
    await page.route(`**/iam/v1/${identity}`, async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: { ...(await answer.json()), ambiguous: true } });
    });
    await page.reload();
    await rowOf(page, 'Two tenants').getByText('it grants nothing').waitFor();
    await expectShown(() => rowOf(page, 'One tenant').getByText('ambiguous').count(), 0);
    expect(faults).to.deep.equal([]);
    await close();
  });

  it('show markup as text, without a barrier at 320 pixels', async () => {
    const { wallet_pub_key } = await ownSubject(partner);
    await call(owner, 'subjects', { body: { display_name: MARKUP, wallet_pub_key } });
    const { page, faults, close } = await open();
    await rowOf(page, MARKUP).getByText('on the ledger').waitFor();
    await expectReachable(page, 'admin-subjects');
    await openForm(page);
    await expectReachable(page, 'admin-subject');
    await expectShown(() => page.title(), 'Subjects · Admin · Provenance ledger');
    expect(faults).to.deep.equal([]);
    await close();
  });
});
