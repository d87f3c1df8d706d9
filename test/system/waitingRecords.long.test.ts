// Records that wait for a network: what the server reports, from their first submission until they are final.
import { expect } from 'chai';
import { readLedgerState } from '../../host/watching/ledgerState.ts';
import { createMetrics } from '../../host/watching/metrics.ts';
import type { AssetResource } from '../../ledger/assets/assetResource.ts';
import type { EventResource } from '../../ledger/records/event.ts';
import type { components } from '../../server/openapi/api.gen.ts';
import { type TestNetwork, toNetwork } from '../support/chainKinds.ts';
import { type ExternalNode, QUICK_NODE, setBalance, startNode } from '../support/externalNode.ts';
import { createHangProxy, type HangProxy } from '../support/hangProxy.ts';
import { createLagProxy } from '../support/lagProxy.ts';
import { type NetworkFixture, openNetworkFixture } from '../support/networkFixture.ts';
import { openTestLedger } from '../support/testLedger.ts';
import { until } from '../support/until.ts';

interface Readiness {
  readonly status: string;
  readonly troubles: readonly { readonly name: string; readonly reason: string; readonly since: string }[];
}

/** No shorter wait is a stall. */
const STALL_MS = 25_000;

describe('records that wait for a network', () => {
  const closing: (() => Promise<unknown>)[] = [];
  const later = <T extends { close(): Promise<unknown> }>(opened: T): T => {
    closing.push(opened.close);
    return opened;
  };
  let node: ExternalNode;
  let laterMs: number;
  beforeEach(async () => {
    laterMs = 0;
    node = await startNode(QUICK_NODE);
    closing.push(node.kill);
  });
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  const now = (): number => Date.now() + laterMs;
  const open = async (network: TestNetwork): Promise<NetworkFixture> =>
    later(await openNetworkFixture(node, network, { commitWaitMs: 300 }, now));
  const anAsset = async (fixture: NetworkFixture): Promise<AssetResource> => {
    const asset = await fixture.alpha.createAsset();
    await confirm(fixture, asset);
    return asset;
  };
  const proxyOf = async (): Promise<HangProxy> => later(await createHangProxy(node.url));
  const stallOf = ({ ledger }: Pick<NetworkFixture, 'ledger'>) => ledger.chain.readProgress!().stall;
  // The clock goes on slowly enough that it doesn't look like a time without answers.
  const untilStalled = (fixture: Pick<NetworkFixture, 'ledger'>) =>
    until(() => {
      laterMs += 200;
      return stallOf(fixture) !== undefined;
    });
  const readiness = async ({ url }: NetworkFixture, status: number): Promise<Readiness> => {
    const response = await fetch(`${url}/readyz`);
    expect(response.status).to.equal(status);
    return (await response.json()) as Readiness;
  };
  const linesOf = ({ problems }: NetworkFixture, text: string): string[] =>
    problems.filter((line) => line.includes(text));
  const confirm = ({ alpha }: NetworkFixture, { identity }: AssetResource | EventResource) =>
    until(async () => {
      const { body } = await alpha.get<EventResource>(identity);
      return body.confirmation_status === 'CONFIRMED';
    });

  it('are a stall when they are mined and never final', async () => {
    const behind = [later(await createLagProxy(node.url)), later(await createLagProxy(node.url))];
    const fixture = await open({
      ...toNetwork(node.url),
      urls: [node.url, ...behind.map(({ url }) => url)],
      agreeing: 2,
    });
    const asset = await anAsset(fixture);
    const { number } = await fixture.ledger.chain.fetchFinalHead();
    for (const proxy of behind) proxy.newest = number;
    // A node that is only a block or two behind may be asked first.
    for (let blocks = 0; blocks < 3; blocks += 1) await node.request('evm_mine', []);
    const beganMs = now();
    const { body: first } = await fixture.alpha.record(asset, 'mined, and not final');
    await untilStalled(fixture);
    const { sinceMs, blockNumber, reason } = stallOf(fixture)!;
    expect(sinceMs).to.be.within(beganMs, now() - STALL_MS);
    expect(blockNumber).to.equal(number + 4);
    expect(reason).to.contain('mined and not final').and.to.contain(`the newest final one ${number}`);
    await fixture.alpha.record(asset, 'another one doesn’t end it');
    expect((await readiness(fixture, 200)).status).to.equal('stalled');
    for (const proxy of behind) proxy.newest = undefined;
    await confirm(fixture, first);
    await until(() => stallOf(fixture) === undefined);
    expect(linesOf(fixture, 'CHAIN_STALLED')).to.have.length(2);
  });

  it('are a stall when the nodes refuse their transactions again and again', async () => {
    const proxy = await proxyOf();
    const fixture = await open(toNetwork(proxy.url));
    const asset = await anAsset(fixture);
    proxy.isFull = true;
    const { body: event } = await fixture.alpha.record(asset, 'refused');
    await untilStalled(fixture);
    expect(stallOf(fixture)!.reason).to.contain('attempts to send it have failed');
    expect(linesOf(fixture, 'records wait for the chain')).to.have.length(1);
    proxy.isFull = false;
    await confirm(fixture, event);
    await until(() => linesOf(fixture, 'takes records again').length === 1);
    expect(linesOf(fixture, 'CHAIN_STALLED')).to.have.length(2);
  });

  it('are still the same stall after a restart, which began before it', async () => {
    const fixture = await open(toNetwork(node.url));
    const asset = await anAsset(fixture);
    await node.request('evm_setAutomine', [false]);
    const { body: event } = await fixture.alpha.record(asset, 'not mined');
    await fixture.stop();
    laterMs += 600_000;
    const restartedLaterMs = laterMs;
    const options = { network: toNetwork(node.url), problems: fixture.problems, now };
    const ledger = later(await openTestLedger(fixture.dataDir, options));
    await until(() => {
      laterMs += 20;
      return stallOf({ ledger }) !== undefined;
    });
    expect(laterMs - restartedLaterMs).to.be.lessThan(STALL_MS);
    expect(stallOf({ ledger })!.sinceMs).to.equal(Date.parse(event.timestamp_accepted));
  });

  it('because nobody pays for them make the server unready, and are no stall of the chain', async () => {
    const fixture = await open(toNetwork(node.url));
    const asset = await anAsset(fixture);
    const { address } = fixture.ledger.relayer;
    await setBalance(node, address, 1n);
    const { body: event } = await fixture.alpha.record(asset, 'not paid');
    await until(() => fixture.ledger.writer.findObstacle() !== undefined);
    for (let looks = 0; looks < 100; looks += 1) {
      laterMs += 1_000;
      await fixture.ledger.chain.fetchFinalHead();
    }
    expect(stallOf(fixture)).to.equal(undefined);
    const { status, troubles } = await readiness(fixture, 503);
    expect([status, troubles.map(({ name }) => name)]).to.eql(['not ready', ['RELAYER_UNFUNDED']]);
    expect(troubles[0]!.reason).not.to.contain(address);
    await setBalance(node, address);
    await confirm(fixture, event);
    expect((await readiness(fixture, 200)).status).to.equal('ready');
  });

  it('while every node hangs cost two lines, and the last known block stays known', async () => {
    const proxy = await proxyOf();
    const fixture = await open(toNetwork(proxy.url));
    const assets: AssetResource[] = [];
    for (let count = 0; count < 8; count += 1) assets.push(await anAsset(fixture));
    const { number } = await fixture.ledger.chain.fetchFinalHead();
    const metrics = createMetrics();
    metrics.watchLedger(() => readLedgerState(fixture.ledger));
    proxy.hanging = 'all';
    const events = await Promise.all(assets.map((asset) => fixture.alpha.record(asset, 'while it hangs')));
    await until(() => linesOf(fixture, 'records wait for the chain').length > 0);
    const { body } = await fixture.alpha.get<components['schemas']['NodeReport']>('../v1/node');
    expect(body.blockchain_nodes[0]!.connection_status).to.equal('UNREACHABLE');
    expect(body.blockchain_nodes[0]!.last_known).to.include({ block_height: String(number) });
    expect(await metrics.registry.metrics()).to.contain(`\nledger_chain_height_blocks ${number}\n`);
    proxy.hanging = 'none';
    for (const event of events) await confirm(fixture, event.body);
    await until(() => linesOf(fixture, 'takes records again').length > 0);
    expect(linesOf(fixture, 'records wait for the chain')).to.have.length(1);
    expect(linesOf(fixture, 'takes records again')).to.have.length(1);
  });
});
