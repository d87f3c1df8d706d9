// The check of files and records in a real browser: genuine and forged events, evidence files, and files of the ledger.
import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import type { EventResource } from '../../ledger/records/event.ts';
import { hashesOf } from '../support/checkedEvidence.ts';
import { createEvidenceMaker, type EvidenceFile } from '../support/evidenceFiles.ts';
import { send } from '../support/testLedger.ts';
import { describeInBrowser, expectShown } from './browser.ts';
import { useExplorer } from './explorerFixture.ts';
import { PNG, recordShown, type ShownLedger } from './shownLedger.ts';

describeInBrowser('the check in a browser', () => {
  const explorer = useExplorer({ hasEvidence: true });
  let shown: ShownLedger;

  before(async () => {
    shown = await recordShown(explorer());
  });

  const choose = (page: Page, label: RegExp, buffer: Buffer): Promise<void> =>
    page.getByLabel(label).setInputFiles({ name: 'chosen', mimeType: 'application/octet-stream', buffer });
  const toJson = (value: object): Buffer => Buffer.from(JSON.stringify(value));

  interface Checked {
    readonly file: Buffer;
    readonly trust?: Buffer;
    readonly token?: string | null;
  }

  // The first word of the outcome.
  const checkFile = async ({ file, trust, token = explorer().tenant.token }: Checked): Promise<string> => {
    const { page, faults, close } = await explorer().openTab({ token });
    await page.goto(`/check`);
    if (trust !== undefined) await choose(page, /roots/, trust);
    await choose(page, /File to check/, file);
    const outcome = await page.getByRole('status').locator('strong').textContent();
    expect(faults).to.deep.equal([]);
    await close();
    return outcome!;
  };
  const check = (file: Buffer, trust?: Buffer): Promise<string> => checkFile({ file, ...(trust && { trust }) });
  const readEvent = async (): Promise<EventResource> =>
    (await explorer().tenant.get<EventResource>(shown.events[0]!.identity)).body;

  it('compares an event with the contract', async () => {
    expect(await check(toJson(await readEvent()))).to.equal('On the ledger');
  });

  const CHANGES: readonly [what: string, change: (event: EventResource) => Partial<EventResource>][] = [
    ['attribute', (event) => ({ asset_attributes: { ...event.asset_attributes, temperature: '-30' } })],
    ['time of acceptance', () => ({ timestamp_accepted: '2020-01-01T00:00:00Z' })],
    ['time of its block', () => ({ timestamp_committed: '2020-01-01T00:00:00Z' })],
    ['block', () => ({ block_number: 1_000_000 })],
    ['sender', () => ({ from: '0x0000000000000000000000000000000000000001' })],
    ['identity', ({ identity }) => ({ identity: identity.replace(/.$/, (last) => (last === '0' ? '1' : '0')) })],
    ['tenant', () => ({ tenant_identity: 'tenant/00000000-0000-4000-8000-000000000000' })],
  ];
  for (const [what, change] of CHANGES)
    it(`rejects an event with another ${what}`, async () => {
      const event = await readEvent();
      expect(await check(toJson({ ...event, ...change(event) }))).to.equal('Rejected');
    });

  it("can't check an event that waits for its block, and rejects nothing", async () => {
    const { page, close } = await explorer().openTab();
    await page.goto(`/check`);
    await choose(page, /File to check/, toJson({ ...(await readEvent()), confirmation_status: 'PENDING' }));
    await page.getByRole('main').getByRole('alert').waitFor();
    expect(await page.getByRole('status').getByText('Rejected').count()).to.equal(0);
    await close();
  });

  it('rejects with the reason alone, once it has ended', async () => {
    const { page, close } = await explorer().openTab();
    await page.goto(`/check`);
    await choose(page, /File to check/, toJson({ ...(await readEvent()), block_number: 1_000_000 }));
    await page.getByRole('status').getByText('Rejected').waitFor();
    await expectShown(() => page.getByText('Checking …').count(), 0);
    expect(await page.getByText('No proof reaches').count()).to.equal(0);
    await close();
  });

  it('needs no token for an event and the chain', async () => {
    expect(await checkFile({ file: toJson(await readEvent()), token: null })).to.equal('On the ledger');
  });

  it('checks the event of a page against the chain and by its evidence, and saves the evidence', async () => {
    const { page, faults, close } = await explorer().openTab();
    await page.goto(`/${shown.events[1]!.identity}`);
    const outcome = page.getByRole('status').locator('strong');
    await page.getByRole('button', { name: 'Check against the chain' }).click();
    await outcome.getByText('On the ledger').waitFor();
    await page.getByRole('button', { name: 'Check its evidence' }).click();
    await outcome.getByText('Consistent').waitFor();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download evidence' }).click();
    const file = await readFile(await (await saved).path());
    const trust = createEvidenceMaker(explorer().ledger).trust({ blocks: hashesOf(JSON.parse(file.toString())) });
    expect(await check(file, toJson(trust))).to.equal('Proved');
    expect(faults).to.deep.equal([]);
    await close();
  });

  it('rejects an event that the server shows in another form than the contract has it', async () => {
    const { page, faults, close } = await explorer().openTab();
    await page.route(`**/v2/${shown.events[1]!.identity}`, async (route) => {
      const event = (await (await route.fetch()).json()) as EventResource;
      await route.fulfill({ json: { ...event, event_attributes: { ...event.event_attributes, arc_gis_lat: '1' } } });
    });
    await page.goto(`/${shown.events[1]!.identity}`);
    await page.getByRole('button', { name: 'Check against the chain' }).click();
    await page.getByRole('status').getByText('Rejected').waitFor();
    await page.getByRole('button', { name: 'Check its evidence' }).click();
    await page.getByRole('status').getByText('Rejected').waitFor();
    expect(faults).to.deep.equal([]);
    await close();
  });

  it('checks the history of a public asset without a token', async () => {
    const { page, faults, close } = await explorer().openTab({ token: null });
    await page.goto(`/p/${shown.publicAsset.identity}`);
    await page.getByRole('button', { name: 'Check its history' }).click();
    await page.getByRole('status').getByText('Consistent').waitFor();
    expect(faults).to.deep.equal([]);
    await close();
  });

  it('checks an event by its evidence where the operator has switched off the reads of the chain', async () => {
    const { page, close } = await explorer().openTab();
    await page.route('**/ui/config.json', async (route) => {
      const config = (await (await route.fetch()).json()) as object;
      await route.fulfill({ json: { ...config, rpc: false } });
    });
    await page.goto(`/check`);
    await choose(page, /File to check/, toJson(await readEvent()));
    await page.getByRole('status').getByText('Consistent').waitFor();
    await close();
  });

  it('proves an evidence file under the roots of the reader, and none without them', async () => {
    const { server, tenant, ledger } = explorer();
    const url = `${server.url}/archivist/v2/${shown.events[0]!.identity}:evidence`;
    const { body: file } = await send<EvidenceFile>(url, tenant.token);
    const trust = createEvidenceMaker(ledger).trust({ blocks: hashesOf(file) });
    expect(await check(toJson(file), toJson(trust))).to.equal('Proved');
    expect(await check(toJson(file))).to.equal('Consistent');
    const event = { ...(await readEvent()), operation: 'Other' };
    expect(await check(toJson({ ...file, claim: { kind: 'event', event } }), toJson(trust))).to.equal('Rejected');
  });

  it('finds a file that the ledger has by its hash, and no other', async () => {
    expect(await check(PNG)).to.equal('On the ledger');
    expect(await check(Buffer.concat([PNG, PNG]))).to.equal('Not found');
  });

  it('leads to the sign-in where a file is not found without a token', async () => {
    const other = Buffer.concat([PNG, PNG]);
    for (const [file, token, word, links] of [
      [other, null, 'Not found', 1],
      [other, explorer().tenant.token, 'Not found', 0],
      [PNG, null, 'On the ledger', 0],
    ] as const) {
      const { page, close } = await explorer().openTab({ token });
      await page.goto(`/check`);
      await choose(page, /File to check/, file);
      await page.getByRole('status').getByText(word).waitFor();
      expect(await page.getByRole('main').getByRole('link', { name: 'Sign in' }).count()).to.equal(links);
      await close();
    }
  });

  it('finds the file of a public asset without a token, with a link to the public event', async () => {
    const { page, faults, close } = await explorer().openTab({ token: null });
    await page.goto(`/check`);
    await choose(page, /File to check/, PNG);
    await page.locator(`a[href^="/p/${shown.publicAsset.identity}/events/"]`).first().click();
    await page.locator('h1', { hasText: 'Created' }).waitFor();
    expect(faults).to.deep.equal([]);
    await close();
  });

  it('leads from an attachment to the records that attach the same file', async () => {
    const { page, faults, close } = await explorer().openTab();
    await page.goto(`/${shown.asset.identity}`);
    await page.getByRole('link', { name: /what attaches it/ }).click();
    await page.getByText('a file with this hash was uploaded').waitFor();
    await page.locator(`a[href^="/${shown.asset.identity}/events/"]`).first().waitFor();
    expect(faults).to.deep.equal([]);
    await page.goto(`/check?hash=none`);
    await page.getByRole('alert').getByText('hash').waitFor();
    await close();
  });

  it('says what is wrong with an evidence file of another form', async () => {
    const { page, close } = await explorer().openTab();
    await page.goto(`/check`);
    await choose(page, /File to check/, toJson({ format: 'provenance-ledger/evidence/1', ledger: {} }));
    await page.getByRole('main').getByRole('alert').waitFor();
    await expectShown(() => page.locator('.outcome').count(), 0);
    await close();
  });
});
