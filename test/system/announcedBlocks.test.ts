// Servers that hear of new blocks by WebSocket: a real node announces them, on the port of its JSON-RPC.
import { expect } from 'chai';
import { createMetrics } from '../../host/watching/metrics.ts';
import { toNetwork } from '../support/chainKinds.ts';
import { type ExternalNode, QUICK_NODE, startNode } from '../support/externalNode.ts';
import { type HeadServer, startHeadServer } from '../support/headServer.ts';
import { type NetworkFixture, openNetworkFixture } from '../support/networkFixture.ts';
import { openSecondServer, type SecondServer } from '../support/secondServer.ts';
import { until } from '../support/until.ts';

/** No poll happens while the test runs. */
const NEVER_MS = 3_600_000;

describe('announced blocks', () => {
  let node: ExternalNode;
  let hostile: HeadServer;
  let fixture: NetworkFixture;
  let other: SecondServer;
  let isClosed = false;
  before(async () => {
    node = await startNode(QUICK_NODE);
    hostile = await startHeadServer();
    fixture = await openNetworkFixture(node, toNetwork(node.url));
    const network = { ...toNetwork(node.url), headUrls: [node.url.replace('http', 'ws'), hostile.url] };
    other = await openSecondServer(node, { ...network, pollMs: NEVER_MS }, fixture);
  });
  after(async () => {
    if (!isClosed) await other?.close();
    await fixture?.close();
    await hostile?.close();
    await node?.kill();
  });

  const listAssets = async (): Promise<string[]> => {
    const { body } = await other.alpha.get<{ assets: { identity: string }[] }>('assets?page_size=50');
    return body.assets.map(({ identity }) => identity);
  };
  const isListed = (identity: string): Promise<boolean> => listAssets().then((listed) => listed.includes(identity));

  it('are indexed without a poll, also when another server has written them', async () => {
    const { identity } = await fixture.alpha.createAsset();
    await until(() => isListed(identity));
    expect(other.problems).to.deep.equal([]);
  });

  it('end the wait for a transaction', async () => {
    const asset = await other.alpha.createAsset();
    const { body } = await other.alpha.record(asset, 'seen');
    expect(body.confirmation_status).to.equal('CONFIRMED');
  });

  it('that do not exist change nothing, and neither does the loss of their node', async () => {
    const { chain } = other.ledger;
    const head = await chain.fetchFinalHead();
    for (let sent = 0; sent < 50; sent += 1) hostile.announce();
    expect(await chain.fetchFinalHead()).to.deep.equal(head);
    const metrics = createMetrics();
    metrics.watchNodes(chain.readNodes!, chain.readSubscriptions);
    const lost = async (): Promise<boolean> =>
      (await metrics.registry.metrics()).includes('ledger_chain_subscriptions_lost 1');
    expect(await lost()).to.equal(false);
    hostile.isRefusing = true;
    for (const socket of hostile.sockets) socket.terminate();
    await until(lost);
    const { identity } = await fixture.alpha.createAsset();
    await until(() => isListed(identity));
    expect(other.problems.filter((line) => line.includes('announces no blocks'))).to.have.length(1);
    hostile.isRefusing = false;
    await until(async () => !(await lost()));
  });

  it('are polled where the announcing node answers nothing', async () => {
    hostile.onSubscribe = () => undefined;
    const network = { ...toNetwork(node.url), headUrls: [hostile.url] };
    const third = await openSecondServer(node, network, fixture);
    try {
      const asset = await third.alpha.createAsset();
      const { body } = await third.alpha.record(asset, 'seen');
      expect(body.confirmation_status).to.equal('CONFIRMED');
    } finally {
      await third.close();
    }
  });

  it('keep no connection after the stop of the server', async () => {
    await other.close();
    isClosed = true;
    await until(() => hostile.sockets.size === 0);
  });
});
