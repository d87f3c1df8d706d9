// A network that stops making blocks: how it is reported, and the writes that are accepted meanwhile.
import { expect } from 'chai';
import type { AssetResource } from '../../ledger/assets/assetResource.ts';
import type { EventResource } from '../../ledger/records/event.ts';
import type { components } from '../../server/openapi/api.gen.ts';
import { toNetwork } from '../support/chainKinds.ts';
import { type ExternalNode, QUICK_NODE, skipWithoutAnvil, startNode } from '../support/externalNode.ts';
import { type NetworkFixture, openNetworkFixture } from '../support/networkFixture.ts';
import { until } from '../support/until.ts';

type Report = components['schemas']['NodeReport'];

interface Readiness {
  readonly status: string;
  readonly troubles: readonly Readonly<Record<string, unknown>>[];
  readonly chain_head: components['schemas']['ChainHead'];
}

const NOTICE = 'ledger-notice';
const DAY_MS = 86_400_000;

describe('a network that stalls', () => {
  let node: ExternalNode;
  let fixture: NetworkFixture;
  let laterMs: number;
  beforeEach(async () => {
    laterMs = 0;
    node = await startNode(QUICK_NODE);
  });
  afterEach(async () => {
    await fixture?.close();
    await node.kill();
  });

  const open = async (promisesBlocks?: boolean): Promise<void> => {
    const network = { ...toNetwork(node.url), promisesBlocks };
    fixture = await openNetworkFixture(node, network, { commitWaitMs: 300 }, () => Date.now() + laterMs);
  };
  const stall = async (): Promise<void> => {
    await node.request('evm_setAutomine', [false]);
    await node.mineEvery(0);
  };
  const isStalled = (): boolean => fixture.ledger.chain.readProgress!().stall !== undefined;
  const readiness = async (): Promise<Readiness> => {
    const response = await fetch(`${fixture.url}/readyz`);
    expect(response.status).to.equal(200);
    return (await response.json()) as Readiness;
  };
  const report = async (): Promise<Report> => (await fixture.alpha.get<Report>('../v1/node')).body;
  const lines = (): string[] => fixture.problems.filter((line) => line.startsWith('CHAIN_STALLED'));
  const confirm = (event: EventResource) =>
    until(async () => {
      const { body } = await fixture.alpha.get<EventResource>(event.identity);
      return body.confirmation_status === 'CONFIRMED';
    });

  it('is reported while promised blocks are missing, and writes are PENDING and say so', async function () {
    // Hardhat's blocks are seconds ahead of the clock after many at once.
    skipWithoutAnvil(this);
    await node.mineEvery(1);
    await open(true);
    const asset: AssetResource = await fixture.alpha.createAsset();
    expect(await readiness()).to.deep.include({ status: 'ready', troubles: [] });
    await stall();
    await until(isStalled);
    const height = String(Number(await node.request('eth_blockNumber', [])));
    const { status, troubles, chain_head: head } = await readiness();
    expect([status, troubles.length, head.block_height]).to.eql(['stalled', 1, height]);
    expect(head.age_seconds).to.be.greaterThan(2);
    expect(troubles[0]).to.include({ name: 'CHAIN_STALLED', block_height: height, since: head.timestamp_committed });
    const { chain_head: reported, chain_stalled: stalled } = await report();
    expect(reported).to.include({ block_height: height, timestamp_committed: head.timestamp_committed });
    expect(stalled).to.include({ code: 'CHAIN_STALLED', since: head.timestamp_committed, block_height: height });
    const { status: accepted, body: event, headers } = await fixture.alpha.record(asset, 'during the stall');
    expect([accepted, event.confirmation_status, headers.get(NOTICE)]).to.eql([200, 'PENDING', 'CHAIN_STALLED']);
    expect((await fixture.alpha.get(asset.identity)).headers.get(NOTICE)).to.equal(null);
    expect(lines()).to.have.length(1);
    await node.mineEvery(1);
    await until(() => !isStalled());
    expect(await readiness()).to.deep.include({ status: 'ready', troubles: [] });
    expect((await report()).chain_stalled).to.equal(null);
    expect((await fixture.alpha.record(asset, 'after it')).headers.get(NOTICE)).to.equal(null);
    await confirm(event);
    expect(lines()).to.have.length(2);
  });

  it('is reported on a chain that makes blocks on demand only while a transaction waits', async () => {
    await open();
    const asset: AssetResource = await fixture.alpha.createAsset();
    laterMs = DAY_MS;
    await until(async () => {
      const { status, chain_head: head } = await readiness();
      expect(status).to.equal('ready');
      return head.age_seconds >= DAY_MS / 1_000;
    });
    await fixture.alpha.record(asset, 'a day later');
    expect(isStalled()).to.equal(false);
    await stall();
    const { body: event, headers } = await fixture.alpha.record(asset, 'not mined');
    expect([event.confirmation_status, headers.get(NOTICE)]).to.eql(['PENDING', null]);
    // Slowly enough that it doesn't look like a time without answers.
    await until(() => {
      laterMs += 200;
      return isStalled();
    });
    expect((await readiness()).status).to.equal('stalled');
    await node.request('evm_setAutomine', [true]);
    await node.request('evm_mine', []);
    await confirm(event);
    await until(() => !isStalled());
    expect(lines()).to.have.length(2);
  });

  it('is not reported while no node answers, which proves nothing about the chain', async () => {
    await node.mineEvery(1);
    await open(true);
    await fixture.alpha.createAsset();
    node.freeze();
    laterMs = DAY_MS;
    await until(() => fixture.ledger.chain.readNodes!().every(({ isLeft }) => isLeft));
    expect(isStalled()).to.equal(false);
    node.thaw();
    const { number } = fixture.ledger.chain.readProgress!().head!;
    await until(() => fixture.ledger.chain.readProgress!().head!.number > number);
    expect(lines()).to.eql([]);
  });
});
