// The form for a new asset, in a real browser and with a real server.
import { createHash } from 'node:crypto';
import { rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { AssetResource } from '../../ledger/assets/assetResource.ts';
import { useDirectories } from '../support/directories.ts';
import { send } from '../support/testLedger.ts';
import { describeInBrowser, expectShown } from './browser.ts';
import { useExplorer } from './explorerFixture.ts';
import { expectReachable, fetchRecord, LONG } from './formPages.ts';
import { MARKUP, PNG } from './shownLedger.ts';

const ASSET_PAGE = /\/assets\/[0-9a-f]{8}-[0-9a-f-]{27}$/;
const SUBMIT = 'Create the asset';

describeInBrowser('the form for a new asset', () => {
  const pages = useExplorer();
  const createDirectory = useDirectories();

  const openForm = (options = {}) => pages().open('/assets/new', 'New asset', options);
  const submit = (page: Page) => page.getByRole('button', { name: SUBMIT }).click();
  const countNamed = async (name: string): Promise<number> => {
    const path = `assets?attributes.arc_display_name=${encodeURIComponent(name)}`;
    return (await pages().tenant.get<{ assets: unknown[] }>(path)).body.assets.length;
  };

  /** Lets the server answer the first POST to each of the paths, and the page miss it. */
  const loseFirstAnswers = async (page: Page, paths: readonly string[]): Promise<void> => {
    const left = new Set(paths);
    const session = await page.context().newCDPSession(page);
    session.on('Fetch.requestPaused', ({ requestId, request: { method, url } }) => {
      const path = [...left].find((each) => method === 'POST' && url.endsWith(each));
      if (path === undefined) return session.send('Fetch.continueRequest', { requestId });
      left.delete(path);
      return session.send('Fetch.failRequest', { requestId, errorReason: 'ConnectionReset' });
    });
    const patterns = paths.map((path) => ({ urlPattern: `*${path}`, requestStage: 'Response' as const }));
    await session.send('Fetch.enable', { patterns });
  };

  it('records every field, with a picture whose hash is that of the file, and leads to the asset', async () => {
    const { tenant, server } = pages();
    const place = { display_name: `Port ${MARKUP}`, latitude: 1, longitude: 2 };
    const location = await tenant.post<{ identity: string }>('locations', place);
    const { page, faults, close } = await openForm();
    await page.getByLabel('Name (required)').fill('Crane 4');
    await page.getByLabel('Type').fill('Crane');
    await page.getByLabel('Description').fill(MARKUP);
    await page.getByLabel('Serial number').fill('שלום 4');
    await page.getByLabel('Home location', { exact: true }).selectOption(location.body.identity);
    await page.getByRole('button', { name: 'Add an attribute' }).click();
    await page.getByLabel('Name 1').fill(`a/b~c ${MARKUP}`);
    await page.getByLabel('Value 1').fill(LONG);
    await page.getByRole('button', { name: 'Add an attribute' }).click();
    await page.getByLabel('Name 2').fill('unwanted');
    await page.getByRole('button', { name: 'Remove attribute 2' }).click();
    await page
      .getByLabel('Attachments')
      .first()
      .setInputFiles([
        { name: `${MARKUP}.txt`, mimeType: 'text/plain', buffer: Buffer.from('report') },
        { name: 'crane.png', mimeType: 'image/png', buffer: PNG },
      ]);
    await page.getByLabel(/^Maintenance/).check();
    await page.getByLabel(/^Public/).check();
    await submit(page);
    await page.waitForURL(ASSET_PAGE);
    await page.locator('h1', { hasText: 'Crane 4' }).waitFor();
    const asset = await fetchRecord<AssetResource>(tenant, page);
    expect(asset.public).to.equal(true);
    expect(asset.behaviours).to.include.members(['RecordEvidence', 'Attachments', 'Maintenance']);
    expect(asset.attributes).to.include({
      arc_display_name: 'Crane 4',
      arc_display_type: 'Crane',
      arc_description: MARKUP,
      arc_serial_number: 'שלום 4',
      arc_home_location_identity: location.body.identity,
      [`a/b~c ${MARKUP}`]: LONG,
    });
    const picture = asset.attributes.arc_primary_image as Record<string, string>;
    expect(picture.arc_blob_hash_value).to.equal(createHash('sha256').update(PNG).digest('hex'));
    expect(asset.attributes[`${MARKUP}.txt`]).to.include({ arc_attribute_type: 'arc_attachment' });
    const info = `${server.url}/archivist/v2/attachments/${asset.identity}/${picture.arc_blob_identity!.slice(6)}/info`;
    expect((await send<object>(info, tenant.token)).status).to.equal(200);
    expect(asset.attributes).not.to.have.property('unwanted');
    expect(faults).to.deep.equal([]);
    await close();
  });

  it('names what is missing, twice there or too long at its field, and focuses the first one', async () => {
    const { page, faults, close } = await openForm();
    await page.getByRole('button', { name: 'Add an attribute' }).click();
    await page.getByLabel('Name 1').fill('arc_serial_number');
    await page.getByLabel('Value 1').fill(`${LONG}x`);
    await submit(page);
    await page.getByRole('alert').waitFor();
    const wrong = page.locator('[aria-invalid=true]');
    await expectShown(() => wrong.count(), 3);
    await page.locator('[name="attributes/arc_display_name"]:focus').waitFor();
    const described = await page.getByLabel('Value 1').getAttribute('aria-describedby');
    await expectShown(() => page.locator(`[id="${described}"]`).textContent(), 'has more than 4,096 characters');
    await expectReachable(page, 'new-asset-refused');
    expect(faults).to.deep.equal([]);
    await close();
  });

  it('shows what the server refuses at the field that it names', async () => {
    const { page, close } = await openForm();
    await page.route('**/v2/locations*', (route) => route.abort());
    await page.reload();
    await page.getByLabel('Name (required)').fill('Nowhere');
    await page.getByLabel('Home location', { exact: true }).fill('locations/6f1b2a9c-4b0e-4a54-8f6d-9c2e7d1a3b50');
    await submit(page);
    await page.locator('.wrong').waitFor();
    await page.locator('[name="attributes/arc_home_location_identity"]:focus').waitFor();
    expect(await countNamed('Nowhere')).to.equal(0);
    await close();
  });

  it('records once what is sent twice, by a double click or after an answer that was lost', async () => {
    const { page, close } = await openForm();
    await page.getByLabel('Name (required)').fill('Twin');
    let posts = 0;
    await page.route('**/v2/assets', async (route) => {
      if (route.request().method() !== 'POST') return route.continue();
      posts += 1;
      if (posts > 1) return route.continue();
      await route.fetch();
      await route.abort();
    });
    await page.getByRole('button', { name: SUBMIT }).dblclick();
    await page.getByText('can’t be reached').waitFor();
    expect(await countNamed('Twin')).to.equal(1);
    await page.reload();
    await page.getByText('what you entered before').waitFor();
    await expectShown(() => page.getByLabel('Name (required)').inputValue(), 'Twin');
    await submit(page);
    await page.waitForURL(ASSET_PAGE);
    expect(posts).to.equal(2);
    expect(await countNamed('Twin')).to.equal(1);
    await page.goto(`${pages().server.url}/assets/new`);
    await expectShown(() => page.getByLabel('Name (required)').inputValue(), '');
    await close();
  });

  it('records a file once whose answer was lost, although it is chosen again on a page that was loaded again', async () => {
    const { tenant, server } = pages();
    const path = join(await createDirectory(), `${MARKUP.replaceAll('/', '')}.txt`);
    await writeFile(path, 'file that is sent again');
    const hash = createHash('sha256').update('file that is sent again').digest('hex');
    const list = `${server.url}/archivist/v1/blobs?hash=${hash}`;
    const countBlobs = async () => (await send<{ blobs: unknown[] }>(list, tenant.token)).body.blobs.length;
    const { page, close } = await openForm();
    await page.getByLabel('Name (required)').fill('With a file');
    await loseFirstAnswers(page, ['/v1/blobs', '/v2/assets']);
    for (const _ of [1, 2]) {
      await page.getByLabel('Attachments').first().setInputFiles(path);
      await submit(page);
      await page.getByText('can’t be reached').waitFor();
      await page.reload();
      await page.getByText('what you entered before').waitFor();
    }
    await page.getByLabel('Attachments').first().setInputFiles(path);
    await submit(page);
    await page.waitForURL(ASSET_PAGE);
    expect([await countBlobs(), await countNamed('With a file')]).to.deep.equal([1, 1]);
    await close();
  });

  it('says at the field that a file was changed or deleted after it was chosen', async () => {
    const path = join(await createDirectory(), 'report.txt');
    await writeFile(path, 'report');
    const { page, close } = await openForm();
    await page.getByLabel('Name (required)').fill('Without its file');
    await page.getByLabel('Attachments').first().setInputFiles(path);
    await rm(path);
    await submit(page);
    await page.locator('.wrong', { hasText: 'report.txt can’t be read' }).waitFor();
    await writeFile(path, 'report');
    await page.getByLabel('Attachments').first().setInputFiles(path);
    await writeFile(path, 'another report');
    // Browsers compare whole seconds.
    await utimes(path, 0, 0);
    await submit(page);
    await page.locator('.wrong', { hasText: 'report.txt can’t be read' }).waitFor();
    expect(await countNamed('Without its file')).to.equal(0);
    await close();
  });

  it('warns when an earlier attempt was recorded with other entries', async () => {
    const { page, close } = await openForm();
    await page.getByLabel('Name (required)').fill('Before');
    await page.route('**/v2/assets', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await submit(page);
    await page.getByText('can’t be reached').waitFor();
    await page.unroute('**/v2/assets');
    await page.getByLabel('Name (required)').fill('After');
    await submit(page);
    await page.getByText('An earlier attempt of this form was recorded').waitFor();
    expect(await countNamed('After')).to.equal(0);
    await submit(page);
    await page.waitForURL(ASSET_PAGE);
    expect([await countNamed('Before'), await countNamed('After')]).to.deep.equal([1, 1]);
    await close();
  });

  it('keeps what was entered when the session expires, and forgets it at sign-out', async () => {
    const { tenant } = pages();
    const { page, close } = await openForm({ token: `${tenant.token.slice(0, -4)}AAAA` });
    await page.getByLabel('Name (required)').fill('Kept');
    await submit(page);
    await page.getByRole('main').getByRole('alert').getByRole('link', { name: 'Sign in' }).waitFor();
    await page.goto(`${pages().server.url}/assets/new`);
    await expectShown(() => page.getByLabel('Name (required)').inputValue(), 'Kept');
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Access token').waitFor();
    await expectShown(() => page.evaluate(() => sessionStorage.length), 0);
    await close();
  });

  it('tells a reader why it can’t be sent', async () => {
    const { page, close } = await openForm({ token: await pages().issueToken('reader') });
    await page.getByText('has the role reader').waitFor();
    await expectShown(() => page.getByRole('button', { name: SUBMIT }).isDisabled(), true);
    await close();
  });

  it('is filled and sent by keyboard alone', async () => {
    const { page, faults, close } = await openForm();
    await page.getByLabel('Name (required)').focus();
    await page.keyboard.type('By keyboard');
    await page.keyboard.press('Enter');
    await page.waitForURL(ASSET_PAGE);
    expect(await countNamed('By keyboard')).to.equal(1);
    expect(faults).to.deep.equal([]);
    await close();
  });

  it('has no barrier, 320 and 1,280 pixels wide, in light and in dark', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page, faults, close } = await openForm({ colorScheme });
      await page.getByRole('button', { name: 'Add an attribute' }).click();
      await expectReachable(page, `new-asset-${colorScheme}`);
      expect(faults).to.deep.equal([]);
      await close();
    }
  });
});
