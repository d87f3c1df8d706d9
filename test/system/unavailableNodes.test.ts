// Failures of a third party's node: it crashes, hangs, falls behind, replaces blocks, and requires payment.
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import type { Ledger } from '../../host/openLedger.ts';
import type { AssetResource } from '../../ledger/assets/assetResource.ts';
import { toHex } from '../../ledger/encoding/hex.ts';
import { toKey } from '../../ledger/identity.ts';
import type { EventResource } from '../../ledger/records/event.ts';
import { toNetwork } from '../support/chainKinds.ts';
import { type ExternalNode, QUICK_NODE, setBalance, skipWithoutAnvil, startNode } from '../support/externalNode.ts';
import { createLagProxy, type LagProxy } from '../support/lagProxy.ts';
import { eventually, type NetworkSetting, openNetworkSetting } from '../support/networkSetting.ts';
import { aCreation, anEvent, eventOf, uuidOf } from '../support/records.ts';
import { rejectionOf } from '../support/refusals.ts';
import { createTemporaryDirectory, openTestLedger } from '../support/testLedger.ts';

const SOON = { commitWaitMs: 100 };

interface Problem {
  readonly details: readonly { readonly error: string }[];
}

const fetchStatus = async (ledger: Ledger, tenantIdentity: string, event = 0): Promise<string | undefined> =>
  (await ledger.view.readEvent(tenantIdentity, uuidOf(1), uuidOf(event)))?.confirmation_status;

describe('a ledger on a node', () => {
  const closing: (() => Promise<unknown>)[] = [];
  const later = <T extends { close(): Promise<unknown> }>(opened: T): T => {
    closing.push(opened.close);
    return opened;
  };
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  const start = async (more: readonly string[] = []): Promise<ExternalNode> => {
    const node = await startNode(QUICK_NODE, { more });
    closing.push(node.kill);
    return node;
  };
  const proxyOf = async (node: ExternalNode): Promise<LagProxy> => later(await createLagProxy(node.url));
  const open = async (...args: Parameters<typeof openNetworkSetting>) => later(await openNetworkSetting(...args));

  const statusOf = async ({ alpha }: NetworkSetting, { identity }: EventResource): Promise<string> =>
    (await alpha.get<EventResource>(identity)).body.confirmation_status;
  const untilConfirmed = (setting: NetworkSetting, event: EventResource): Promise<void> =>
    eventually(`${event.identity} is committed`, async () => (await statusOf(setting, event)) === 'CONFIRMED');
  const codeOf = ({ body }: { body: unknown }): string | undefined => (body as Problem).details?.[0]?.error;
  const mine = async (node: ExternalNode, blocks: number): Promise<void> => {
    for (let mined = 0; mined < blocks; mined += 1) await node.request('evm_mine', []);
  };

  // Number of occurrences of each event on the chain, in chain order.
  const onChain = async ({ ledger }: NetworkSetting, events: readonly EventResource[]): Promise<number[]> => {
    const { number: toBlock } = await ledger.chain.fetchFinalHead();
    const logs = await ledger.chain.fetchRecordLogs({ address: ledger.contract, fromBlock: 0, toBlock });
    const keys = events.map(({ identity }) => toHex(toKey(identity)));
    return logs.map(({ recordKey }) => keys.indexOf(recordKey)).filter((at) => at >= 0);
  };

  const refusalOf = async (setting: NetworkSetting, asset: AssetResource, code: string): Promise<EventResource[]> => {
    const accepted: EventResource[] = [];
    await eventually(`writes are refused with ${code}`, async () => {
      const answer = await setting.alpha.record(asset, 'while something is wrong');
      if (answer.status === 200) accepted.push(answer.body);
      return answer.status === 503 && codeOf(answer) === code;
    });
    return accepted;
  };

  for (const kind of new Set([QUICK_NODE, 'hardhat'] as const)) {
    it(`that was killed and restarted (${kind}) detects the other chain and stops writing`, async () => {
      const node = await startNode(kind);
      const setting = await open(node, toNetwork(node.url), SOON);
      const asset = await setting.alpha.createAsset({ a: '1' });
      await node.kill();
      const restarted = await startNode(kind, { port: node.port });
      closing.push(restarted.kill);
      await refusalOf(setting, asset, 'CHAIN_MISMATCH');
      expect(Number(await restarted.request('eth_blockNumber', []))).to.equal(0);
      expect(setting.problems.some((problem) => problem.includes(node.url))).to.equal(true);
      expect((await setting.alpha.get<AssetResource>(asset.identity)).body.attributes).to.deep.equal({ a: '1' });
      await setting.stop();
      expect(await rejectionOf(openTestLedger(setting.dataDir, { network: toNetwork(node.url) }))).to.equal(
        'CHAIN_MISMATCH',
      );
    });
  }

  it('that hangs for ten seconds under load commits every record once when it resumes', async () => {
    const node = await start();
    const setting = await open(node, toNetwork(node.url), SOON);
    const asset = await setting.alpha.createAsset();
    const events: EventResource[] = [];
    let isWriting = true;
    const writers = Array.from({ length: 8 }, async () => {
      while (isWriting) events.push((await setting.alpha.record(asset, 'under load')).body);
    });
    await sleep(200);
    node.freeze();
    await sleep(10_000);
    node.thaw();
    await sleep(200);
    isWriting = false;
    await Promise.all(writers);
    for (const event of events) await untilConfirmed(setting, event);
    expect((await onChain(setting, events)).sort((a, b) => a - b)).to.deep.equal(events.map((_, at) => at));
  });

  it('that answers with an older head reverts no record, and commits when it has caught up', async () => {
    const node = await start();
    const proxy = await proxyOf(node);
    const setting = await open(node, toNetwork(proxy.url), SOON);
    const asset = await setting.alpha.createAsset({ a: '1' });
    const head = await setting.ledger.chain.fetchFinalHead();
    proxy.newest = head.number - 3;
    const { body: event } = await setting.alpha.record(asset, 'mined unseen');
    expect(event.confirmation_status).to.equal('PENDING');
    expect(setting.ledger.store.readCursor()?.blockNumber).to.equal(head.number);
    expect((await setting.alpha.get<AssetResource>(asset.identity)).body.confirmation_status).to.equal('CONFIRMED');
    proxy.newest = undefined;
    await untilConfirmed(setting, event);
    expect(await onChain(setting, [event])).to.deep.equal([0]);
  });

  it('is not opened on a node that is behind the index', async () => {
    const node = await start();
    const proxy = await proxyOf(node);
    const setting = await open(node, toNetwork(proxy.url));
    await setting.alpha.createAsset();
    await setting.stop();
    proxy.newest = 4;
    const opening = openTestLedger(setting.dataDir, { network: toNetwork(proxy.url), problems: setting.problems });
    expect(await rejectionOf(opening)).to.equal('CHAIN_UNAVAILABLE');
    expect(setting.problems.filter((problem) => problem.includes('wiped'))).to.deep.equal([]);
  });

  it('lists records as PENDING until they have the configured number of confirmations', async () => {
    const node = await start();
    const setting = await open(node, toNetwork(node.url), SOON);
    await setting.stop();
    const network = { ...toNetwork(node.url), confirmations: 3 };
    const ledger = later(await openTestLedger(setting.dataDir, { network, limits: SOON }));
    const { identity } = setting.alpha;
    const record = aCreation({ identity: eventOf(1, 0) });
    expect((await ledger.writer.append(identity, record)).confirmation_status).to.equal('PENDING');
    await mine(node, 1);
    expect(await fetchStatus(ledger, identity)).to.equal('PENDING');
    await mine(node, 1);
    await eventually('it is committed', async () => (await fetchStatus(ledger, identity)) === 'CONFIRMED');
  });

  it('that replaces blocks above the final one keeps the same records in the same order', async () => {
    const node = await start();
    const setting = await open(node, toNetwork(node.url), SOON);
    await setting.stop();
    const network = { ...toNetwork(node.url), confirmations: 4 };
    const ledger = later(await openTestLedger(setting.dataDir, { network, limits: SOON }));
    const { identity } = setting.alpha;
    const records = [
      aCreation({ identity: eventOf(1, 0) }),
      ...[1, 2].map((n) => anEvent({ identity: eventOf(1, n) })),
    ];
    const snapshot = await node.request('evm_snapshot', []);
    for (const record of records) {
      expect((await ledger.writer.append(identity, record)).confirmation_status).to.equal('PENDING');
    }
    await node.request('evm_revert', [snapshot]);
    await eventually('they are mined again', async () => {
      await mine(node, 1);
      return (await fetchStatus(ledger, identity, 2)) === 'CONFIRMED';
    });
    const { number: toBlock } = await ledger.chain.fetchFinalHead();
    const logs = await ledger.chain.fetchRecordLogs({ address: ledger.contract, fromBlock: 0, toBlock });
    expect(logs.slice(-3).map(({ recordKey }) => recordKey)).to.deep.equal(
      records.map((record) => toHex(toKey(record.identity))),
    );
    expect(logs.slice(-3).map(({ sequence }) => sequence)).to.deep.equal([1, 2, 3]);
  });

  it('that replaces a final block accepts no more records, and is rebuilt with an alarm at the next start', async () => {
    const node = await start();
    const setting = await open(node, toNetwork(node.url), SOON);
    const kept = await setting.alpha.createAsset();
    const snapshot = await node.request('evm_snapshot', []);
    const lost = await setting.alpha.createAsset();
    expect(lost.confirmation_status).to.equal('CONFIRMED');
    await node.request('evm_revert', [snapshot]);
    await mine(node, 5);
    await refusalOf(setting, kept, 'CHAIN_MISMATCH');
    await setting.stop();
    const { problems } = setting;
    const ledger = later(await openTestLedger(setting.dataDir, { network: toNetwork(node.url), problems }));
    expect(problems.filter((problem) => problem.includes('wiped'))).to.have.length(1);
    const statusOfAsset = async ({ identity }: AssetResource) =>
      (await ledger.view.readAsset(setting.alpha.identity, identity.slice('assets/'.length)))?.confirmation_status;
    expect(await statusOfAsset(kept)).to.equal('CONFIRMED');
    expect(await statusOfAsset(lost)).to.equal(undefined);
  });

  it('switches from a node that is down or behind to another, and back', async () => {
    const node = await start();
    const first = await createLagProxy(node.url);
    const second = await proxyOf(node);
    const setting = await open(node, toNetwork(first.url, second.url));
    const asset = await setting.alpha.createAsset();
    const confirmed = async (note: string) => {
      const { body } = await setting.alpha.record(asset, note);
      expect(body.confirmation_status, note).to.equal('CONFIRMED');
    };
    first.newest = 1;
    await confirmed('while the first is behind');
    first.newest = undefined;
    await first.close();
    await confirmed('while the first is down');
    const again = later(await createLagProxy(node.url, Number(new URL(first.url).port)));
    await eventually('the first is used again', () =>
      setting.problems.some((problem) => problem === `${first.url} is used`),
    );
    const asked = second.requests;
    const askedFirst = again.requests;
    await confirmed('when it is back');
    expect(again.requests - askedFirst).to.be.greaterThan(second.requests - asked);
    expect((await onChain(setting, [])).length).to.equal(0);
  });

  it('names and refuses a listed node of another chain, at the start and later', async () => {
    const node = await start();
    const other = await start();
    const setting = await open(node, toNetwork(node.url));
    await setting.stop();
    const both = toNetwork(node.url, other.url);
    const refusal = await openTestLedger(setting.dataDir, { network: both }).catch((error: unknown) => error);
    expect(refusal).to.include({ code: 'CHAIN_MISMATCH' });
    expect((refusal as Error).message).to.contain(other.url);
    await other.kill();
    const { problems } = setting;
    const ledger = later(await openTestLedger(setting.dataDir, { network: both, problems }));
    const again = await startNode(QUICK_NODE, { port: other.port });
    closing.push(again.kill);
    const named = (): boolean => problems.some((problem) => problem.includes(`${other.url} is left`));
    await eventually('the other chain is named', named);
    const record = aCreation({ identity: eventOf(1, 0) });
    expect((await ledger.writer.append(setting.alpha.identity, record)).confirmation_status).to.equal('CONFIRMED');
    expect(Number(await again.request('eth_blockNumber', []))).to.equal(0);
  });

  it('with an empty account does not start, or accepts no more records until its account is funded', async () => {
    const node = await start();
    const setting = await open(node, toNetwork(node.url), SOON);
    const asset = await setting.alpha.createAsset();
    const { address } = setting.ledger.relayer;
    await setBalance(node, address, 1n);
    const accepted = await refusalOf(setting, asset, 'RELAYER_UNFUNDED');
    await setBalance(node, address);
    for (const event of accepted) await untilConfirmed(setting, event);
    expect((await setting.alpha.record(asset, 'paid')).status).to.equal(200);
    await setting.stop();
    await setBalance(node, address, 1n);
    const opening = openTestLedger(setting.dataDir, { network: toNetwork(node.url) });
    expect(await rejectionOf(opening)).to.equal('RELAYER_UNFUNDED');
  });

  it('raises the gas price of a transaction that no node mines', async function () {
    skipWithoutAnvil(this);
    const node = await start(['--no-mining']);
    await node.request('evm_setAutomine', [true]);
    const setting = await open(node, toNetwork(node.url), SOON);
    const asset = await setting.alpha.createAsset();
    await node.request('evm_setAutomine', [false]);
    const { body: event } = await setting.alpha.record(asset, 'too cheap');
    let fee = 8n * 10n ** 9n;
    await eventually('it is mined', async () => {
      fee = (fee * 9n) / 8n;
      if (fee < 40n * 10n ** 9n) await node.request('anvil_setNextBlockBaseFeePerGas', [`0x${fee.toString(16)}`]);
      await mine(node, 1);
      await sleep(60);
      return (await statusOf(setting, event)) === 'CONFIRMED';
    });
    expect(await onChain(setting, [event])).to.deep.equal([0]);
  });

  it('refuses the data directory of an embedded chain on a network, and the reverse', async () => {
    const node = await start();
    const embedded = await createTemporaryDirectory();
    await (await openTestLedger(embedded.path)).close();
    const opening = openTestLedger(embedded.path, { network: toNetwork(node.url) });
    expect(await rejectionOf(opening)).to.equal('CHAIN_MISMATCH');
    const setting = await open(node, toNetwork(node.url));
    await setting.stop();
    expect(await rejectionOf(openTestLedger(setting.dataDir))).to.equal('CHAIN_MISMATCH');
    await embedded.remove();
  });
});
