// Complete answers of a node that do not fit the request.
import { expect } from 'chai';
import { fetchBlock, fetchReceipt } from '../../../chain/jsonRpc/chainQueries.ts';
import { createFakeClient, type FakeClient, hashOf } from '../../support/fakeClient.ts';
import { rejectionOf } from '../../support/refusals.ts';

const HASH = hashOf('transaction', 1);
const RECEIPT = {
  transactionHash: HASH,
  blockNumber: '0x5',
  blockHash: hashOf('one', 5),
  status: '0x1',
  gasUsed: '0x5208',
};

describe('answers of a node', () => {
  let client: FakeClient;
  beforeEach(() => {
    client = createFakeClient('node');
  });
  const receive = (changes: Record<string, unknown>) => {
    client.methods.eth_getTransactionReceipt = () => ({ ...RECEIPT, ...changes });
    return fetchReceipt(client, HASH);
  };

  it('are refused when they are about another block than the requested one', async () => {
    const answer = client.methods.eth_getBlockByNumber as (tag: string) => object;
    expect((await fetchBlock(client, 5))?.number).to.equal(5);
    client.methods.eth_getBlockByNumber = () => answer('0x6');
    expect(await rejectionOf(fetchBlock(client, 5))).to.equal('CHAIN_UNAVAILABLE');
    expect((await fetchBlock(client, 'latest'))?.number).to.equal(6);
  });

  it('contain the block of a transaction, its gas, and whether it succeeded', async () => {
    const expected = { transactionHash: HASH, number: 5, hash: RECEIPT.blockHash, gasUsed: 21_000 };
    expect(await receive({})).to.deep.equal({ ...expected, hasSucceeded: true });
    expect(await receive({ status: '0x0' })).to.deep.equal({ ...expected, hasSucceeded: false });
    const unknown = { ...expected, gasUsed: undefined, hasSucceeded: true };
    expect(await receive({ gasUsed: undefined })).to.deep.equal(unknown);
    expect(await rejectionOf(receive({ gasUsed: 'much' }))).to.equal('CHAIN_UNAVAILABLE');
  });

  it('are refused when they are a receipt of another transaction, or have an unknown status', async () => {
    expect(await rejectionOf(receive({ transactionHash: hashOf('transaction', 2) }))).to.equal('CHAIN_UNAVAILABLE');
    for (const status of ['0x2', '0x', 1, null]) {
      expect(await rejectionOf(receive({ status })), String(status)).to.equal('CHAIN_UNAVAILABLE');
    }
  });

  it('are no receipt while the transaction is in no block', async () => {
    expect(await receive({ blockHash: null, blockNumber: null })).to.equal(undefined);
    expect(await receive({ blockHash: null })).to.equal(undefined);
    expect(await receive({ blockNumber: null })).to.equal(undefined);
  });
});
