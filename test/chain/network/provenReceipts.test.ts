// Receipts of a block, from nodes that offer them by block and from those that don't.
import { expect } from 'chai';
import { createNodeMarks } from '../../../chain/jsonRpc/nodeMarks.ts';
import { RpcError } from '../../../chain/jsonRpc/rpcError.ts';
import { fetchReceipts } from '../../../chain/network/provenReceipts.ts';
import { createFakeClient, hashOf } from '../../support/fakeClient.ts';

describe('receipts of a block', () => {
  const hash = hashOf('transaction', 1);
  const receipt = {
    transactionHash: hash,
    type: '0x2',
    status: '0x1',
    cumulativeGasUsed: '0x5208',
    logsBloom: `0x${'00'.repeat(256)}`,
    logs: [],
  };
  let nowMs: number;
  let failure: RpcError | undefined;
  const open = () => {
    nowMs = 0;
    const client = { ...createFakeClient('node'), marks: createNodeMarks(() => nowMs) };
    const { methods, requested } = client;
    methods.eth_getTransactionReceipt = () => receipt;
    methods.eth_getBlockReceipts = () => {
      if (failure !== undefined) throw failure;
      return [receipt];
    };
    return {
      requested,
      read: async (): Promise<string[]> => {
        requested.length = 0;
        expect(await fetchReceipts(client, 1, [hash])).to.have.length(1);
        return [...requested];
      },
    };
  };
  const byBlock = ['eth_getBlockReceipts'];
  const byTransaction = ['eth_getTransactionReceipt'];

  it('are requested by block again after one error, whatever it is about', async () => {
    const { read } = open();
    failure = new RpcError(-32_000, 'internal');
    expect(await read()).to.deep.equal([...byBlock, ...byTransaction]);
    failure = undefined;
    expect(await read()).to.deep.equal(byBlock);
  });

  for (const code of [-32_601, -32_604])
    it(`are requested by transaction for a minute where the node lacks the method: ${code}`, async () => {
      const { read } = open();
      failure = new RpcError(code, 'the method does not exist');
      await read();
      failure = undefined;
      expect(await read()).to.deep.equal(byTransaction);
      nowMs += 60_000;
      expect(await read()).to.deep.equal(byBlock);
    });
});
