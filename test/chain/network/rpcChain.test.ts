// The start on several nodes.
import { expect } from 'chai';
import { createRpcChain } from '../../../chain/network/rpcChain.ts';
import { createFakeClient, hashOf } from '../../support/fakeClient.ts';
import { type FakeNode, hang, startFakeNode } from '../../support/fakeNode.ts';
import { HELD_MS, useHeldTimeouts } from '../../support/heldTimeouts.ts';
import { until } from '../../support/until.ts';

describe('the start on several nodes', () => {
  const timeouts = useHeldTimeouts();
  let hanging: FakeNode;
  let answering: FakeNode;
  beforeEach(async () => {
    const { request } = createFakeClient('answering');
    const answer = async (method: string, ...params: unknown[]) => ({ result: await request(method, params) });
    hanging = await startFakeNode(hang);
    answering = await startFakeNode({
      eth_chainId: await answer('eth_chainId'),
      'eth_getBlockByNumber 0x0': await answer('eth_getBlockByNumber', '0x0'),
      'eth_getBlockByNumber latest': await answer('eth_getBlockByNumber', 'latest'),
    });
  });
  afterEach(() => {
    hanging.close();
    answering.close();
  });

  // Nothing ends the second wait.
  it('waits once for a node that hangs', async () => {
    const opening = createRpcChain({
      urls: [hanging.url, answering.url],
      confirmations: 1,
      agreeing: 1,
      timeoutMs: HELD_MS,
      pollMs: HELD_MS,
      now: () => 0,
      onProblem: () => undefined,
    });
    await until(() => hanging.requested.length === 2);
    timeouts.expire(hanging.url, 'all');
    const chain = await opening;
    expect(await chain.fetchFinalHead()).to.deep.equal({ number: 10, hash: hashOf('one', 10) });
    expect(chain.readNodes().map(({ isLeft }) => isLeft)).to.deep.equal([true, false]);
    await chain.close();
  });
});
