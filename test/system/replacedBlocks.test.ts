// A chain that has replaced blocks that were final: neither a running server nor a start believes it, whatever of the
// directory is lost. Only a rebuild does.
import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { expect } from 'chai';
import { writeCommittedBlock } from '../../chain/writing/outboxStore.ts';
import { openLedgerLog } from '../../host/evidence/ledgerLog.ts';
import { dataPaths } from '../../host/files/dataPaths.ts';
import { inspectIndex } from '../../host/files/indexFiles.ts';
import type { Ledger } from '../../host/openLedger.ts';
import { createFindHealthIssues, readLedgerState } from '../../host/watching/ledgerState.ts';
import { createMetrics } from '../../host/watching/metrics.ts';
import type { AssetResource } from '../../ledger/assets/assetResource.ts';
import { type TestNetwork, toNetwork } from '../support/chainKinds.ts';
import { filesIn, flipBit } from '../support/damagedFiles.ts';
import { type ExternalNode, QUICK_NODE, startNode } from '../support/externalNode.ts';
import { forkWithHead } from '../support/falseAnswers.ts';
import { createLyingProxy, type LyingProxy } from '../support/lyingProxy.ts';
import { type NetworkFixture, openNetworkFixture } from '../support/networkFixture.ts';
import { rejectionOf } from '../support/refusals.ts';
import { runScript } from '../support/runScript.ts';
import { openTestLedger } from '../support/testLedger.ts';
import { until } from '../support/until.ts';

describe('a chain that has replaced final blocks', () => {
  const closing: (() => Promise<unknown>)[] = [];
  let node: ExternalNode;
  let liars: LyingProxy[];
  let fixture: NetworkFixture;
  let asset: AssetResource;
  let head: number;
  let problems: string[];

  const network = (): TestNetwork => ({ ...toNetwork(...liars.map(({ url }) => url)), agreeing: 2 });
  const open = async (given: TestNetwork = network()): Promise<Ledger> => {
    const ledger = await openTestLedger(fixture.dataDir, { network: given, problems });
    closing.push(ledger.close);
    return ledger;
  };
  const lie = (count: number): void => {
    for (const [at, liar] of liars.entries()) liar.answer(at < count ? forkWithHead(head - 2) : undefined);
  };
  const readCursor = async () => (await inspectIndex(dataPaths(fixture.dataDir).index, () => undefined)).cursor;
  const paths = () => dataPaths(fixture.dataDir);

  beforeEach(async () => {
    problems = [];
    node = await startNode(QUICK_NODE);
    liars = await Promise.all([1, 2, 3].map(() => createLyingProxy(node.url)));
    fixture = await openNetworkFixture(node, network());
    closing.push(node.kill, ...liars.map(({ close }) => close), fixture.close);
    asset = await fixture.alpha.createAsset();
    for (const note of ['one', 'two', 'three']) await fixture.alpha.record(asset, note);
    head = (await fixture.ledger.chain.fetchFinalHead()).number;
  });
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  it('is refused at a start by what any part of the directory knows, and nothing is changed', async () => {
    const { log } = await openLedgerLog(fixture.ledger, {});
    await log.advance();
    await fixture.stop();
    const before = await readCursor();
    expect(before?.blockNumber).to.equal(head);
    for (const lying of [2, 3]) {
      lie(lying);
      expect(await rejectionOf(open())).to.equal('CHAIN_REPLACED');
      expect(await readCursor()).to.deep.equal(before);
    }
    await flipBit((await filesIn(paths().index, '.log'))[0]!, 100);
    const damaged = await readFile((await filesIn(paths().index, '.log'))[0]!);
    expect(await rejectionOf(open())).to.equal('CHAIN_REPLACED');
    expect(await readFile((await filesIn(paths().index, '.log'))[0]!)).to.deep.equal(damaged);
    await rm(paths().index, { recursive: true });
    expect(await rejectionOf(open())).to.equal('CHAIN_REPLACED');
    await rm(paths().final);
    expect(await rejectionOf(open())).to.equal('CHAIN_REPLACED');
    expect(await readCursor()).to.equal(undefined);
    expect(existsSync(paths().final)).to.equal(false);
    lie(1);
    const ledger = await open();
    expect(ledger.store.readCursor()).to.deep.equal(before);
    expect(problems.filter((problem) => problem.includes('wiped'))).to.deep.equal([]);
  });

  it('is refused when only the outbox knows of a block that it lacks, unless the index is rebuilt', async () => {
    await fixture.stop();
    await rm(paths().index, { recursive: true });
    await rm(paths().final);
    await writeCommittedBlock(paths().outbox, head + 1);
    expect(await rejectionOf(open())).to.equal('CHAIN_UNAVAILABLE');
    const settings = { CHAIN_RPC_URL: liars.map(({ url }) => url).join(','), CHAIN_CONFIRMATIONS: '1' };
    const { code, stderr } = await runScript('rebuild.ts', fixture.dataDir, [], settings);
    expect(code, stderr).to.equal(0);
    const ledger = await open();
    expect(ledger.store.readCursor()!.blockNumber).to.equal(head);
  });

  it('is named in readyz and metrics while the server runs, which heals with the nodes', async () => {
    await fixture.stop();
    const ledger = await open();
    const find = createFindHealthIssues(
      () => readLedgerState(ledger),
      () => false,
    );
    const namesOf = async (): Promise<string[]> => (await find()).map(({ name }) => name);
    const metrics = createMetrics();
    metrics.watchLedger(() => readLedgerState(ledger));
    const readGauge = async (): Promise<boolean> =>
      (await metrics.registry.metrics()).includes('ledger_chain_replaced 1');
    lie(2);
    await node.request('anvil_mine', ['0x2']);
    await until(async () => (await namesOf()).includes('CHAIN_REPLACED'));
    expect(await readGauge()).to.equal(true);
    lie(0);
    await until(async () => (await namesOf()).length === 0);
    expect(await readGauge()).to.equal(false);
    expect(ledger.store.readCursor()!.blockNumber).to.be.at.least(head);
  });

  it('is accepted by a rebuild alone, which names the records that are gone and begins another log', async () => {
    const snapshot = await node.request('evm_snapshot', []);
    const lost = await fixture.alpha.createAsset();
    const { log } = await openLedgerLog(fixture.ledger, {});
    await log.advance();
    await fixture.stop();
    await node.request('evm_revert', [snapshot]);
    await node.request('anvil_mine', ['0x5']);
    expect(await rejectionOf(open())).to.equal('CHAIN_REPLACED');
    const settings = { CHAIN_RPC_URL: liars.map(({ url }) => url).join(','), CHAIN_CONFIRMATIONS: '1' };
    const { code, stderr } = await runScript('rebuild.ts', fixture.dataDir, [], settings);
    expect(code, stderr).to.equal(0);
    const uuid = lost.identity.slice('assets/'.length);
    const lines = stderr.split('\n').filter((line) => line.includes('is no longer on the chain'));
    expect(lines.some((line) => line.includes(uuid))).to.equal(true);
    expect(lines.some((line) => line.includes(asset.identity.slice('assets/'.length)))).to.equal(false);
    expect(stderr).to.include('index.replaced-1');
    expect([existsSync(`${paths().index}.replaced-1`), existsSync(`${paths().log}.replaced-1`)]).to.deep.equal([
      true,
      true,
    ]);
    const ledger = await open();
    const statusOf = async (identity: string) =>
      (await ledger.view.readAsset(fixture.alpha.identity, identity.slice('assets/'.length)))?.confirmation_status;
    expect([await statusOf(asset.identity), await statusOf(lost.identity)]).to.deep.equal(['CONFIRMED', undefined]);
    expect((await openLedgerLog(ledger, {})).previous).not.to.equal(undefined);
  });
});
