// The applications of the explorer: what its forms do is what the server then does.
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { tenantAt } from '../support/fixtureTenant.ts';
import { send } from '../support/testLedger.ts';
import { describeInBrowser, expectShown } from './browser.ts';
import { useExplorer } from './explorerFixture.ts';
import { expectReachable, LONG, waitForWrong } from './formPages.ts';
import { parametersOf } from './listPages.ts';
import { MARKUP } from './shownLedger.ts';

interface Application {
  readonly identity: string;
  readonly client_id: string;
  readonly display_name: string;
  readonly roles: readonly string[];
  readonly custom_claims: Readonly<Record<string, string>>;
  readonly credentials: readonly { readonly secret: string }[];
}

describeInBrowser('the applications of the explorer', () => {
  const pages = useExplorer();

  const iam = (path: string) => `${pages().server.url}/archivist/iam/v1/${path}`;
  const list = async (): Promise<readonly Application[]> => {
    const { body } = await send<{ applications: Application[] }>(iam('applications'), pages().tenant.token);
    return body.applications;
  };
  const requestToken = (client_id: string, client_secret: string): Promise<Response> => {
    const body = new URLSearchParams({ grant_type: 'client_credentials', client_id, client_secret });
    return fetch(iam('appidp/token'), { method: 'POST', body });
  };
  const create = async (display_name: string, roles: readonly string[] = ['reader']) =>
    (await send<Application>(iam('applications'), pages().tenant.token, { body: { display_name, roles } })).body;
  const open = (options = {}) => pages().open('/admin/applications', 'Applications', options);
  const rowOf = (page: Page, name: string): Locator => page.locator('tbody tr', { hasText: name });
  const readSecret = (page: Page): Promise<string> => page.getByLabel('Client secret').inputValue();

  it('show the secret of a new one once, and it gets a token', async () => {
    const { page, faults, close } = await open();
    await page.getByRole('button', { name: 'New application' }).click();
    const dialog = page.getByRole('dialog', { name: 'New application' });
    await dialog.getByLabel('Name (required)').fill('Gate 3');
    await dialog.getByRole('checkbox', { name: 'auditor' }).check();
    await dialog.getByRole('button', { name: 'Add a claim' }).click();
    await dialog.getByLabel('Claim 1').fill('gate');
    await dialog.getByLabel('Value 1').fill('3');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await page.getByText('it is never shown again').waitFor();
    await expectShown(() => page.locator('.said').textContent(), 'Gate 3 is created.');
    const secret = await readSecret(page);
    const created = (await list()).find(({ display_name }) => display_name === 'Gate 3')!;
    expect(created).to.deep.include({ roles: ['writer', 'auditor'], custom_claims: { gate: '3' } });
    await expectShown(() => page.getByLabel('Client id').inputValue(), created.client_id);
    expect((await requestToken(created.client_id, secret)).status).to.equal(200);
    await page.getByRole('button', { name: 'I have kept the secret' }).click();
    await rowOf(page, 'Gate 3').getByText('may write').waitFor();
    expect(await page.content()).not.to.contain(secret);
    expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.to.contain(secret);
    expect(faults).to.deep.equal([]);
    await close();
  });

  it('end the old secret with a new one, after a question that Escape answers with no', async () => {
    const { client_id } = await create('Gate 4');
    const { page, faults, close } = await open();
    const button = rowOf(page, 'Gate 4').getByRole('button', { name: 'New secret of Gate 4' });
    await button.click();
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expectShown(() => page.locator(':focus').textContent(), 'New secret of Gate 4');
    const replace = async (): Promise<string> => {
      await button.click();
      await page.getByText('stop working at once').waitFor();
      await page.getByRole('button', { name: 'Replace the secret' }).click();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await page.getByText('has a new secret').waitFor();
      return readSecret(page);
    };
    const first = await replace();
    expect((await requestToken(client_id, first)).status).to.equal(200);
    await page.getByRole('button', { name: 'I have kept the secret' }).click();
    const second = await replace();
    expect(second).not.to.equal(first);
    expect((await requestToken(client_id, first)).status).to.equal(401);
    expect((await requestToken(client_id, second)).status).to.equal(200);
    expect(faults).to.deep.equal([]);
    await close();
  });

  it('keep showing a secret until the reader has it, whatever else is done', async () => {
    await create('Gate 7');
    const { page, faults, close } = await open();
    await page.getByRole('button', { name: 'New application' }).click();
    await page.getByRole('dialog').getByLabel('Name (required)').fill('Gate 8');
    await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
    await page.getByText('Gate 8 is created').waitFor();
    const secret = await readSecret(page);
    await rowOf(page, 'Gate 7').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete the' }).click();
    await page.getByText('Gate 7 is deleted.').waitFor();
    await expectShown(() => readSecret(page), secret);
    await rowOf(page, 'Gate 8').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete the' }).click();
    await page.getByText('Gate 8 is deleted.').waitFor();
    await expectShown(() => page.getByLabel('Client secret').count(), 0);
    expect(faults).to.deep.equal([]);
    await close();
  });

  it('are looked for where the answer that created one was lost', async () => {
    const { page, close } = await open();
    await page.route('**/iam/v1/applications', async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      await route.fetch();
      await route.abort();
    });
    await page.getByRole('button', { name: 'New application' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name (required)').fill('Gate 10');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.getByText('may have been created').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await rowOf(page, 'Gate 10').waitFor();
    await close();
  });

  it('change roles and names, and are deleted', async () => {
    const { client_id } = await create('Gate 5', ['writer']);
    const { page, faults, close } = await open();
    await rowOf(page, 'Gate 5').getByRole('button', { name: 'Change' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change the application' });
    await dialog.getByLabel('Name (required)').fill('Gate 5 b');
    await dialog.getByRole('checkbox', { name: 'writer' }).uncheck();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await rowOf(page, 'Gate 5 b').getByText('none').waitFor();
    expect((await list()).find((each) => each.client_id === client_id)).to.deep.include({
      display_name: 'Gate 5 b',
      roles: [],
    });
    await rowOf(page, 'Gate 5 b').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog', { name: 'Delete Gate 5 b?' }).getByRole('button', { name: 'Delete the' }).click();
    await page.getByText('Gate 5 b is deleted.').waitFor();
    await rowOf(page, 'Gate 5 b').waitFor({ state: 'detached' });
    expect((await list()).some((each) => each.client_id === client_id)).to.equal(false);
    expect(faults).to.deep.equal([]);
    await close();
  });

  it('don’t get back a role that somebody else takes away while their name is changed', async () => {
    const { client_id } = await create('Gate 9', ['writer']);
    const { page, faults, close } = await open();
    await rowOf(page, 'Gate 9').getByRole('button', { name: 'Change' }).click();
    await page.getByRole('dialog').getByLabel('Name (required)').fill('Gate 9 b');
    const init = { method: 'PATCH', body: { roles: ['reader'] } };
    await send(iam(`applications/${client_id}`), pages().tenant.token, init);
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await rowOf(page, 'Gate 9 b').getByText('reader').waitFor();
    expect((await list()).find((each) => each.client_id === client_id)!.roles).to.deep.equal(['reader']);
    expect(faults).to.deep.equal([]);
    await close();
  });

  it('lead to the events that they sent, and to no others', async () => {
    const { server, tenant } = pages();
    const { client_id, credentials } = await create('Gate 6', ['writer']);
    const answer = await requestToken(client_id, credentials[0]!.secret);
    const { access_token } = (await answer.json()) as { access_token: string };
    const door = await tenant.createAsset({ arc_display_name: 'Door' });
    const sender = tenantAt(server, tenant, access_token);
    const { body } = await sender.record(door, 'by the gate');
    await tenant.record(door, 'by root');
    const { page, faults, close } = await open();
    await rowOf(page, 'Gate 6').getByRole('link', { name: 'Events of this application' }).click();
    await page.locator(`a[href="/${body.identity}"]`).first().waitFor();
    await expectShown(async () => new URL(page.url()).search, `?principal_accepted.subject=${client_id}`);
    await expectShown(() => page.locator('tbody tr').count(), 1);
    expect(faults).to.deep.equal([]);
    await close();
  });

  it('say to a caller without the right which one is missing', async () => {
    const { page, close } = await open({ token: await pages().issueToken('writer') });
    await page.getByRole('alert').getByText('lacks the right "auditor"').waitFor();
    await page.getByRole('link', { name: 'Who may write' }).click();
    await page.getByRole('alert').first().waitFor();
    await expectReachable(page, 'admin-refused');
    await close();
  });

  it('say at the field what the server refuses, and keep what was entered', async () => {
    const { page, close } = await open();
    await page.getByRole('button', { name: 'New application' }).click();
    const dialog = page.getByRole('dialog');
    const name = dialog.getByLabel('Name (required)');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.locator('.field .wrong', { hasText: 'must not be empty' }).waitFor();
    await name.fill(LONG);
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.locator('.field .wrong', { hasText: 'too long' }).waitFor();
    await expectShown(() => name.getAttribute('aria-invalid'), 'true');
    await expectShown(() => name.inputValue(), LONG);
    await name.fill('Gate 7');
    await dialog.getByRole('button', { name: 'Add a claim' }).click();
    await dialog.getByLabel('Claim 1').fill('sub');
    await dialog.getByLabel('Value 1').fill('somebody');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await waitForWrong(page, dialog, 'Claim 1');
    await close();
    expect((await list()).some(({ display_name }) => display_name === 'Gate 7')).to.equal(false);
  });

  it('show markup and text from right to left as text, without a barrier at 320 pixels', async () => {
    await create(MARKUP);
    await create(LONG.slice(-255));
    const { page, faults, close } = await open();
    await rowOf(page, MARKUP).first().waitFor();
    await expectReachable(page, 'admin-applications');
    await rowOf(page, MARKUP).first().getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').waitFor();
    await expectReachable(page, 'admin-deletion');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'New application' }).click();
    await expectReachable(page, 'admin-application');
    await expectShown(() => page.title(), 'Applications · Admin · Provenance ledger');
    expect(faults).to.deep.equal([]);
    await close();
  });

  it('are in pages, and are found by their names', async () => {
    for (let index = 0; index < 60; index += 1) await create(`Sensor ${index}`);
    const { page, faults, close } = await open();
    await rowOf(page, 'Sensor 59').waitFor();
    await expectShown(() => page.locator('tbody tr').count(), 50);
    await page.getByRole('link', { name: 'Next page' }).click();
    await rowOf(page, 'Sensor 0').first().waitFor();
    await page.getByLabel('Name is exactly').fill('Sensor 17');
    await page.getByRole('button', { name: 'Find' }).click();
    await page.waitForFunction(`document.querySelectorAll('tbody tr').length === 1`);
    await expectShown(async () => parametersOf(page).get('display_name'), 'Sensor 17');
    expect(faults).to.deep.equal([]);
    await close();
  });

  it('keep a form and say what to do when the token loses its right meanwhile', async () => {
    const token = await pages().issueToken('auditor');
    const { page, close } = await open({ token });
    await page.getByRole('button', { name: 'New application' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name (required)').fill('Gate 8');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.getByRole('alert').getByText('Sign in as somebody who may do it.').waitFor();
    await expectShown(() => dialog.getByLabel('Name (required)').inputValue(), 'Gate 8');
    await page.route('**/iam/v1/applications', (route) => route.fulfill({ status: 401, json: {} }));
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.getByRole('link', { name: 'Sign in' }).waitFor();
    await close();
  });
});
