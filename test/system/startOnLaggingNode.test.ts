// A start of a ledger whose node is behind what the directory knows of the chain.
import { rm } from 'node:fs/promises';
import { expect } from 'chai';
import { dataPaths } from '../../host/files/dataPaths.ts';
import { openIndexedChain } from '../../host/indexedChain.ts';
import type { Ledger } from '../../host/openLedger.ts';
import { LEDGER_LIMITS } from '../../host/settings/installationLimits.ts';
import { toNetwork } from '../support/chainKinds.ts';
import { QUICK_NODE, startNode } from '../support/externalNode.ts';
import { createLagProxy, type LagProxy } from '../support/lagProxy.ts';
import { type NetworkFixture, openNetworkFixture } from '../support/networkFixture.ts';
import { rejectionOf } from '../support/refusals.ts';
import { openTestLedger, TEST_CHAIN_ID } from '../support/testLedger.ts';

describe('a start on a node that is behind', () => {
  const closing: (() => Promise<unknown>)[] = [];
  let proxy: LagProxy;
  let fixture: NetworkFixture;
  let head: number;
  beforeEach(async () => {
    const node = await startNode(QUICK_NODE);
    proxy = await createLagProxy(node.url);
    fixture = await openNetworkFixture(node, toNetwork(proxy.url));
    closing.push(node.kill, proxy.close, fixture.close);
    await fixture.alpha.createAsset();
    head = (await fixture.ledger.chain.fetchFinalHead()).number;
    await fixture.stop();
  });
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });
  const openAgain = (): Promise<Ledger> =>
    openTestLedger(fixture.dataDir, { network: toNetwork(proxy.url), problems: fixture.problems });

  it('is refused when the index has a block that the node lacks, and wipes nothing', async () => {
    proxy.newest = head - 1;
    expect(await rejectionOf(openAgain())).to.equal('CHAIN_UNAVAILABLE');
    expect(fixture.problems.filter((problem) => problem.includes('wiped'))).to.deep.equal([]);
  });

  it('is refused without an index until the node has all records that left the outbox', async () => {
    await rm(dataPaths(fixture.dataDir).index, { recursive: true });
    proxy.newest = head - 1;
    expect(await rejectionOf(openAgain())).to.equal('CHAIN_UNAVAILABLE');
    proxy.newest = undefined;
    const ledger = await openAgain();
    closing.push(ledger.close);
    expect(ledger.store.readCursor()?.blockNumber).to.equal(head);
  });

  it('succeeds after a rebuild, which uses the chain as it is', async () => {
    proxy.newest = head - 1;
    const rebuilt = await openIndexedChain(
      {
        dataDir: fixture.dataDir,
        chainId: TEST_CHAIN_ID,
        network: toNetwork(proxy.url),
        publicExecution: undefined,
        limits: LEDGER_LIMITS,
        now: Date.now,
        onStep: () => undefined,
        onProblem: (message) => fixture.problems.push(message),
      },
      { rebuilds: true },
    );
    await rebuilt.close();
    const ledger = await openAgain();
    closing.push(ledger.close);
    expect(ledger.store.readCursor()?.blockNumber).to.equal(head - 1);
  });
});
