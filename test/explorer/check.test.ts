// The check of files in a real browser: genuine and forged events, evidence files, and files of the ledger.
import { expect } from 'chai';
import type { Browser, Page } from 'playwright-core';
import { openCheckpoints } from '../../host/evidence/openCheckpoints.ts';
import { openEvidence } from '../../host/evidence/openEvidence.ts';
import { openExplorer } from '../../host/openExplorer.ts';
import type { EventResource } from '../../ledger/records/event.ts';
import { hashesOf } from '../support/checkedEvidence.ts';
import { createEvidenceMaker, type EvidenceFile } from '../support/evidenceFiles.ts';
import { createFixtureTenant, type FixtureTenant } from '../support/fixtureTenant.ts';
import { useSharedLedger } from '../support/sharedLedger.ts';
import { type ListeningServer, send, serveTestLedger } from '../support/testLedger.ts';
import { findChromium, openPage, startBrowser } from './browser.ts';
import { PNG, recordShown, type ShownLedger } from './shownLedger.ts';

describe('the check in a browser', function () {
  const executable = findChromium();
  if (executable === undefined) {
    it('is not tested: there is no Chromium on the PATH');
    return;
  }
  this.timeout(300_000);
  const shared = useSharedLedger({});
  const closing: (() => Promise<unknown>)[] = [];
  let server: ListeningServer;
  let browser: Browser;
  let tenant: FixtureTenant;
  let shown: ShownLedger;

  before(async () => {
    const { ledger } = shared();
    const checkpoints = (await openCheckpoints(ledger, { checkpointSeconds: 3_600 }, () => undefined))!;
    closing.push(checkpoints.close);
    const evidence = openEvidence({ ledger, checkpoints, waitMs: 30_000 });
    server = await serveTestLedger(ledger, { evidence, explorer: await openExplorer() });
    closing.push(server.close);
    tenant = await createFixtureTenant(ledger, server, 'checked');
    shown = await recordShown(server.url, tenant);
    browser = await startBrowser(executable);
    closing.push(() => browser.close());
  });
  after(async () => {
    for (const close of closing.reverse()) await close();
  });

  const choose = (page: Page, label: RegExp, buffer: Buffer): Promise<void> =>
    page.getByLabel(label).setInputFiles({ name: 'chosen', mimeType: 'application/octet-stream', buffer });
  const toJson = (value: object): Buffer => Buffer.from(JSON.stringify(value));

  const check = async (file: Buffer, trust?: Buffer): Promise<string> => {
    const { page, faults, close } = await openPage(browser, server.url, tenant.token);
    await page.goto(`${server.url}/check`);
    if (trust !== undefined) await choose(page, /roots/, trust);
    await choose(page, /File to check/, file);
    const outcome = await page.getByRole('status').locator('strong').textContent();
    expect(faults).to.deep.equal([]);
    await close();
    return outcome!;
  };
  const readEvent = async (): Promise<EventResource> =>
    (await tenant.get<EventResource>(shown.events[0]!.identity)).body;

  it('finds an event as the API shows it consistent, and rejects one with a changed attribute', async () => {
    const event = await readEvent();
    expect(await check(toJson(event))).to.equal('Consistent');
    const asset_attributes = { ...event.asset_attributes, temperature: '-30' };
    expect(await check(toJson({ ...event, asset_attributes }))).to.equal('Rejected');
  });

  it('checks the event of a page', async () => {
    const { page, faults, close } = await openPage(browser, server.url, tenant.token);
    await page.goto(`${server.url}/${shown.events[1]!.identity}`);
    await page.getByRole('button', { name: 'Check it in this browser' }).click();
    expect(await page.getByRole('status').locator('strong').textContent()).to.equal('Consistent');
    expect(faults).to.deep.equal([]);
    await close();
  });

  it('proves an evidence file under the roots of the reader, and none without them', async () => {
    const url = `${server.url}/archivist/v2/${shown.events[0]!.identity}:evidence`;
    const { body: file } = await send<EvidenceFile>(url, tenant.token);
    const trust = createEvidenceMaker(shared().ledger).trust({ blocks: hashesOf(file) });
    expect(await check(toJson(file), toJson(trust))).to.equal('Proved');
    expect(await check(toJson(file))).to.equal('Consistent');
    const event = { ...(await readEvent()), operation: 'Other' };
    expect(await check(toJson({ ...file, claim: { kind: 'event', event } }), toJson(trust))).to.equal('Rejected');
  });

  it('finds a file that the ledger has by its hash, and no other', async () => {
    expect(await check(PNG)).to.equal('On the ledger');
    expect(await check(Buffer.concat([PNG, PNG]))).to.equal('Not found');
  });

  it('says what is wrong with an evidence file of another form', async () => {
    const { page, close } = await openPage(browser, server.url, tenant.token);
    await page.goto(`${server.url}/check`);
    await choose(page, /File to check/, toJson({ format: 'provenance-ledger-evidence', version: 1, ledger: {} }));
    await page.getByRole('main').locator('[role=alert], [role=status]').waitFor();
    expect(await page.locator('.outcome.good').count()).to.equal(0);
    await close();
  });
});
