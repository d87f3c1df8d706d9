import { expect } from 'chai';
import type { EmbeddedChain } from '../../../../chain/embedded/embeddedChain.ts';
import { RpcError } from '../../../../chain/jsonRpc/rpcError.ts';
import { toHex } from '../../../../ledger/encoding/hex.ts';
import {
  aRecord,
  createAccount,
  createChains,
  EMITTER_CODE,
  REVERTER_CODE,
  signRaw,
  toAddress,
  toEmitterCall,
} from '../fixtures.ts';

const FORBIDDEN = [
  'eth_sendTransaction',
  'eth_sign',
  'eth_signTransaction',
  'eth_signTypedData',
  'eth_signTypedData_v4',
  'personal_sign',
  'personal_unlockAccount',
  'eth_coinbase',
  'eth_pendingTransactions',
  'eth_newPendingTransactionFilter',
  'eth_subscribe',
  'eth_unsubscribe',
  'evm_increaseTime',
  'evm_mine',
  'evm_revert',
  'evm_setAutomine',
  'evm_setBlockGasLimit',
  'evm_setIntervalMining',
  'evm_setNextBlockTimestamp',
  'evm_snapshot',
  'debug_traceCall',
  'debug_traceTransaction',
  'hardhat_addCompilationResult',
  'hardhat_dropTransaction',
  'hardhat_getAutomine',
  'hardhat_impersonateAccount',
  'hardhat_metadata',
  'hardhat_mine',
  'hardhat_reset',
  'hardhat_setBalance',
  'hardhat_setCode',
  'hardhat_setCoinbase',
  'hardhat_setLoggingEnabled',
  'hardhat_setMinGasPrice',
  'hardhat_setNextBlockBaseFeePerGas',
  'hardhat_setNonce',
  'hardhat_setPrevRandao',
  'hardhat_setStorageAt',
  'hardhat_stopImpersonatingAccount',
  'ots_getApiLevel',
  'eth_CHAINID',
  '__proto__',
  'toString',
  '',
];

describe('public methods', () => {
  const chains = createChains();
  const account = createAccount();
  const emitter = toAddress(account, 0);
  const reverter = toAddress(account, 1);
  let chain: EmbeddedChain;
  let availableBytes = 2 ** 40;

  before(async () => {
    const readAvailableBytes = (): number => availableBytes;
    chain = await chains.start(await chains.makeDirectory(), { callGasMax: 200_000, readAvailableBytes });
    await chain.submitTransaction(await signRaw(account, 0, { data: EMITTER_CODE, to: null as never }));
    await chain.submitTransaction(await signRaw(account, 1, { data: REVERTER_CODE, to: null as never }));
    for (let nonce = 2; nonce < 102; nonce += 1) {
      const data = toEmitterCall(aRecord({ sequence: nonce }));
      await chain.submitTransaction(await signRaw(account, nonce, { to: emitter, data }));
    }
  });
  beforeEach(() => {
    availableBytes = 2 ** 40;
  });
  after(() => chains.clean());

  const errorOf = async (method: string, params: unknown[] = []): Promise<RpcError> => {
    const error = await chain.request(method, params).catch((error: unknown) => error);
    expect(error, method).to.be.instanceOf(RpcError);
    return error as RpcError;
  };
  const codeOf = async (method: string, params: unknown[] = []): Promise<number> =>
    (await errorOf(method, params)).code;

  it('do not include methods that control the chain or sign', async () => {
    for (const method of FORBIDDEN) expect([method, await codeOf(method)]).to.deep.equal([method, -32601]);
    expect((await chain.fetchFinalHead()).number).to.equal(102);
  });

  it('answer for a chain with free gas, without accounts and peers', async () => {
    const answers = await Promise.all(
      ['eth_gasPrice', 'eth_maxPriorityFeePerGas', 'eth_accounts', 'net_listening', 'net_peerCount', 'eth_syncing'].map(
        (method) => chain.request(method, []),
      ),
    );
    expect(answers).to.deep.equal(['0x0', '0x0', [], true, '0x0', false]);
  });

  it('read blocks, transactions, receipts, state and proofs', async () => {
    const block = (await chain.request('eth_getBlockByNumber', ['latest', false])) as { hash: string; number: string };
    const [hash] = ((await chain.request('eth_getBlockByHash', [block.hash, false])) as { transactions: string[] })
      .transactions;
    const reads: [string, unknown[], (value: unknown) => unknown, unknown][] = [
      ['eth_blockNumber', [], (value) => value, '0x66'],
      ['eth_getBalance', [account.address, 'latest'], (value) => value, '0x0'],
      ['eth_getTransactionCount', [account.address, 'pending'], (value) => value, '0x66'],
      ['eth_getTransactionByHash', [hash], (value) => (value as { blockHash: string }).blockHash, block.hash],
      ['eth_getTransactionReceipt', [hash], (value) => (value as { status: string }).status, '0x1'],
      ['eth_getTransactionByBlockHashAndIndex', [block.hash, '0x0'], (value) => (value as { hash: string }).hash, hash],
      ['eth_getTransactionByBlockNumberAndIndex', ['latest', '0x0'], (value) => (value as { hash: string }).hash, hash],
      ['eth_getBlockTransactionCountByHash', [block.hash], (value) => value, '0x1'],
      ['eth_getBlockTransactionCountByNumber', ['latest'], (value) => value, '0x1'],
      ['eth_getCode', [emitter, 'latest'], (value) => value, `0x${EMITTER_CODE.slice(20)}`],
      ['eth_getStorageAt', [emitter, '0x0', 'latest'], (value) => value, `0x${'00'.repeat(32)}`],
      ['eth_getProof', [emitter, [], 'latest'], (value) => (value as { nonce: string }).nonce, '0x1'],
      ['web3_sha3', ['0x'], (value) => value, '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'],
    ];
    for (const [method, params, pick, expected] of reads) {
      expect([method, pick(await chain.request(method, params))]).to.deep.equal([method, expected]);
    }
  });

  it('refuse too many parameters', async () => {
    for (const method of [
      'eth_blockNumber',
      'eth_getBalance',
      'eth_getLogs',
      'eth_sendRawTransaction',
      'eth_getProof',
    ]) {
      expect([method, await codeOf(method, [1, 2, 3, 4])]).to.deep.equal([method, -32602]);
    }
  });

  it('return the data of a revert as bare bytes', async () => {
    for (const method of ['eth_call', 'eth_estimateGas']) {
      expect(await errorOf(method, [{ to: reverter }])).to.deep.include({ code: 3, data: '0x8ac5ff0b' });
    }
  });

  describe('eth_call and eth_estimateGas', () => {
    // Returns the gas that is left at its start.
    const readGas = { data: '0x5a5f5260205ff3' };
    const gasOf = async (call: object): Promise<number> => Number(await chain.request('eth_call', [call, 'latest']));

    it('use no more gas than the limit, whatever they request', async () => {
      for (const gas of [undefined, '0x3b9aca00', '0x2faf080']) {
        expect(await gasOf({ ...readGas, gas }))
          .to.be.lessThan(200_000)
          .and.greaterThan(100_000);
      }
      expect(await gasOf({ ...readGas, gas: '0xffff' })).to.be.lessThan(65_536);
    });

    it('use less gas when memory is short', async () => {
      availableBytes = 2 * 1024 * 100_000;
      expect(await gasOf(readGas)).to.be.lessThan(100_000);
    });

    it('have exactly the gas of their calldata and access list in addition', async () => {
      // Stops at once, so it uses its intrinsic gas and the gas of 3 bytes of steps.
      const gasOfZeros = await gasOf({ data: `${readGas.data}${'00'.repeat(20_000)}` });
      const gasOfOnes = await gasOf({ data: `${readGas.data}${'01'.repeat(20_000)}` });
      const accessList = [{ address: account.address, storageKeys: [`0x${'00'.repeat(32)}`] }];
      const gasOfList = await gasOf({ ...readGas, accessList });
      expect([gasOfZeros, gasOfOnes, gasOfList]).to.deep.equal(Array(3).fill(await gasOf(readGas)));
    });

    it('accept data and input as one field', async () => {
      const call = { to: account.address, data: '0x01' };
      await chain.request('eth_call', [{ ...call, input: '0x01' }, 'latest']);
      await chain.request('eth_call', [{ ...call, input: null }, 'latest']);
      expect(await codeOf('eth_call', [{ ...call, input: '0x0100' }, 'latest'])).to.equal(-32602);
    });

    it('have the gas of their calldata in addition', async () => {
      const calldata = `0x${'01'.repeat(20_000)}`;
      await chain.request('eth_call', [{ to: account.address, data: calldata }, 'latest']);
      await chain.request('eth_call', [{ to: account.address, input: calldata }, 'latest']);
    });

    it('stop an endless loop', async () => {
      const loop = { data: '0x5b5f56' };
      expect(await codeOf('eth_call', [loop])).to.equal(-32000);
      expect(await codeOf('eth_estimateGas', [loop])).to.equal(-32000);
    });

    it('refuse state and block overrides', async () => {
      const state = { [emitter]: { balance: '0x1' } };
      expect(await codeOf('eth_call', [readGas, 'latest', state])).to.equal(-32602);
      expect(await codeOf('eth_call', [readGas, 'latest', {}, {}])).to.equal(-32602);
      expect(await codeOf('eth_estimateGas', [readGas, 'latest', state])).to.equal(-32602);
    });

    it('refuse malformed calls', async () => {
      for (const params of [
        [],
        [null],
        ['0x'],
        [[]],
        [{ ...readGas, gas: 7 }],
        [{ ...readGas, gas: '0x' }],
        [{ ...readGas, blobs: [] }],
        [{ ...readGas, to: '0x' }],
        [{ ...readGas, accessList: [{}] }],
        [{ data: '0x1' }],
      ]) {
        expect(await codeOf('eth_call', params)).to.equal(-32602);
      }
    });
  });

  describe('eth_getLogs', () => {
    const fetchLogs = async (filter: object) =>
      (await chain.request('eth_getLogs', [filter])) as { blockNumber: string }[];

    it('finds the same logs over many runs as the node does at once', async () => {
      const logs = await fetchLogs({ fromBlock: 'earliest', toBlock: 'latest', address: emitter });
      expect(logs.map(({ blockNumber }) => Number(blockNumber))).to.deep.equal(
        Array.from({ length: 100 }, (_, index) => index + 3),
      );
    });

    it('accepts a block hash, tags, topics, and blocks that do not exist yet', async () => {
      const { hash } = await chain.fetchFinalHead();
      expect(await fetchLogs({ blockHash: hash })).to.have.length(1);
      expect(await fetchLogs({})).to.have.length(1);
      expect(await fetchLogs({ fromBlock: '0x60', toBlock: '0xfffff' })).to.have.length(7);
      expect(await fetchLogs({ fromBlock: '0x1000', toBlock: '0x1001' })).to.have.length(0);
      expect(await fetchLogs({ fromBlock: '0x0', topics: [`0x${'99'.repeat(32)}`] })).to.have.length(0);
    });

    const refused: [string, unknown, number][] = [
      ['a range that ends before it begins', { fromBlock: '0x5', toBlock: '0x4' }, -32602],
      ['a field that it does not know', { fromBlocks: '0x5' }, -32602],
      ['a block number that is none', { fromBlock: 5 }, -32602],
      ['a block number in a wrong form', { fromBlock: '0x05' }, -32602],
      ['too many addresses', { address: Array(101).fill(`0x${'11'.repeat(20)}`) }, -32602],
      ['too many topics', { topics: [null, null, null, null, null] }, -32602],
      ['too many alternatives', { topics: [Array(101).fill(`0x${'11'.repeat(32)}`)] }, -32602],
      ['what is no filter', 7, -32602],
    ];
    for (const [name, filter, code] of refused) {
      it(`refuses ${name}`, async () => expect(await codeOf('eth_getLogs', [filter])).to.equal(code));
    }
  });

  it('prove a limited number of storage slots', async () => {
    const keys = Array(65).fill(`0x${'00'.repeat(32)}`);
    expect(await codeOf('eth_getProof', [emitter, keys, 'latest'])).to.equal(-32602);
    expect(await chain.request('eth_getProof', [emitter, keys.slice(1), 'latest'])).to.have.property('storageProof');
  });

  describe('eth_sendRawTransaction', () => {
    it('answers with the hash of a mined transaction, and refuses it the second time', async () => {
      const raw = toHex(await signRaw(createAccount(), 0, { gasLimit: 100_000 }));
      const hash = await chain.request('eth_sendRawTransaction', [raw]);
      const found = (await chain.request('eth_getTransactionByHash', [hash])) as { blockNumber: string };
      expect(Number(found.blockNumber)).to.equal((await chain.fetchFinalHead()).number);
      expect(await errorOf('eth_sendRawTransaction', [raw])).to.include({ code: -32000, message: 'already known' });
    });

    it('refuses a gas limit over that of any code, which is lower when memory is short', async () => {
      const sign = async (gasLimit: number) => toHex(await signRaw(createAccount(), 0, { gasLimit }));
      expect(await codeOf('eth_sendRawTransaction', [await sign(221_001)])).to.equal(-32005);
      await chain.request('eth_sendRawTransaction', [await sign(221_000)]);
      availableBytes = 2 ** 28;
      expect(await codeOf('eth_sendRawTransaction', [await sign(121_001)])).to.equal(-32005);
      await chain.request('eth_sendRawTransaction', [await sign(121_000)]);
    });

    it('reserves the gas of zero bytes in the calldata for the calldata alone', async () => {
      const data = `0x${'00'.repeat(10_000)}`;
      const sign = async (gasLimit: number) => toHex(await signRaw(createAccount(), 0, { data, gasLimit }));
      expect(await codeOf('eth_sendRawTransaction', [await sign(261_001)])).to.equal(-32005);
      await chain.request('eth_sendRawTransaction', [await sign(261_000)]);
    });

    it('refuses malformed transactions', async () => {
      for (const raw of ['0x1', '1234', 7, null, [], undefined]) {
        expect(await codeOf('eth_sendRawTransaction', [raw])).to.equal(-32602);
      }
    });
  });
});
