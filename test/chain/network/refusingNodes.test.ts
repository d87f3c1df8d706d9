// A transaction that one node refuses and another one accepts.
import { expect } from 'chai';
import { RpcError } from '../../../chain/jsonRpc/rpcError.ts';
import { createNodeSet } from '../../../chain/network/nodeSet.ts';
import { createRpcNode } from '../../../chain/network/rpcNode.ts';
import { createTransactionSubmitter, type TransactionSubmitter } from '../../../chain/network/transactionSubmitter.ts';
import { type Hex, toHex } from '../../../ledger/encoding/hex.ts';
import { keccak256 } from '../../../ledger/encoding/keccak.ts';
import { BLOCK_OUTCOMES } from '../../support/blockOutcomes.ts';
import { createFakeClient, type FakeClient, hashOf } from '../../support/fakeClient.ts';
import { rejectionOf } from '../../support/refusals.ts';
import { createAccount, signRaw } from '../embedded/fixtures.ts';

describe('a transaction that a node refuses', () => {
  let first: FakeClient;
  let second: FakeClient;
  let raw: Uint8Array;
  let transactions: TransactionSubmitter;

  // A node with an empty pool that mines what it accepts.
  const createMiningNode = (name: string): FakeClient => {
    const client = createFakeClient(name);
    let isMined = false;
    client.methods.eth_getTransactionByHash = () => null;
    client.methods.eth_getTransactionCount = () => '0x0';
    client.methods.eth_sendRawTransaction = () => {
      isMined = true;
      return toHex(keccak256(raw));
    };
    client.methods.eth_getTransactionReceipt = (transactionHash: Hex) =>
      isMined ? { transactionHash, blockNumber: '0xa', blockHash: hashOf('one', 10), status: '0x1' } : null;
    return client;
  };
  const refuseWith = (client: FakeClient, message: string): void => {
    client.methods.eth_sendRawTransaction = () => {
      throw new RpcError(-32000, message);
    };
  };
  const countSent = ({ requested }: FakeClient): number =>
    requested.filter((method) => method === 'eth_sendRawTransaction').length;
  beforeEach(async () => {
    raw = await signRaw(createAccount(), 0);
    first = createMiningNode('first');
    second = createMiningNode('second');
    const options = { now: () => 0, onChange: () => undefined };
    const nodes = createNodeSet({
      nodes: [first, second].map((client) => createRpcNode(client, options)),
      identity: { chainId: 1, genesisHash: hashOf('one', 0) },
      confirmations: 1,
      agreeing: 1,
    });
    await nodes.checkAll();
    transactions = createTransactionSubmitter({
      nodes,
      outcomes: BLOCK_OUTCOMES,
      elapsedMs: () => 0,
      pollMs: 1,
      onProblem: () => undefined,
    });
  });

  // For example with free gas: the pool has a transaction of this nonce that never reaches a validator.
  for (const message of ['replacement transaction underpriced', 'txpool is full', 'insufficient funds for gas']) {
    it(`is sent to the next node: ${message}`, async () => {
      refuseWith(first, message);
      expect((await transactions.submit(raw)).outcome).to.equal('succeeded');
      expect([countSent(first), countSent(second)]).to.deep.equal([1, 1]);
    });
  }

  for (const [message, code] of [
    ['replacement transaction underpriced', 'TRANSACTION_REFUSED'],
    ['txpool is full', 'TRANSACTION_REFUSED'],
    ['Upfront cost exceeds account balance', 'RELAYER_UNFUNDED'],
  ] as const) {
    it(`is ${code} when all nodes refuse it, after one request to each: ${message}`, async () => {
      refuseWith(first, message);
      refuseWith(second, message);
      expect(await rejectionOf(transactions.submit(raw))).to.equal(code);
      expect([countSent(first), countSent(second)]).to.deep.equal([1, 1]);
    });
  }
});
