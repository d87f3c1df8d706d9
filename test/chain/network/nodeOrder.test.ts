// Which of several nodes is asked.
import { expect } from 'chai';
import { createNodeSet } from '../../../chain/network/nodeSet.ts';
import { createRpcNode } from '../../../chain/network/rpcNode.ts';
import { LedgerError } from '../../../ledger/errors.ts';
import { createFakeClient, hashOf } from '../../support/fakeClient.ts';
import { until } from '../../support/until.ts';

describe('the order of the nodes of one chain', () => {
  it('prefers a slow node that hung lately to one that is behind', async () => {
    let nowMs = 0;
    const [first, second] = [createFakeClient('first'), createFakeClient('second')];
    const nodes = createNodeSet({
      nodes: [first, second].map((client) => createRpcNode(client, { now: () => nowMs, onChange: () => undefined })),
      identity: { chainId: 1, genesisHash: hashOf('one', 0) },
      confirmations: 8,
      agreeing: 1,
    });
    const use = (): Promise<string> => nodes.use(async ({ name }) => name);
    const { eth_getBlockByNumber: answer } = second.methods;
    second.methods.eth_getBlockByNumber = () => {
      throw new LedgerError('CHAIN_UNAVAILABLE', { cause: new DOMException('late', 'TimeoutError') });
    };
    await nodes.checkAll();
    second.methods.eth_getBlockByNumber = async (tag: never) => {
      // The first node has answered by then.
      await new Promise(setImmediate);
      nowMs += 2_000;
      return answer!(tag);
    };
    nowMs += 30_000;
    second.head = 14;
    await nodes.checkAll();
    await until(() => nodes.failures().length === 0);
    expect(await use()).to.equal('second');
    first.head = 14;
    await nodes.checkAll();
    expect(await use()).to.equal('first');
  });
});
