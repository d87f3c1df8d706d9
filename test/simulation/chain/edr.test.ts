// The simulated engine against the real one: refusals, and the fields and types of every answer that the project reads.
import { expect } from 'chai';
import { toLedgerAddress } from '../../../chain/administration.ts';
import { fetchBlock, fetchReceipt, type NodeBlock } from '../../../chain/jsonRpc/chainQueries.ts';
import type { JsonRpcClient } from '../../../chain/jsonRpc/jsonRpcClient.ts';
import { RpcError } from '../../../chain/jsonRpc/rpcError.ts';
import { ledgerInterface } from '../../../chain/ledgerAbi.ts';
import { createBloomTest } from '../../../chain/network/logsBloom.ts';
import type { TransactionFields } from '../../../chain/writing/signTransaction.ts';
import { fromHex, type Hex } from '../../../ledger/encoding/hex.ts';
import {
  CHAIN_ID,
  type ChainPair,
  createChainPair,
  START_SECONDS,
  signFree,
  toCreation,
  walletOf,
} from './support/chainPair.ts';

const OWNER = walletOf(1);
const CONTRACT = toLedgerAddress(OWNER);
const TENANT: Hex = `0x${'11'.repeat(32)}`;
const UNKNOWN: Hex = `0x${'12'.repeat(32)}`;

const admission = fromHex(ledgerInterface.encodeFunctionData('admitTenant', [TENANT, OWNER.address]));
const LEGACY = { gasPrice: 0n };

// A deployment, an admission, the same again (which reverts), and a creation of other code.
const TRANSACTIONS: readonly Partial<TransactionFields>[] = [
  { data: toCreation(OWNER) },
  { to: fromHex(CONTRACT), data: admission },
  { to: fromHex(CONTRACT), data: admission, fees: LEGACY },
  { data: fromHex('0x6001600c60003960016000f300') },
];

const startPair = async (): Promise<{ pair: ChainPair; hashes: Hex[] }> => {
  const pair = await createChainPair();
  const hashes: Hex[] = [];
  for (const [nonce, fields] of TRANSACTIONS.entries()) {
    const answer = await pair.askSame('eth_sendRawTransaction', [signFree(OWNER, nonce, fields)]);
    hashes.push((answer as { result: Hex }).result);
  }
  return { pair, hashes };
};

/** The type of each field; quantities and bytes differ in their length. */
const toShape = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(toShape);
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, toShape(field)]));
  if (typeof value !== 'string') return value;
  return value.startsWith('0x') && value.length >= 42 ? `0x of ${value.length}` : 'short text';
};

const compareShapes = async (pair: ChainPair, method: string, params: readonly unknown[]): Promise<void> => {
  const [expected, actual] = await pair.ask(method, params);
  expect(toShape(actual), `${method} ${JSON.stringify(params)}`).to.deep.equal(toShape(expected));
};

const clientOf = (edr: ChainPair['real']): JsonRpcClient =>
  ({ name: 'engine', request: edr.request }) as unknown as JsonRpcClient;

// The model's gas is near to the real one, not equal.
const GAS_TOLERANCE = 0.05;

const withoutHash = ({ hash: _hash, ...block }: NodeBlock) => block;

describe('the simulated engine', () => {
  it('answers with the fields and types of the real engine', async () => {
    const { pair, hashes } = await startPair();
    const numbers = [0, 1, 2, 3, 4].map((number) => `0x${number}`);
    for (const number of [...numbers, 'latest', '0x9'])
      for (const isFull of [false, true]) await compareShapes(pair, 'eth_getBlockByNumber', [number, isFull]);
    for (const hash of [...hashes, UNKNOWN]) {
      await compareShapes(pair, 'eth_getTransactionReceipt', [hash]);
      await compareShapes(pair, 'eth_getTransactionByHash', [hash]);
    }
    for (const edr of [pair.real, pair.simulated]) {
      const block = (await edr.request('eth_getBlockByNumber', ['0x2', false])) as NodeBlock;
      expect(await edr.request('eth_getBlockByHash', [block.hash, false])).to.deep.equal(block);
    }
    await compareShapes(pair, 'eth_getLogs', [{ fromBlock: '0x0', toBlock: 'latest' }]);
    await compareShapes(pair, 'eth_getCode', [CONTRACT, 'latest']);
    await compareShapes(pair, 'web3_clientVersion', []);
  });

  it('answers with the same values where they do not depend on hashes', async () => {
    const { pair } = await startPair();
    for (const method of [
      'eth_chainId',
      'eth_blockNumber',
      'net_version',
      'eth_syncing',
      'eth_accounts',
      'eth_coinbase',
    ])
      await pair.askSame(method, []);
    for (const method of ['eth_gasPrice', 'eth_maxPriorityFeePerGas']) await pair.askSame(method, []);
    for (const method of ['eth_getBalance', 'eth_getTransactionCount'])
      await pair.askSame(method, [OWNER.address, 'latest']);
    await pair.askSame('eth_getCode', [CONTRACT, '0x0']);
    await pair.askSame('eth_getCode', [CONTRACT, '0x50']);
    await pair.askSame('eth_getBlockByHash', [UNKNOWN, false]);
    await pair.askSame('eth_getLogs', [{ blockHash: UNKNOWN }]);
    await pair.askSame('eth_getLogs', [{ fromBlock: '0x5', toBlock: '0x2' }]);
    await pair.askSame('eth_getLogs', [{ fromBlock: '0x50', toBlock: '0x99' }]);
    await pair.askSame('evm_setNextBlockTimestamp', [START_SECONDS + 100]);
    await pair.askSame('evm_setNextBlockTimestamp', [1]);
  });

  it('selects logs by address, topics and blocks as the real engine does', async () => {
    const { pair } = await startPair();
    const admitted = ledgerInterface.getEvent('TenantAdmitted')!.topicHash;
    const filters = [
      { address: CONTRACT },
      { address: OWNER.address },
      { address: [OWNER.address, CONTRACT], topics: [admitted] },
      { topics: [[admitted, UNKNOWN]] },
      { topics: [null, TENANT] },
      { topics: [UNKNOWN] },
      { topics: [null, null, null] },
      { topics: [null, null, null, null] },
      { fromBlock: '0x2', toBlock: '0x2', topics: [] },
    ];
    const selected = [];
    for (const filter of filters) {
      const answers = await pair.ask('eth_getLogs', [{ fromBlock: '0x0', toBlock: 'latest', ...filter }]);
      const [expected, actual] = answers.map((answer) =>
        (answer as { result: { blockNumber: Hex; topics: Hex[] }[] }).result.map(({ blockNumber, topics }) => [
          blockNumber,
          topics,
        ]),
      );
      expect(actual, JSON.stringify(filter)).to.deep.equal(expected);
      selected.push(actual!.length);
    }
    expect(selected).to.deep.equal([2, 0, 1, 1, 1, 0, 2, 0, 1]);
  });

  it('is read by the queries of the project as the real engine is', async () => {
    const { pair, hashes } = await startPair();
    for (const number of [0, 1, 2, 3, 'latest'] as const) {
      const [real, simulated] = await Promise.all(
        [pair.real, pair.simulated].map((edr) => fetchBlock(clientOf(edr), number)),
      );
      // The real engine's times follow from the real clock here.
      const timestampSeconds = 0;
      expect({ ...withoutHash(simulated!), timestampSeconds }).to.deep.equal({
        ...withoutHash(real!),
        timestampSeconds,
      });
    }
    for (const hash of [...hashes, UNKNOWN]) {
      const [real, simulated] = await Promise.all(
        [pair.real, pair.simulated].map((edr) => fetchReceipt(clientOf(edr), hash)),
      );
      const gasUsed = real?.gasUsed;
      expect(simulated && { ...simulated, hash: '', gasUsed }).to.deep.equal(real && { ...real, hash: '' });
      if (gasUsed !== undefined) expect(simulated?.gasUsed).to.be.closeTo(gasUsed, gasUsed * GAS_TOLERANCE);
    }
    const block = await pair.simulated.request('eth_getBlockByNumber', ['0x2', false]);
    const filter = fromHex((block as { logsBloom: Hex }).logsBloom);
    const found = [CONTRACT, TENANT, UNKNOWN].map((item) => createBloomTest(item)(filter));
    expect(found).to.deep.equal([true, true, false]);
  });

  it('refuses what the real engine refuses, with the same code, and mines nothing', async () => {
    const { pair } = await startPair();
    const next = TRANSACTIONS.length;
    const to = OWNER.addressBytes;
    const refused: unknown[] = [
      signFree(OWNER, next - 1, TRANSACTIONS.at(-1)!),
      signFree(OWNER, 0, { to }),
      signFree(OWNER, next + 1, { to }),
      signFree(OWNER, next, { to, value: 5n }),
      signFree(OWNER, next, { to, fees: { maxFeePerGas: 5n, maxPriorityFeePerGas: 1n } }),
      signFree(OWNER, next, { to, fees: { maxFeePerGas: 0n, maxPriorityFeePerGas: 1n } }),
      signFree(OWNER, next, { to, fees: { gasPrice: 1n } }),
      signFree(OWNER, next, { to, chainId: CHAIN_ID + 1 }),
      signFree(OWNER, next, { to, gasLimit: 2 ** 26 + 1 }),
      signFree(OWNER, next, { to, gasLimit: 20_999 }),
      signFree(OWNER, next, {}),
      '0x',
      '0x1234',
      'no text',
      undefined,
    ];
    for (const raw of refused) {
      const answer = await pair.askSame('eth_sendRawTransaction', raw === undefined ? [] : [raw]);
      expect(answer).to.have.property('error');
    }
    await pair.askSame('eth_blockNumber', []);
  });

  it('runs out of gas below the limit that a transaction needs, and mines it', async () => {
    const { pair } = await startPair();
    const fields = { to: fromHex(CONTRACT), data: admission, gasLimit: 23_000 };
    const { result } = (await pair.askSame('eth_sendRawTransaction', [
      signFree(OWNER, TRANSACTIONS.length, fields),
    ])) as {
      result: Hex;
    };
    const receipts = await pair.ask('eth_getTransactionReceipt', [result]);
    for (const receipt of receipts)
      expect(receipt).to.nested.include({ 'result.status': '0x0', 'result.gasUsed': '0x59d8' });
  });

  it('ends a sequence of requests at the first that fails', async () => {
    const { pair } = await startPair();
    const calls = [
      { method: 'evm_setNextBlockTimestamp', params: [START_SECONDS + 1_000] },
      { method: 'eth_sendRawTransaction', params: [signFree(OWNER, 0, {})] },
      { method: 'eth_sendRawTransaction', params: [signFree(OWNER, TRANSACTIONS.length, { to: OWNER.addressBytes })] },
    ];
    for (const edr of [pair.real, pair.simulated]) {
      const error = await edr.requestAll(calls).catch((reason: unknown) => reason);
      expect(error).to.be.instanceOf(RpcError);
      expect(await edr.request('eth_blockNumber', [])).to.equal('0x4');
    }
  });

  it('has the same hashes after a replay, and others after another transaction', async () => {
    const play = async (seconds: number): Promise<string> => {
      const { simulated } = await createChainPair();
      await simulated.request('evm_setNextBlockTimestamp', [seconds]);
      await simulated.request('eth_sendRawTransaction', [signFree(OWNER, 0, TRANSACTIONS[0]!)]);
      return simulated.requestText('eth_getBlockByNumber', ['latest', false]);
    };
    expect(await play(START_SECONDS + 5)).to.equal(await play(START_SECONDS + 5));
    expect(JSON.parse(await play(START_SECONDS + 6)).hash).to.not.equal(JSON.parse(await play(START_SECONDS + 5)).hash);
  });

  it('returns to a snapshot', async () => {
    const { pair } = await startPair();
    for (const edr of [pair.real, pair.simulated]) {
      const snapshot = await edr.request('evm_snapshot', []);
      await edr.request('eth_sendRawTransaction', [signFree(OWNER, TRANSACTIONS.length, { to: OWNER.addressBytes })]);
      expect(await edr.request('eth_blockNumber', [])).to.equal('0x5');
      expect(await edr.request('evm_revert', [snapshot])).to.equal(true);
      expect(await edr.request('eth_blockNumber', [])).to.equal('0x4');
      expect(await edr.request('eth_getTransactionCount', [OWNER.address, 'latest'])).to.equal('0x4');
      expect(await edr.request('evm_revert', [snapshot])).to.equal(false);
    }
  });
});
