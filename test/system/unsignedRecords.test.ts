// A chain whose hashes are right, with a record that the tenant never signed: its author's key is on this server, which
// shows nothing of it. What others do with the tenant's own signatures doesn't stop the index.
import { expect } from 'chai';
import { concat } from 'ethers';
import { ledgerInterface } from '../../chain/ledgerAbi.ts';
import { encodeTransaction } from '../../chain/network/encodeTransaction.ts';
import type { Ledger } from '../../host/openLedger.ts';
import { createFindHealthIssues, readLedgerState } from '../../host/watching/ledgerState.ts';
import { createMetrics } from '../../host/watching/metrics.ts';
import type { AssetResource } from '../../ledger/assets/assetResource.ts';
import { advanceHead, toDomainSeparator, toRecordDigest } from '../../ledger/encoding/digest.ts';
import { fromHex, type Hex, toHex } from '../../ledger/encoding/hex.ts';
import { toKey } from '../../ledger/identity.ts';
import { encodePayload } from '../../ledger/records/record.ts';
import { toNetwork } from '../support/chainKinds.ts';
import { type ExternalNode, startNode } from '../support/externalNode.ts';
import { type NetworkFixture, openNetworkFixture } from '../support/networkFixture.ts';
import { anEvent } from '../support/records.ts';
import { runScript } from '../support/runScript.ts';
import { openTestLedger } from '../support/testLedger.ts';
import { until } from '../support/until.ts';

interface Sent {
  readonly hash: Hex;
  readonly input: Hex;
}

// Code that emits a log of the four topics and the data that it is called with.
const LOGGING_CODE = '0x60803603806080600037606035604035602035600035846000a400';

// A contract whose creation calls the ledger with these arguments; the selector of the function is put before them byte
// by byte, so that the transaction's data doesn't have the call.
const toRelayingCreation = (ledger: Hex, call: Uint8Array): Hex => {
  const word = (value: number): string => value.toString(16).padStart(8, '0');
  const size = call.length - 4;
  const selector = [...call.subarray(0, 4)].map(
    (byte, at) => `60${Buffer.of(byte).toString('hex')}60${Buffer.of(at).toString('hex')}53`,
  );
  // CODECOPY of the arguments behind the selector, then CALL and STOP. The code before them has 72 bytes.
  const code = [
    ...selector,
    `63${word(size)}63${word(72)}6004`,
    '39',
    `6000600063${word(call.length)}60006000`,
    `73${ledger.slice(2)}5af100`,
  ].join('');
  const padded = code.padEnd(72 * 2, '00');
  expect(padded).to.have.length(72 * 2);
  return `0x${padded}${Buffer.from(call.subarray(4)).toString('hex')}`;
};

describe('a record that its author never signed', () => {
  const closing: (() => Promise<unknown>)[] = [];
  let node: ExternalNode;
  let fixture: NetworkFixture;
  let asset: AssetResource;
  let author: Hex;

  const open = async (): Promise<Ledger> => {
    const ledger = await openTestLedger(fixture.dataDir, { network: toNetwork(node.url), problems: [] });
    closing.push(ledger.close);
    return ledger;
  };
  const toEvent = () => anEvent({ identity: `${asset.identity}/events/00000000-0000-4000-8000-00000000f00d` });
  // The log that the contract would emit for the event.
  const toLog = async (): Promise<Hex> => {
    const { contract, chain } = fixture.ledger;
    const event = toEvent();
    const [tenantKey, streamKey, recordKey] = [fixture.alpha.identity, asset.identity, event.identity].map(toKey);
    const payload = encodePayload(event);
    const { number } = await chain.fetchFinalHead();
    const records = await chain.fetchRecordLogs({ address: contract, fromBlock: 1, toBlock: number });
    const before = records.findLast((log) => log.streamKey === toHex(streamKey!))!;
    const domain = toDomainSeparator({ chainId: chain.chainId, contract: fromHex(contract) });
    const content = { tenantKey: tenantKey!, streamKey: streamKey!, recordKey: recordKey!, payload };
    const digest = toRecordDigest(domain, { ...content, author: fromHex(author) });
    const head = advanceHead(fromHex(before.head), digest);
    const keys = [tenantKey, streamKey, recordKey];
    const { topics, data } = ledgerInterface.encodeEventLog('RecordAppended', [
      ...keys,
      author,
      before.sequence + 1,
      digest,
      head,
      payload,
    ]);
    return concat([...(topics as Hex[]), data]) as Hex;
  };
  // On this chain the contract gets other code for one block.
  const forge = async (): Promise<number> => {
    const to = fixture.ledger.contract;
    const code = await node.request('eth_getCode', [to, 'latest']);
    const data = await toLog();
    await node.request('hardhat_setCode', [to, LOGGING_CODE]);
    const [from] = (await node.request('eth_accounts', [])) as Hex[];
    const hash = await node.request('eth_sendTransaction', [{ from, to, data }]);
    await node.request('hardhat_setCode', [to, code]);
    const receipt = (await node.request('eth_getTransactionReceipt', [hash])) as Sent & { blockNumber: Hex };
    return Number(receipt.blockNumber);
  };
  const readEvent = (ledger: Ledger) => {
    const [assetUuid, eventUuid] = toEvent()
      .identity.split('/')
      .filter((_, at) => at % 2 === 1);
    return ledger.view.readEvent(fixture.alpha.identity, assetUuid!, eventUuid!);
  };
  const namesOf = async (ledger: Ledger): Promise<readonly [string, boolean | undefined][]> => {
    const find = createFindHealthIssues(
      () => readLedgerState(ledger),
      () => false,
    );
    return (await find()).map(({ name, isNotice }) => [name, isNotice]);
  };
  const NAMED = [['AUTHOR_UNPROVED', true]];
  const isNamed = async (ledger: Ledger): Promise<boolean> =>
    (await namesOf(ledger)).some(([name]) => name === 'AUTHOR_UNPROVED');
  const readGauge = async (ledger: Ledger): Promise<string | undefined> => {
    const metrics = createMetrics();
    metrics.watchLedger(() => readLedgerState(ledger));
    return /ledger_author_unproved (\d)/.exec(await metrics.registry.metrics())?.[1];
  };

  beforeEach(async () => {
    node = await startNode('hardhat');
    fixture = await openNetworkFixture(node, toNetwork(node.url));
    closing.push(node.kill, fixture.close);
    asset = await fixture.alpha.createAsset();
    author = asset.owner.toLowerCase() as Hex;
  });
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  it('is not shown while the server runs, after a restart, or by a rebuild, and is named', async () => {
    const { ledger, alpha } = fixture;
    const block = await forge();
    await until(() => isNamed(ledger));
    expect(await namesOf(ledger)).to.deep.equal(NAMED);
    expect(await readGauge(ledger)).to.equal('1');
    expect(ledger.store.readCursor()!.blockNumber).to.equal(block - 1);
    expect(await readEvent(ledger)).to.equal(undefined);
    const { status } = await alpha.get(toEvent().identity);
    expect(status).to.equal(404);
    await fixture.stop();
    const again = await open();
    expect(await namesOf(again)).to.deep.equal(NAMED);
    expect(await readEvent(again)).to.equal(undefined);
    expect((await again.view.readAsset(alpha.identity, asset.identity.slice('assets/'.length)))?.owner).to.equal(
      asset.owner,
    );
    await again.close();
    const settings = { CHAIN_RPC_URL: node.url, CHAIN_CONFIRMATIONS: '1' };
    const { code, stderr } = await runScript('rebuild.ts', fixture.dataDir, [], settings);
    expect(code).not.to.equal(0);
    expect(stderr).to.include(`block ${block} has a record of ${author}`);
  });

  // The server's own transaction, before it is mined.
  const holdBatch = async (): Promise<{ readonly sent: Sent; readonly recording: Promise<unknown> }> => {
    await node.request('evm_setAutomine', [false]);
    const recording = fixture.alpha.record(asset, 'signed');
    const fetchWaiting = async (): Promise<Sent[]> =>
      ((await node.request('eth_getBlockByNumber', ['pending', true])) as { transactions: Sent[] }).transactions;
    await until(async () => (await fetchWaiting()).length > 0);
    return { sent: (await fetchWaiting())[0]!, recording };
  };
  // Another account's transaction with a higher bid is mined alone, before the server's.
  const overtake = async (data: Hex, sent: Sent): Promise<void> => {
    const raw = toHex(encodeTransaction(sent)!);
    await node.request('hardhat_dropTransaction', [sent.hash]);
    const [from] = (await node.request('eth_accounts', [])) as Hex[];
    const hash = await node.request('eth_sendTransaction', [{ from, data, gas: '0x5b8d80' }]);
    await node.request('evm_mine', []);
    const receipt = (await node.request('eth_getTransactionReceipt', [hash])) as { logs: unknown[] };
    expect(receipt.logs).to.have.length(1);
    await node.request('eth_sendRawTransaction', [raw]);
  };

  it('is another one than a record that another account has passed on through a contract, which is shown at once', async () => {
    const { sent, recording } = await holdBatch();
    const call = fromHex(sent.input);
    const open = toRelayingCreation(fixture.ledger.contract, call);
    // The same with the whole call as its last bytes, too.
    await overtake(`${open}${sent.input.slice(2)}`, sent);
    await until(
      async () =>
        fixture.ledger.store.readCursor()!.blockNumber === (await fixture.ledger.chain.fetchFinalHead()).number,
    );
    expect(await isNamed(fixture.ledger)).to.equal(false);
    await node.request('evm_setAutomine', [true]);
    await recording;
  });

  it('is another one than a record whose signature only a later transaction shows: the index waits for it', async () => {
    const { sent, recording } = await holdBatch();
    await overtake(toRelayingCreation(fixture.ledger.contract, fromHex(sent.input)), sent);
    const { number } = await fixture.ledger.chain.fetchFinalHead();
    await until(() => isNamed(fixture.ledger));
    expect(fixture.ledger.store.readCursor()!.blockNumber).to.equal(number - 1);
    await node.request('evm_mine', []);
    await node.request('evm_setAutomine', [true]);
    const { body } = (await recording) as { body: { identity: string } };
    await until(async () => !(await isNamed(fixture.ledger)));
    expect(await fixture.alpha.get(body.identity)).to.deep.include({ status: 200 });
    await fixture.stop();
    const again = await open();
    expect(await namesOf(again)).to.deep.equal([]);
    await again.close();
    const settings = { CHAIN_RPC_URL: node.url, CHAIN_CONFIRMATIONS: '1' };
    expect((await runScript('rebuild.ts', fixture.dataDir, [], settings)).code).to.equal(0);
  });
});
