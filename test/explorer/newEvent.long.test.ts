// The form for a new event, in a real browser and with a real server.
import { createHash } from 'node:crypto';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { AssetResource } from '../../ledger/assets/assetResource.ts';
import type { EventResource } from '../../ledger/records/event.ts';
import { describeInBrowser, expectShown } from './browser.ts';
import { useExplorer } from './explorerFixture.ts';
import { expectReachable, fetchRecord, LONG } from './formPages.ts';
import { MARKUP, PNG } from './shownLedger.ts';

const EVENT_PAGE = /\/events\/[0-9a-f]{8}-[0-9a-f-]{27}$/;
const SUBMIT = 'Record the event';
const BEHAVIOURS = ['RecordEvidence', 'Attachments', 'Maintenance', 'Firmware', 'LocationUpdate'];

describeInBrowser('the form for a new event', () => {
  const pages = useExplorer();

  const createAsset = async (behaviours = BEHAVIOURS): Promise<AssetResource> =>
    (await pages().tenant.post<AssetResource>('assets', { behaviours, attributes: { arc_display_name: 'Crane' } }))
      .body;
  const openForm = async (asset: AssetResource, options = {}) => {
    const opened = await pages().open(`/${asset.identity}/events/new`, 'New event', options);
    await opened.page.getByRole('button', { name: SUBMIT }).waitFor();
    return opened;
  };
  const submit = (page: Page) => page.getByRole('button', { name: SUBMIT }).click();
  const readAsset = async ({ identity }: AssetResource) => (await pages().tenant.get<AssetResource>(identity)).body;
  const countEvents = async ({ identity }: AssetResource): Promise<number> =>
    (await pages().tenant.get<{ events: unknown[] }>(`${identity}/events`)).body.events.length;

  it('records every field, from the link of the asset’s page, and leads to the event', async () => {
    const { tenant, open } = pages();
    const asset = await createAsset();
    const { page, faults, close } = await open(`/${asset.identity}`, 'Crane', { timezoneId: 'Asia/Kolkata' });
    await page.getByRole('link', { name: 'New event' }).click();
    await page.getByLabel('Type').fill('Inspection');
    await page.getByLabel('Description').fill(LONG);
    await page.getByLabel('Correlation id').fill('שלום-1');
    await page.getByRole('button', { name: 'Add an attribute' }).first().click();
    await page.getByLabel('Name 1').fill('temperature');
    await page.getByLabel('Value 1').fill('-18');
    await page.getByRole('button', { name: 'Add an attribute' }).last().click();
    await page.getByLabel('Name 1').last().fill(MARKUP);
    await page.getByLabel('Value 1').last().fill(MARKUP);
    await page.getByLabel('Latitude').fill('51.950');
    await page.getByLabel('Longitude').fill('-4.14');
    await page.getByLabel('Time').fill('2026-03-01T12:30:00');
    const file = { name: `${MARKUP}.png`, mimeType: 'image/png', buffer: PNG };
    await page.getByLabel('Attachments').setInputFiles(file);
    await submit(page);
    await page.waitForURL(EVENT_PAGE);
    await page.locator('h1', { hasText: 'Inspection' }).waitFor();
    await page.getByText('on the ledger').waitFor();
    const event = await fetchRecord<EventResource>(tenant, page);
    expect(event).to.include({ behaviour: 'RecordEvidence', operation: 'Record' });
    expect(event.timestamp_declared).to.match(/^2026-03-01T07:00:00/);
    expect(event.asset_attributes).to.deep.equal({ temperature: '-18' });
    const { [`${MARKUP}.png`]: attached, ...texts } = event.event_attributes;
    expect(texts).to.deep.equal({
      arc_display_type: 'Inspection',
      arc_description: LONG,
      arc_correlation_id: 'שלום-1',
      arc_gis_lat: '51.950',
      arc_gis_lng: '-4.14',
      [MARKUP]: MARKUP,
    });
    expect(attached).to.include({ arc_blob_hash_value: createHash('sha256').update(PNG).digest('hex') });
    expect(faults).to.deep.equal([]);
    await close();
  });

  it('appends files to the asset’s list where it is asked to', async () => {
    const asset = await createAsset();
    const { page, close } = await openForm(asset);
    await page.getByLabel('Kind of event').selectOption('Attachments/Attach');
    await submit(page);
    await page.locator('.wrong', { hasText: 'must be a list of at least one attachment' }).waitFor();
    await page
      .getByLabel('Attachments')
      .setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('a') });
    await submit(page);
    await page.waitForURL(EVENT_PAGE);
    const { attributes } = await readAsset(asset);
    const [attachment] = attributes.arc_attachments as unknown as Record<string, string>[];
    expect(attachment!.arc_hash_value).to.equal(createHash('sha256').update('a').digest('hex'));
    await close();
  });

  it('shows each operation’s requirement at its field, and records it when it is met', async () => {
    const asset = await createAsset();
    const { page, close } = await openForm(asset);
    await page.getByLabel('Kind of event').selectOption('Firmware/Update');
    await submit(page);
    await page.locator('.wrong').waitFor();
    await page.locator('[name="event_attributes/arc_description"]:focus').waitFor();
    await page.getByLabel('Description').fill('done');
    await submit(page);
    await page.locator('[name="asset_attributes/arc_firmware_version"]:focus').waitFor();
    await page.getByLabel('Version of the firmware').fill('2.1');
    await submit(page);
    await page.waitForURL(EVENT_PAGE);
    expect((await readAsset(asset)).attributes.arc_firmware_version).to.equal('2.1');
    await close();
  });

  it('offers what the behaviours of the asset allow', async () => {
    const { page, close } = await openForm(await createAsset(['RecordEvidence', 'Maintenance']));
    const offered = await page.getByLabel('Kind of event').locator('option').allTextContents();
    expect(offered).to.include.members(['Record evidence', 'Maintenance was done', 'Stop tracking the asset']);
    expect(offered[0]).to.equal('Record evidence');
    expect(offered.join()).not.to.match(/Firmware|files|Track the asset again/);
    await close();
  });

  it('refuses a position that is incomplete or not on the Earth, and sends nothing', async () => {
    const asset = await createAsset();
    const { page, close } = await openForm(asset);
    const before = await countEvents(asset);
    await page.getByLabel('Latitude').fill('90.1');
    await submit(page);
    await page.getByRole('alert').waitFor();
    await expectShown(
      () => page.locator('.pair .wrong').allTextContents(),
      ['must be a number from -90 to 90', 'is missing: a position has both'],
    );
    expect(await countEvents(asset)).to.equal(before);
    await close();
  });

  it('records once what is clicked twice, by keyboard too', async () => {
    const asset = await createAsset();
    const before = await countEvents(asset);
    const { page, faults, close } = await openForm(asset);
    await page.getByLabel('Type').focus();
    await page.keyboard.type('By keyboard');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Enter');
    await page.waitForURL(EVENT_PAGE);
    expect(await countEvents(asset)).to.equal(before + 1);
    expect(faults).to.deep.equal([]);
    await close();
  });

  it('leads to an event that is shown as pending until the ledger has it, or refuses it', async () => {
    const asset = await createAsset();
    const { page, close } = await openForm(asset);
    let state: object = { confirmation_status: 'PENDING' };
    await page.route(/\/v2\/assets\/[^/]+\/events\/[^/]+$/, async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: { ...(await answer.json()), ...state } });
    });
    await submit(page);
    await page.getByText('waits for the chain').waitFor();
    await expectShown(() => page.locator('.facts .badge', { hasText: 'pending' }).count(), 1);
    state = { confirmation_status: 'FAILED', failure_reason: 'TRANSACTION_REFUSED' };
    await page.getByText('refuses this record permanently (TRANSACTION_REFUSED)').waitFor();
    state = { confirmation_status: 'PENDING' };
    await page.reload();
    await page.getByText('waits for the chain').waitFor();
    state = {};
    await page.locator('.facts .badge', { hasText: 'on the ledger' }).waitFor();
    await expectShown(() => page.getByText('waits for the chain').count(), 0);
    await close();
  });

  it('tells a reader why it can’t be sent, and offers no link to it', async () => {
    const asset = await createAsset();
    const token = await pages().issueToken('reader');
    const { page, close } = await openForm(asset, { token });
    await expectShown(() => page.getByRole('button', { name: SUBMIT }).isDisabled(), true);
    await page.goto(`${pages().server.url}/${asset.identity}`);
    await page.getByText('can’t record events').waitFor();
    await expectShown(() => page.getByRole('link', { name: 'New event' }).count(), 0);
    await close();
  });

  it('has no barrier, 320 and 1,280 pixels wide', async () => {
    const { page, faults, close } = await openForm(await createAsset());
    await expectReachable(page, 'new-event');
    expect(faults).to.deep.equal([]);
    await close();
  });
});
