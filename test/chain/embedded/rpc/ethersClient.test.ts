import { expect } from 'chai';
import { Contract, ContractFactory, isCallException, JsonRpcProvider, type Log, Wallet } from 'ethers';
import type { EmbeddedChain } from '../../../../chain/embedded/embeddedChain.ts';
import type { RpcAnswer } from '../../../../chain/embedded/rpc/publicChain.ts';
import { createRpcServer, type RpcServer } from '../../../../chain/embedded/rpc/rpcServer.ts';
import { RECORD_APPENDED_TOPIC } from '../../../../chain/recordLog.ts';
import { until } from '../../../support/until.ts';
import { aRecord, CHAIN_ID, createChains, EMITTER_CODE, REVERTER_CODE, toEmitterCall } from '../fixtures.ts';

const ABI = ['function refuse() view', 'error Refused()'] as const;

describe('ethers over the RPC server', () => {
  const chains = createChains();
  let directory: string;
  let chain: EmbeddedChain;
  let server: RpcServer;
  let provider: JsonRpcProvider;
  const requested: string[] = [];

  const start = async (): Promise<void> => {
    chain = await chains.start(directory, { now: () => Date.now() });
    const onError = (error: unknown): never => {
      throw error;
    };
    const answer: RpcAnswer = (method, ...others) => {
      requested.push(method);
      return chain.answer(method, ...others);
    };
    server = await createRpcServer({ answer, host: '127.0.0.1', port: 0, onError });
    provider = new JsonRpcProvider(server.url, undefined, { pollingInterval: 20, cacheTimeout: -1 });
  };
  const stop = async (): Promise<void> => {
    // What ethers has queued goes out first: it doesn't catch that a request of its own is cancelled.
    await provider.removeAllListeners();
    await provider.send('eth_chainId', []);
    provider.destroy();
    await server.close();
    await chain.close();
  };

  beforeEach(async () => {
    directory = await chains.makeDirectory();
    await start();
  });
  afterEach(async () => {
    await stop();
    await chains.clean();
  });

  it('deploys and calls from a wallet without a balance, and finds everything after a restart', async () => {
    const wallet = Wallet.createRandom();
    const factory = new ContractFactory(ABI, REVERTER_CODE, wallet.connect(provider));
    const contract = await factory.deploy();
    await contract.waitForDeployment();
    const sent = await wallet.connect(provider).sendTransaction({ to: wallet.address });
    const receipt = await sent.wait();
    await stop();
    await start();
    expect(await provider.getTransactionReceipt(sent.hash)).to.deep.include({
      blockHash: receipt?.blockHash,
      status: 1,
    });
    expect(await provider.getCode(await contract.getAddress())).to.have.length.greaterThan(2);
    expect(await provider.getTransactionCount(wallet.address)).to.equal(2);
  });

  it('reads the network, blocks and logs', async () => {
    const wallet = Wallet.createRandom(provider);
    await (await wallet.sendTransaction({ to: wallet.address })).wait();
    const block = await provider.getBlock('latest');
    expect((await provider.getNetwork()).chainId).to.equal(BigInt(CHAIN_ID));
    expect(block).to.include({ number: 1, baseFeePerGas: 0n });
    expect(await provider.getLogs({ fromBlock: 0, toBlock: 'latest' })).to.deep.equal([]);
    expect(await provider.getBalance(wallet.address)).to.equal(0n);
  });

  it('decodes the custom error of a contract', async () => {
    const wallet = Wallet.createRandom(provider);
    const deployed = await new ContractFactory(ABI, REVERTER_CODE, wallet).deploy();
    await deployed.waitForDeployment();
    const contract = new Contract(deployed, ABI, provider);
    const error = await contract
      .getFunction('refuse')
      .staticCall()
      .catch((error: unknown) => error);
    expect(isCallException(error) && error.revert?.name).to.equal('Refused');
  });

  it('receives the logs of other clients by a filter, and uninstalls it', async () => {
    requested.length = 0;
    const wallet = Wallet.createRandom(provider);
    const emitter = await new ContractFactory([], EMITTER_CODE, wallet).deploy();
    await emitter.waitForDeployment();
    const heard = new Promise<Log>((resolve) => void provider.once({ address: emitter.target }, resolve));
    const data = toEmitterCall(aRecord());
    // The first poll may come after the block of the first transaction.
    let log: Log | undefined;
    void heard.then((first) => {
      log = first;
    });
    while (log === undefined) await (await wallet.sendTransaction({ to: emitter.target, data })).wait();
    expect(log.topics[0]).to.equal(RECORD_APPENDED_TOPIC);
    await until(() => requested.includes('eth_uninstallFilter'));
    expect(requested).to.include('eth_getFilterChanges').and.not.include('eth_getLogs');
  });
});
