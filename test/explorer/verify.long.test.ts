// verify.html in a real browser: saved from the server, opened from a file, and asking the chain's port.
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { createRpcServer } from '../../chain/embedded/rpc/rpcServer.ts';
import type { EventResource } from '../../ledger/records/event.ts';
import { hashesOf } from '../support/checkedEvidence.ts';
import { useDirectories } from '../support/directories.ts';
import { createEvidenceMaker, type EvidenceFile } from '../support/evidenceFiles.ts';
import type { FixtureTenant } from '../support/fixtureTenant.ts';
import { type ListeningServer, send } from '../support/testLedger.ts';
import { describeInBrowser, expectShown, findBarriers, openPage, readWidth, SCREENSHOTS } from './browser.ts';
import { useExplorer } from './explorerFixture.ts';
import { MARKUP, recordShown, type ShownLedger } from './shownLedger.ts';
import {
  type Entered,
  enterInto,
  type OpenedFile,
  openFile,
  saveVerifier,
  serveLies,
  servePage,
  toJson,
} from './verifyFile.ts';
import { listWrongEntries, MEBIBYTES, OTHER_CHAIN, OVERRIDE } from './wrongEntries.ts';

describeInBrowser('verify.html in a browser', () => {
  const explorer = useExplorer({ hasEvidence: true });
  const createDirectory = useDirectories();
  let server: ListeningServer;
  let tenant: FixtureTenant;
  let shown: ShownLedger;
  let path: string;
  let event: EventResource;
  let openNode: string;
  let closedNode: string;

  const serveChain = async (corsOrigins: readonly string[]): Promise<string> => {
    const answer = explorer().ledger.chain.answer!;
    const rpc = await createRpcServer({ answer, host: '127.0.0.1', port: 0, onError: console.error, corsOrigins });
    explorer().atEnd(rpc.close);
    return rpc.url;
  };

  before(async () => {
    ({ server, tenant } = explorer());
    shown = await recordShown(explorer());
    event = (await tenant.get<EventResource>(shown.events[0]!.identity)).body;
    openNode = await serveChain(['null']);
    closedNode = await serveChain([]);
    path = join(await createDirectory(), 'verify.html');
    await saveVerifier(explorer().browser, server.url, path);
  });

  const open = (opened = path): Promise<OpenedFile> => openFile(explorer().browser, opened);
  const enter = (page: Page, entered: Entered): Promise<void> => enterInto(page, explorer().ledger, entered);
  const listen = async (opened: ReturnType<typeof servePage>): Promise<string> => {
    const { url, close } = await opened;
    explorer().atEnd(close);
    return url;
  };

  /** The first word of the outcome; nothing else may happen. */
  const check = async (entered: Entered): Promise<string> => {
    const { page, messages, requested, close } = await open();
    await enter(page, entered);
    const word = await page.getByRole('status').locator('strong').textContent();
    await expectShown(() => page.getByRole('alert').count(), 0);
    expect(messages()).to.deep.equal([]);
    const own = [pathToFileURL(path).href, `${entered.node}/`];
    expect(requested.filter((url) => !own.includes(url))).to.deep.equal([]);
    await close();
    return word!;
  };

  /** The message; no verdict may be shown. */
  const refuse = async (entered: Entered): Promise<string> => {
    const { page, close } = await open();
    await enter(page, entered);
    const text = await page.getByRole('alert').textContent();
    await expectShown(() => page.locator('.outcome').count(), 0);
    expect(await page.title()).not.to.equal('taken');
    await close();
    return text!;
  };

  const readEvidence = async (): Promise<EvidenceFile> =>
    (await send<EvidenceFile>(`${server.url}/archivist/v2/${event.identity}:evidence`, tenant.token)).body;

  it('is what the build has made, and has the hashes of its script and style in its policy', async () => {
    const saved = await readFile(path, 'utf8');
    expect(saved).to.equal(await readFile(new URL('../../explorer/dist/verify.html', import.meta.url), 'utf8'));
    const policy = /http-equiv="content-security-policy" content="([^"]+)"/.exec(saved)![1];
    const hashOf = (element: RegExp): string =>
      `'sha256-${createHash('sha256').update(element.exec(saved)![1]!).digest('base64')}'`;
    expect(policy).to.equal(
      `default-src 'none'; script-src ${hashOf(/<script type="module">(.*?)<\/script>/s)}; ` +
        `style-src ${hashOf(/<style>(.*?)<\/style>/s)}; connect-src http: https:; form-action 'none'; base-uri 'none'`,
    );
  });

  it('compares an event with the contract by the node that its reader names, and rejects a forged one', async () => {
    expect(await check({ file: toJson(event), node: openNode })).to.equal('On the ledger');
    for (const changed of [
      { asset_attributes: { ...event.asset_attributes, temperature: '-30' } },
      { timestamp_committed: '2020-01-01T00:00:00Z' },
      { from: '0x0000000000000000000000000000000000000001' },
    ])
      expect(await check({ file: toJson({ ...event, ...changed }), node: openNode })).to.equal('Rejected');
  });

  it('checks an evidence file without any request', async () => {
    const file = await readEvidence();
    const trust = createEvidenceMaker(explorer().ledger).trust({ blocks: hashesOf(file) });
    const { page, faults, requested, close } = await open();
    await page.context().setOffline(true);
    await enter(page, { file: toJson(file), trust: toJson(trust) });
    await expectShown(() => page.getByRole('status').locator('strong').textContent(), 'Proved');
    await page.getByText('Nobody was asked').waitFor();
    expect([requested, faults.filter((fault) => !fault.includes('file://'))]).to.deep.equal([
      [pathToFileURL(path).href],
      [],
    ]);
    await close();
    expect(await check({ file: toJson(file) })).to.equal('Consistent');
    const other = `0x${'11'.repeat(20)}`;
    expect(await check({ file: toJson(file), contract: other })).to.equal('Rejected');
    const forged = { ...file, claim: { kind: 'event', event: { ...event, operation: 'Other' } } };
    expect(await check({ file: toJson(forged), trust: toJson(trust) })).to.equal('Rejected');
  });

  it('names the setting where no answer of the node can be read, and what to check', async () => {
    const refused = await refuse({ file: toJson(event), node: closedNode });
    expect(refused).to.contain('CHAIN_RPC_CORS_ORIGINS').and.to.contain('origin null');
    const { page, messages, close } = await open();
    await enter(page, { file: toJson(event), node: closedNode });
    await page.getByRole('alert').waitFor();
    expect(messages().filter((text) => !/CORS policy|Failed to load resource/.test(text))).to.deep.equal([]);
    await close();
    expect(await refuse({ file: toJson(event), node: 'http://127.0.0.1:9' })).to.contain('Check the address');
  });

  it('asks a node from an origin of its own, and from a public one with the permission of the person', async () => {
    const saved = await readFile(path, 'utf8');
    const ownOrigin = await listen(servePage(saved));
    const publicOrigin = await listen(servePage(saved, { 'content-security-policy': 'treat-as-public-address' }));
    const node = await serveChain([ownOrigin, publicOrigin]);
    for (const [origin, permissions, text] of [
      [ownOrigin, [], 'On the ledger'],
      [publicOrigin, ['local-network-access'], 'On the ledger'],
      [publicOrigin, [], 'may connect to it'],
    ] as const) {
      const { page, close } = await openPage(explorer().browser, origin, undefined);
      await page.context().grantPermissions([...permissions]);
      await page.goto(origin);
      await enter(page, { file: toJson(event), node });
      await page.locator('[role=status], [role=alert]', { hasText: text }).waitFor();
      await close();
    }
  });

  it('says what is wrong with what was entered', async () => {
    const cases = listWrongEntries({ event, evidence: await readEvidence(), node: openNode });
    for (const [entered, text] of cases) {
      const message = await refuse(entered);
      expect(message).to.contain(text).and.not.to.contain(OVERRIDE);
    }
  });

  it('shows what a node answers as a quotation, and no verdict of nonsense', async () => {
    const message = `${MARKUP}${OVERRIDE}${'x'.repeat(5_000)}`;
    const chainId = `0x${explorer().ledger.chain.chainId.toString(16)}`;
    const record = async (call: object, block: object) =>
      refuse({
        file: toJson(event),
        node: await listen(
          serveLies((method) =>
            method === 'eth_chainId' ? { result: chainId } : method === 'eth_call' ? call : block,
          ),
        ),
      });
    const lying = await listen(serveLies(() => ({ error: { code: 1, message } })));
    const quoted = await refuse({ file: toJson(event), node: lying });
    expect(quoted).to.contain('<script>').and.to.contain('\\u{202e}').and.not.to.contain(OVERRIDE);
    expect(quoted.length).to.be.below(1_000);
    expect(await refuse({ file: toJson(event), node: await listen(serveLies(() => ({}))) })).to.contain('JSON-RPC');
    expect(await refuse({ file: toJson(event), node: await listen(serveLies(() => ({ result: {} }))) })).to.contain(
      'chain id',
    );
    expect(await record({ result: { a: MARKUP } }, { result: null })).to.contain('no ledger contract');
    expect(await record({ result: 'x'.repeat(5 * MEBIBYTES) }, { result: null })).to.contain('4 MiB');
  });

  it('lists the members of an event that nothing proves as text', async () => {
    const { page, messages, close } = await open();
    await enter(page, { file: toJson({ ...event, [`${MARKUP}${OVERRIDE}`]: 1 }), node: openNode });
    await page.getByRole('status').getByText('On the ledger').waitFor();
    const text = await page.getByText('No proof reaches').textContent();
    expect(text).to.contain(`transaction_id, transaction_index, log_index, ${MARKUP}\\u{202e}`);
    expect(await page.title()).not.to.equal('taken');
    expect(messages()).to.deep.equal([]);
    await close();
  });

  it('takes an answer away when what it is about changes, and checks a dropped file', async () => {
    const { page, close } = await open();
    await enter(page, { file: toJson(event), node: openNode });
    await page.getByRole('status').waitFor();
    await page.getByLabel('Chain id').fill(OTHER_CHAIN);
    await page.getByRole('status').waitFor({ state: 'detached' });
    await page.getByLabel('Chain id').fill(String(explorer().ledger.chain.chainId));
    const transfer = await page.evaluateHandle(
      `(() => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([${JSON.stringify(JSON.stringify(event))}], 'event.json'));
        return transfer;
      })()`,
    );
    await page.getByRole('main').dispatchEvent('drop', { dataTransfer: transfer });
    await page.getByRole('status').getByText('On the ledger').waitFor();
    await close();
  });

  it('runs no script but its own', async () => {
    const injected = join(await createDirectory(), 'verify.html');
    const script = `<script>document.title='taken'</script><script type="module">document.title='taken'</script>`;
    const page = await readFile(path, 'utf8');
    const changed = page.replace(
      '<div id="app">',
      () => `${script}<img src=x onerror="document.title='taken'"><div id="app">`,
    );
    await writeFile(injected, changed);
    const opened = await open(injected);
    await opened.page.getByRole('button', { name: 'Check', exact: true }).waitFor();
    expect(await opened.page.title()).not.to.equal('taken');
    expect(opened.messages().filter((text) => text.includes('Content Security Policy'))).to.have.length.greaterThan(2);
    await opened.close();
    await writeFile(
      injected,
      page.replace('</script>', () => ';document.title="taken"</script>'),
    );
    const edited = await open(injected);
    expect(await edited.page.title()).not.to.equal('taken');
    await expectShown(() => edited.page.getByRole('button').count(), 0);
    await edited.close();
  });

  for (const scheme of ['light', 'dark'] as const)
    it(`has no barrier, ${scheme}, 320 and 1,280 pixels wide`, async () => {
      const { page, close } = await openFile(explorer().browser, path, { colorScheme: scheme });
      for (const width of [320, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        await page.goto(pathToFileURL(path).href);
        await enter(page, { file: toJson(event), node: openNode });
        await page.getByRole('status').waitFor();
        await page.screenshot({ path: join(SCREENSHOTS, `verify-${width}-${scheme}.png`), fullPage: true });
        expect(await readWidth(page)).to.be.at.most(width);
        expect(await findBarriers(page)).to.deep.equal([]);
      }
      await close();
    });
});
