// A node that hangs, among others: neither the start nor requests wait for it longer than one timeout.
import { expect } from 'chai';
import type { Ledger } from '../../host/openLedger.ts';
import { deployOn, type TestNetwork, toNetwork } from '../support/chainKinds.ts';
import { type ExternalNode, QUICK_NODE, startNode } from '../support/externalNode.ts';
import { createFixtureTenant, type FixtureTenant } from '../support/fixtureTenant.ts';
import { createHangProxy, type HangProxy } from '../support/hangProxy.ts';
import { eventually } from '../support/networkFixture.ts';
import {
  createTemporaryDirectory,
  type ListeningServer,
  openTestLedger,
  serveTestLedger,
} from '../support/testLedger.ts';

const TIMEOUT_MS_MIN = 6_000;
/** How often the requests of a test fit into one timeout, on this machine. */
const WORK_IN_TIMEOUT = 8;
const RECORDS = 5;

const msOf = async (act: () => Promise<unknown>): Promise<number> => {
  const startMs = performance.now();
  await act();
  return performance.now() - startMs;
};

describe('a ledger on three nodes, one of which hangs', function () {
  // Timeouts are long on a busy machine.
  this.timeout(300_000);
  let timeoutMs = TIMEOUT_MS_MIN;
  let node: ExternalNode;
  let proxies: HangProxy[];
  let directory: Awaited<ReturnType<typeof createTemporaryDirectory>>;
  let ledger: Ledger;
  let server: ListeningServer;
  let alpha: FixtureTenant;
  let openedInMs: number;
  const setUp = async (): Promise<void> => {
    node = await startNode(QUICK_NODE);
    proxies = await Promise.all([0, 1, 2].map(() => createHangProxy(node.url)));
    directory = await createTemporaryDirectory();
    await deployOn(node, directory.path, toNetwork(node.url));
  };
  const tearDown = async (): Promise<void> => {
    for (const proxy of proxies) await proxy.close();
    await server.close();
    await ledger.close();
    await node.kill();
    await directory.remove();
  };
  before(async () => {
    await setUp();
    await open(1);
    await use();
    timeoutMs = Math.max(TIMEOUT_MS_MIN, WORK_IN_TIMEOUT * Math.ceil(await msOf(use)));
    await tearDown();
  });
  beforeEach(setUp);
  afterEach(tearDown);

  const open = async (agreeing: number): Promise<void> => {
    const urls = proxies.map(({ url }) => url);
    const network: TestNetwork = { ...toNetwork(...urls), agreeing, timeoutMs };
    openedInMs = await msOf(async () => {
      ledger = await openTestLedger(directory.path, { network });
    });
    server = await serveTestLedger(ledger, { nodeUrls: urls });
    alpha = await createFixtureTenant(ledger, server, 'alpha');
  };
  // Its last check failed, and a later one is due again and again.
  const use = async (): Promise<void> => {
    const asset = await alpha.createAsset();
    expect(asset.confirmation_status).to.equal('CONFIRMED');
    for (let at = 0; at < RECORDS; at += 1) {
      const { body } = await alpha.record(asset, String(at));
      expect(body.confirmation_status).to.equal('CONFIRMED');
      expect((await fetch(`${server.url}/readyz`)).status).to.equal(200);
    }
  };

  for (const agreeing of [1, 2]) {
    it(`starts and answers after one timeout at most, where ${agreeing} must agree`, async () => {
      proxies[0]!.hanging = 'all';
      await open(agreeing);
      expect(openedInMs).to.be.within(timeoutMs - 100, 2 * timeoutMs);
      expect(await msOf(use)).to.be.below(timeoutMs);
    });

    it(`is delayed by one timeout when a node begins to hang, where ${agreeing} must agree`, async () => {
      await open(agreeing);
      proxies[0]!.hanging = 'all';
      expect(await msOf(use)).to.be.below(2 * timeoutMs);
      expect(await msOf(use)).to.be.below(timeoutMs);
      proxies[0]!.hanging = 'none';
      await eventually('it is used again', () => ledger.chain.readNodes!().every(({ isLeft }) => !isLeft));
    });
  }

  it('prefers the others to a node that answers checks, and hangs in other requests', async () => {
    await open(1);
    proxies[0]!.hanging = ['eth_sendRawTransaction', 'eth_getBlockReceipts', 'eth_getTransactionReceipt'];
    expect(await msOf(use)).to.be.below(2 * timeoutMs);
    const { hung } = proxies[0]!;
    expect(hung).to.be.greaterThan(0);
    expect(await msOf(use)).to.be.below(timeoutMs);
    expect(proxies[0]!.hung).to.equal(hung);
  });
});
