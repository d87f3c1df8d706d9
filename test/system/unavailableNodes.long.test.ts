// Failures of a third party's node: it crashes, hangs, falls behind, replaces blocks, and requires payment.
import { expect } from 'chai';
import type { Ledger } from '../../host/openLedger.ts';
import type { AssetResource } from '../../ledger/assets/assetResource.ts';
import { toHex } from '../../ledger/encoding/hex.ts';
import { toKey } from '../../ledger/identity.ts';
import type { EventResource } from '../../ledger/records/event.ts';
import { toNetwork } from '../support/chainKinds.ts';
import { type ExternalNode, QUICK_NODE, setBalance, skipWithoutAnvil, startNode } from '../support/externalNode.ts';
import { createLagProxy, type LagProxy } from '../support/lagProxy.ts';
import { type NetworkFixture, openNetworkFixture } from '../support/networkFixture.ts';
import { aCreation, anEvent, eventOf, uuidOf } from '../support/records.ts';
import { rejectionOf } from '../support/refusals.ts';
import { createTemporaryDirectory, openTestLedger } from '../support/testLedger.ts';
import { until } from '../support/until.ts';

const SOON = { commitWaitMs: 100 };
/** Short, so that a node that hangs is noticed soon. */
const TIMEOUT_MS = 1_000;
/** What is reported of a node that hangs: it depends on whether a transaction is being sent or was sent before. */
const UNREACHABLE = /records wait for the chain|transactions can't be looked up now/;

interface ProblemDetails {
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
  const open = async (...args: Parameters<typeof openNetworkFixture>) => later(await openNetworkFixture(...args));

  const statusOf = async ({ alpha }: NetworkFixture, { identity }: EventResource | AssetResource): Promise<string> =>
    (await alpha.get<EventResource | AssetResource>(identity)).body.confirmation_status;
  const untilConfirmed = (fixture: NetworkFixture, created: EventResource | AssetResource): Promise<void> =>
    until(async () => (await statusOf(fixture, created)) === 'CONFIRMED');
  const codeOf = ({ body }: { body: unknown }): string | undefined => (body as ProblemDetails).details?.[0]?.error;
  const mine = async (node: ExternalNode, blocks: number): Promise<void> => {
    for (let mined = 0; mined < blocks; mined += 1) await node.request('evm_mine', []);
  };

  // Number of occurrences of each event on the chain, in chain order.
  const onChain = async ({ ledger }: NetworkFixture, events: readonly EventResource[]): Promise<number[]> => {
    const { number: toBlock } = await ledger.chain.fetchFinalHead();
    const logs = await ledger.chain.fetchRecordLogs({ address: ledger.contract, fromBlock: 0, toBlock });
    const keys = events.map(({ identity }) => toHex(toKey(identity)));
    return logs.map(({ recordKey }) => keys.indexOf(recordKey)).filter((at) => at >= 0);
  };

  const refusalOf = async (fixture: NetworkFixture, asset: AssetResource, code: string): Promise<EventResource[]> => {
    const accepted: EventResource[] = [];
    await until(
      async () => {
        const answer = await fixture.alpha.record(asset, 'while something is wrong');
        if (answer.status === 200) accepted.push(answer.body);
        return answer.status === 503 && codeOf(answer) === code;
      },
      () => `writes are refused with ${code}`,
    );
    return accepted;
  };

  for (const kind of new Set([QUICK_NODE, 'hardhat'] as const)) {
    it(`that was killed and restarted (${kind}) detects the other chain and stops writing`, async () => {
      const node = await startNode(kind);
      const fixture = await open(node, toNetwork(node.url), SOON);
      const asset = await fixture.alpha.createAsset({ a: '1' });
      await node.kill();
      const restarted = await startNode(kind, { port: node.port });
      closing.push(restarted.kill);
      await refusalOf(fixture, asset, 'CHAIN_MISMATCH');
      expect(Number(await restarted.request('eth_blockNumber', []))).to.equal(0);
      expect(fixture.problems.some((problem) => problem.includes(node.url))).to.equal(true);
      expect((await fixture.alpha.get<AssetResource>(asset.identity)).body.attributes).to.deep.equal({ a: '1' });
      await fixture.stop();
      expect(await rejectionOf(openTestLedger(fixture.dataDir, { network: toNetwork(node.url) }))).to.equal(
        'CHAIN_MISMATCH',
      );
    });
  }

  it('that hangs under load until requests time out commits every record once when it resumes', async () => {
    const node = await start();
    const fixture = await open(node, { ...toNetwork(node.url), timeoutMs: TIMEOUT_MS }, SOON);
    const asset = await fixture.alpha.createAsset();
    const events: EventResource[] = [];
    let isWriting = true;
    const writers = Array.from({ length: 8 }, async () => {
      while (isWriting) events.push((await fixture.alpha.record(asset, 'under load')).body);
    });
    const stopWriting = async (): Promise<void> => {
      isWriting = false;
      await Promise.all(writers);
    };
    later({ close: stopWriting });
    const untilMore = (): Promise<void> => {
      const enough = events.length + writers.length;
      return until(() => events.length >= enough);
    };
    await untilMore();
    node.freeze();
    await until(() => fixture.problems.some((problem) => UNREACHABLE.test(problem)));
    await untilMore();
    node.thaw();
    await untilMore();
    await stopWriting();
    for (const event of events) await untilConfirmed(fixture, event);
    expect((await onChain(fixture, events)).sort((a, b) => a - b)).to.deep.equal(events.map((_, at) => at));
  });

  it('that answers with an older head reverts no record, and commits when it has caught up', async () => {
    const node = await start();
    const proxy = await proxyOf(node);
    const fixture = await open(node, toNetwork(proxy.url), SOON);
    const asset = await fixture.alpha.createAsset({ a: '1' });
    await untilConfirmed(fixture, asset);
    const head = await fixture.ledger.chain.fetchFinalHead();
    proxy.newest = head.number - 3;
    const { body: event } = await fixture.alpha.record(asset, 'mined unseen');
    expect(event.confirmation_status).to.equal('PENDING');
    expect(fixture.ledger.store.readCursor()?.blockNumber).to.equal(head.number);
    expect(await statusOf(fixture, asset)).to.equal('CONFIRMED');
    proxy.newest = undefined;
    await untilConfirmed(fixture, event);
    expect(await onChain(fixture, [event])).to.deep.equal([0]);
  });

  it('lists records as PENDING until they have the configured number of confirmations', async () => {
    const node = await start();
    const fixture = await open(node, toNetwork(node.url), SOON);
    await fixture.stop();
    const network = { ...toNetwork(node.url), confirmations: 3 };
    const ledger = later(await openTestLedger(fixture.dataDir, { network, limits: SOON }));
    const { identity } = fixture.alpha;
    const record = aCreation({ identity: eventOf(1, 0) });
    expect((await ledger.writer.append(identity, record)).confirmation_status).to.equal('PENDING');
    await mine(node, 1);
    expect(await fetchStatus(ledger, identity)).to.equal('PENDING');
    await mine(node, 1);
    await until(async () => (await fetchStatus(ledger, identity)) === 'CONFIRMED');
  });

  it('that replaces blocks above the final one keeps the same records in the same order', async () => {
    const node = await start();
    const fixture = await open(node, toNetwork(node.url), SOON);
    await fixture.stop();
    const network = { ...toNetwork(node.url), confirmations: 4 };
    const ledger = later(await openTestLedger(fixture.dataDir, { network, limits: SOON }));
    const { identity } = fixture.alpha;
    const records = [
      aCreation({ identity: eventOf(1, 0) }),
      ...[1, 2].map((n) => anEvent({ identity: eventOf(1, n) })),
    ];
    const snapshot = await node.request('evm_snapshot', []);
    for (const record of records) {
      expect((await ledger.writer.append(identity, record)).confirmation_status).to.equal('PENDING');
    }
    const keys = records.map((record) => toHex(toKey(record.identity)));
    await until(async () => {
      const found = JSON.stringify(await node.request('eth_getLogs', [{ address: ledger.contract, fromBlock: '0x0' }]));
      return keys.every((key) => found.includes(key.slice(2)));
    });
    // anvil loses a block when it mines one while it reverts, and no server can follow a chain with a gap.
    await node.request('evm_setAutomine', [false]);
    await node.request('evm_revert', [snapshot]);
    await until(async () => {
      await mine(node, 1);
      return (await fetchStatus(ledger, identity, 2)) === 'CONFIRMED';
    });
    const { number: toBlock } = await ledger.chain.fetchFinalHead();
    const logs = await ledger.chain.fetchRecordLogs({ address: ledger.contract, fromBlock: 0, toBlock });
    expect(logs.slice(-3).map(({ recordKey }) => recordKey)).to.deep.equal(keys);
    expect(logs.slice(-3).map(({ sequence }) => sequence)).to.deep.equal([1, 2, 3]);
  });

  it('that replaces a final block accepts no more records, and is refused at the next start', async () => {
    const node = await start();
    const fixture = await open(node, toNetwork(node.url), SOON);
    const kept = await fixture.alpha.createAsset();
    await untilConfirmed(fixture, kept);
    const snapshot = await node.request('evm_snapshot', []);
    const lost = await fixture.alpha.createAsset();
    await untilConfirmed(fixture, lost);
    await node.request('evm_revert', [snapshot]);
    await mine(node, 5);
    await refusalOf(fixture, kept, 'CHAIN_REPLACED');
    await fixture.stop();
    const reopening = openTestLedger(fixture.dataDir, { network: toNetwork(node.url) });
    expect(await rejectionOf(reopening)).to.equal('CHAIN_REPLACED');
  });

  it('switches from a node that is down or behind to another, and back', async () => {
    const node = await start();
    const first = await createLagProxy(node.url);
    const second = await proxyOf(node);
    const fixture = await open(node, toNetwork(first.url, second.url));
    const asset = await fixture.alpha.createAsset();
    const confirmed = async (note: string) => {
      const { body } = await fixture.alpha.record(asset, note);
      expect(body.confirmation_status, note).to.equal('CONFIRMED');
    };
    first.newest = 1;
    await confirmed('while the first is behind');
    first.newest = undefined;
    await first.close();
    await confirmed('while the first is down');
    const again = later(await createLagProxy(node.url, Number(new URL(first.url).port)));
    await until(() => fixture.problems.some((problem) => problem === `${first.url} is used`));
    const requested = second.requests;
    const requestedBefore = again.requests;
    await confirmed('when it is back');
    expect(again.requests - requestedBefore).to.be.greaterThan(second.requests - requested);
    expect((await onChain(fixture, [])).length).to.equal(0);
  });

  it('names and refuses a listed node of another chain, at the start and later', async () => {
    const node = await start();
    const other = await start();
    const fixture = await open(node, toNetwork(node.url));
    await fixture.stop();
    const both = toNetwork(node.url, other.url);
    const refusal = await openTestLedger(fixture.dataDir, { network: both }).catch((error: unknown) => error);
    expect(refusal).to.include({ code: 'CHAIN_MISMATCH' });
    expect((refusal as Error).message).to.contain(other.url);
    await other.kill();
    const { problems } = fixture;
    const ledger = later(await openTestLedger(fixture.dataDir, { network: both, problems }));
    const again = await startNode(QUICK_NODE, { port: other.port });
    closing.push(again.kill);
    const named = (): boolean => problems.some((problem) => problem.includes(`${other.url} is left`));
    await until(named);
    const record = aCreation({ identity: eventOf(1, 0) });
    expect((await ledger.writer.append(fixture.alpha.identity, record)).confirmation_status).to.equal('CONFIRMED');
    expect(Number(await again.request('eth_blockNumber', []))).to.equal(0);
  });

  it('with an empty account does not start, or accepts no more records until its account is funded', async () => {
    const node = await start();
    const fixture = await open(node, toNetwork(node.url), SOON);
    const asset = await fixture.alpha.createAsset();
    const { address } = fixture.ledger.relayer;
    await setBalance(node, address, 1n);
    const accepted = await refusalOf(fixture, asset, 'RELAYER_UNFUNDED');
    await setBalance(node, address);
    for (const event of accepted) await untilConfirmed(fixture, event);
    expect((await fixture.alpha.record(asset, 'paid')).status).to.equal(200);
    await fixture.stop();
    await setBalance(node, address, 1n);
    const opening = openTestLedger(fixture.dataDir, { network: toNetwork(node.url) });
    expect(await rejectionOf(opening)).to.equal('RELAYER_UNFUNDED');
  });

  it('raises the gas price of a transaction that no node mines', async function () {
    skipWithoutAnvil(this);
    const node = await start(['--no-mining']);
    await node.request('evm_setAutomine', [true]);
    const fixture = await open(node, toNetwork(node.url), SOON);
    const asset = await fixture.alpha.createAsset();
    await node.request('evm_setAutomine', [false]);
    const { body: event } = await fixture.alpha.record(asset, 'too cheap');
    let fee = 8n * 10n ** 9n;
    await until(async () => {
      fee = (fee * 9n) / 8n;
      if (fee < 40n * 10n ** 9n) await node.request('anvil_setNextBlockBaseFeePerGas', [`0x${fee.toString(16)}`]);
      await mine(node, 1);
      const mined = Number(await node.request('eth_blockNumber', []));
      await until(() => fixture.ledger.chain.readProgress!().head!.number >= mined);
      return (await statusOf(fixture, event)) === 'CONFIRMED';
    });
    expect(await onChain(fixture, [event])).to.deep.equal([0]);
  });

  it('refuses the data directory of an embedded chain on a network, and the reverse', async () => {
    const node = await start();
    const embedded = await createTemporaryDirectory();
    await (await openTestLedger(embedded.path)).close();
    const opening = openTestLedger(embedded.path, { network: toNetwork(node.url) });
    expect(await rejectionOf(opening)).to.equal('CHAIN_MISMATCH');
    const fixture = await open(node, toNetwork(node.url));
    await fixture.stop();
    expect(await rejectionOf(openTestLedger(fixture.dataDir))).to.equal('CHAIN_MISMATCH');
    await embedded.remove();
  });
});
