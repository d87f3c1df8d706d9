// A node that hangs, among others: neither the start nor requests wait for it longer than one timeout.
import { expect } from 'chai';
import type { Ledger } from '../../host/openLedger.ts';
import { deployOn, type TestNetwork, toNetwork } from '../support/chainKinds.ts';
import { type ExternalNode, QUICK_NODE, startNode } from '../support/externalNode.ts';
import { createFixtureTenant, type FixtureTenant } from '../support/fixtureTenant.ts';
import { createHangProxy, type HangProxy } from '../support/hangProxy.ts';
import { HELD_MS, useHeldTimeouts } from '../support/heldTimeouts.ts';
import {
  createTemporaryDirectory,
  type ListeningServer,
  openTestLedger,
  serveTestLedger,
} from '../support/testLedger.ts';
import { until } from '../support/until.ts';

const RECORDS = 5;
const SUBMISSION = ['eth_sendRawTransaction', 'eth_getBlockReceipts', 'eth_getTransactionReceipt'];

describe('a ledger on three nodes, one of which hangs', () => {
  // Whatever waits for a timeout waits until the test ends it.
  const timeouts = useHeldTimeouts();
  let node: ExternalNode;
  let proxies: HangProxy[];
  let directory: Awaited<ReturnType<typeof createTemporaryDirectory>>;
  let ledger: Ledger;
  let server: ListeningServer;
  let alpha: FixtureTenant;
  beforeEach(async () => {
    node = await startNode(QUICK_NODE);
    proxies = await Promise.all([0, 1, 2].map(() => createHangProxy(node.url)));
    directory = await createTemporaryDirectory();
    await deployOn(node, directory.path, toNetwork(node.url));
  });
  afterEach(async () => {
    for (const proxy of proxies) await proxy.close();
    await server.close();
    await ledger.close();
    await node.kill();
    await directory.remove();
  });

  const open = async (agreeing: number): Promise<void> => {
    const urls = proxies.map(({ url }) => url);
    const network: TestNetwork = { ...toNetwork(...urls), agreeing, timeoutMs: HELD_MS };
    ledger = await openTestLedger(directory.path, { network });
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

  // Lets the requests time out that hang when the first one does.
  const expireOnce = async (methods: 'all' | readonly string[] = 'all'): Promise<void> => {
    await until(() => proxies[0]!.hung > 0);
    timeouts.expire(proxies[0]!.url, methods);
  };

  for (const agreeing of [1, 2]) {
    it(`starts and answers after one timeout at most, where ${agreeing} must agree`, async () => {
      proxies[0]!.hanging = 'all';
      await Promise.all([open(agreeing), expireOnce()]);
      await use();
    });

    it(`is delayed by one timeout when a node begins to hang, where ${agreeing} must agree`, async () => {
      await open(agreeing);
      proxies[0]!.hanging = 'all';
      await Promise.all([use(), expireOnce()]);
      await use();
      proxies[0]!.hanging = 'none';
      timeouts.expire(proxies[0]!.url, 'all');
      await until(() => ledger.chain.readNodes!().every(({ isLeft }) => !isLeft));
    });
  }

  it('prefers the others to a node that answers checks, and hangs in other requests', async () => {
    await open(1);
    proxies[0]!.hanging = SUBMISSION;
    await Promise.all([use(), expireOnce(SUBMISSION)]);
    const { hung } = proxies[0]!;
    await use();
    expect(proxies[0]!.hung).to.equal(hung);
  });
});
