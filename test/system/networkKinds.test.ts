// Chains with other rules for fees and finality: free gas, no EIP-1559, the finalized tag, another server's embedded
// chain.
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { expect } from 'chai';
import { createRpcServer } from '../../chain/embedded/rpc/rpcServer.ts';
import type { Confirmations } from '../../chain/network/rpcNode.ts';
import { dataPaths } from '../../host/files/dataPaths.ts';
import { openKeyring } from '../../host/keyring.ts';
import { deployNetworkLedger } from '../../host/networkLedger.ts';
import { readConfig } from '../../host/settings/config.ts';
import { toNetwork as readNetworkOf } from '../../host/settings/networkSettings.ts';
import { createTenant } from '../../host/tenants.ts';
import { toNetwork } from '../support/chainKinds.ts';
import { findFreePort, QUICK_NODE, skipWithoutAnvil, startNode } from '../support/externalNode.ts';
import { openNetworkFixture } from '../support/networkFixture.ts';
import { aCreation, anEvent, eventOf, uuidOf } from '../support/records.ts';
import { rejectionOf } from '../support/refusals.ts';
import { createTemporaryDirectory, openTestLedger } from '../support/testLedger.ts';
import { until } from '../support/until.ts';

const FREE_GAS = ['--gas-price', '0', '--block-base-fee-per-gas', '0', '--disable-min-priority-fee'];

describe('a ledger on a chain', () => {
  it('before EIP-1559 pays a gas price', async function () {
    skipWithoutAnvil(this);
    const node = await startNode('anvil', { more: ['--hardfork', 'berlin'] });
    const fixture = await openNetworkFixture(node, toNetwork(node.url));
    const asset = await fixture.alpha.createAsset();
    expect(asset.confirmation_status).to.equal('CONFIRMED');
    const { body } = await fixture.alpha.record(asset, 'paid by price');
    const sent = (await node.request('eth_getTransactionByHash', [body.transaction_id])) as { type: string };
    expect(sent.type).to.equal('0x0');
    await fixture.close();
    await node.kill();
  });

  it('where gas is free needs no balance', async function () {
    skipWithoutAnvil(this);
    const node = await startNode('anvil', { more: FREE_GAS });
    const { path, remove } = await createTemporaryDirectory();
    const network = toNetwork(node.url);
    await deployNetworkLedger({ dataDir: path, network, now: Date.now, onProblem: () => undefined }, () => undefined);
    const ledger = await openTestLedger(path, { network });
    const { identity } = await createTenant(ledger, { name: 'alpha' }, Date.now());
    const { confirmation_status } = await ledger.writer.append(identity, aCreation({ identity: eventOf(1, 0) }));
    expect(confirmation_status).to.equal('CONFIRMED');
    expect(await node.request('eth_getBalance', [ledger.relayer.address, 'latest'])).to.equal('0x0');
    await ledger.close();
    await remove();
    await node.kill();
  });

  it('with the finalized tag commits the blocks that the tag includes', async function () {
    skipWithoutAnvil(this);
    const node = await startNode('anvil', { more: ['--slots-in-an-epoch', '1'] });
    const fixture = await openNetworkFixture(node, toNetwork(node.url));
    await fixture.stop();
    const network = { ...toNetwork(node.url), confirmations: 'finalized' as const };
    const ledger = await openTestLedger(fixture.dataDir, { network, limits: { commitWaitMs: 100 } });
    const tenant = fixture.alpha.identity;
    const record = aCreation({ identity: eventOf(1, 0) });
    expect((await ledger.writer.append(tenant, record)).confirmation_status).to.equal('PENDING');
    await node.request('evm_mine', []);
    await node.request('evm_mine', []);
    const fetchStatus = async () => (await ledger.view.readEvent(tenant, uuidOf(1), uuidOf(0)))?.confirmation_status;
    await until(async () => (await fetchStatus()) === 'CONFIRMED');
    await ledger.close();
    await fixture.close();
    await node.kill();
  });

  it("can be that of another server's embedded chain", async () => {
    const [carrier, guest] = [await createTemporaryDirectory(), await createTemporaryDirectory()];
    // For the server with the chain, every transaction of the other server is a third party's, which its operator must
    // allow.
    const publicExecution = { callGasMax: 2 ** 25, perMinuteMax: 2 ** 31, thirdPartyMax: 2 ** 31 };
    const carrying = await openTestLedger(carrier.path, { publicExecution });
    const answer = carrying.chain.answer!;
    const rpc = await createRpcServer({ answer, host: '127.0.0.1', port: 0, onError: console.error });
    const network = toNetwork(rpc.url);
    const options = { dataDir: guest.path, network, now: Date.now, onProblem: () => undefined };
    const deployed = await deployNetworkLedger(options, () => undefined);
    const again = await deployNetworkLedger(options, () => undefined);
    expect(again).to.deep.equal(deployed);
    const ledger = await openTestLedger(guest.path, { network });
    expect(ledger.contract).to.equal(deployed.address).and.not.equal(carrying.contract);
    const { identity } = await createTenant(ledger, { name: 'alpha' }, Date.now());
    const records = [aCreation({ identity: eventOf(1, 0) }), anEvent({ identity: eventOf(1, 1) })];
    for (const record of records) {
      expect((await ledger.writer.append(identity, record)).confirmation_status).to.equal('CONFIRMED');
    }
    await ledger.close();
    await rpc.close();
    await carrying.close();
    await guest.remove();
    await carrier.remove();
  });

  it('is not replaced by an embedded chain when network.json is missing', async () => {
    const { path, remove } = await createTemporaryDirectory();
    await (await openTestLedger(path)).close();
    await rm(dataPaths(path).chain, { recursive: true });
    expect(await rejectionOf(openTestLedger(path))).to.equal('CHAIN_MISMATCH');
    expect(existsSync(dataPaths(path).chain)).to.equal(false);
    await remove();
  });

  it('is configured by URLs and by the rule for final blocks', () => {
    const networkOf = (CHAIN_RPC_URL: string, CHAIN_CONFIRMATIONS?: string) =>
      readNetworkOf(readConfig({ CHAIN_RPC_URL, CHAIN_CONFIRMATIONS }));
    const settings = networkOf('http://one:8545, https://me:pw@two/key', 'finalized')!;
    expect(settings.urls).to.deep.equal(['http://one:8545/', 'https://me:pw@two/key']);
    expect(settings.confirmations satisfies Confirmations).to.equal('finalized');
    expect(networkOf('http://one')!.confirmations).to.equal(1);
    expect(networkOf('')).to.equal(undefined);
    const agreeingOf = (urls: string, CHAIN_AGREEING?: string): number | undefined =>
      readNetworkOf(readConfig({ CHAIN_RPC_URL: urls, CHAIN_AGREEING }))!.agreeing;
    expect(agreeingOf('http://one,http://two')).to.equal(undefined);
    expect(agreeingOf('http://one,http://two', '2')).to.equal(2);
    for (const agreeing of ['0', '3', 'all', '1.5']) {
      expect(() => agreeingOf('http://one,http://two', agreeing)).to.throw('CHAIN_AGREEING');
    }
    const validatorsOf = (CHAIN_VALIDATORS: string, CHAIN_AGREEING?: string) =>
      readNetworkOf(readConfig({ CHAIN_RPC_URL: 'http://one', CHAIN_VALIDATORS, CHAIN_AGREEING }))!.validators;
    const [one, two] = [`0x${'aB'.repeat(20)}`, `0x${'02'.repeat(20)}`];
    expect(validatorsOf(`${one}, ${two}`)).to.deep.equal([one.toLowerCase(), two]);
    expect(validatorsOf('')).to.equal(undefined);
    for (const validators of ['0x12', `${one},`, `${one},${one.toLowerCase()}`, Array(257).fill(two).join(',')])
      expect(() => validatorsOf(validators)).to.throw('CHAIN_VALIDATORS');
    expect(() => validatorsOf(one, '1')).to.throw('CHAIN_AGREEING has no effect with CHAIN_VALIDATORS');
    const headUrlsOf = (CHAIN_WS_URL: string) =>
      readNetworkOf(readConfig({ CHAIN_RPC_URL: 'http://one', CHAIN_WS_URL }))!.headUrls;
    expect(headUrlsOf('')).to.equal(undefined);
    expect(headUrlsOf('ws://one:8546, wss://me:pw@two/key')).to.deep.equal(['ws://one:8546/', 'wss://me:pw@two/key']);
    expect(() => readNetworkOf(readConfig({ CHAIN_WS_URL: 'ws://one' }))).to.throw('CHAIN_WS_URL');
    for (const url of ['one', 'ftp://one', 'http://one,,http://two']) {
      expect(() => networkOf(url)).to.throw('CHAIN_RPC_URL');
    }
    for (const confirmations of ['0', '-1', '1.5', 'latest', '1000000']) {
      expect(() => networkOf('http://one', confirmations)).to.throw('CHAIN_CONFIRMATIONS');
    }
  });

  it('is refused when its nodes do not answer or it lacks the ledger of the directory', async () => {
    const { path, remove } = await createTemporaryDirectory();
    const silent = toNetwork(`http://127.0.0.1:${await findFreePort()}`);
    const refusal = await openTestLedger(path, { network: silent }).catch((error: unknown) => error);
    expect(refusal).to.include({ code: 'CHAIN_UNAVAILABLE' });
    const node = await startNode(QUICK_NODE);
    await openKeyring(dataPaths(path).keys);
    const without = await openTestLedger(path, { network: toNetwork(node.url) }).catch((error: unknown) => error);
    expect((without as Error).message).to.contain('npm run deploy');
    expect(Number(await node.request('eth_blockNumber', []))).to.equal(0);
    await node.kill();
    await remove();
  });
});
