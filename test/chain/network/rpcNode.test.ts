// One node: how long it is left, and what a check of it counts for.
import { expect } from 'chai';
import { FalseAnswer } from '../../../chain/jsonRpc/falseAnswer.ts';
import { createRpcNode, type Expectation, type RpcNode } from '../../../chain/network/rpcNode.ts';
import { createFakeClient, type FakeClient, hashOf } from '../../support/fakeClient.ts';

describe('a node', () => {
  const expectation: Expectation = {
    identity: { chainId: 1, genesisHash: hashOf('one', 0) },
    confirmations: 1,
    checkpoint: undefined,
    final: undefined,
    assertSealed: undefined,
  };
  let nowMs: number;
  let client: FakeClient;
  let node: RpcNode;
  beforeEach(() => {
    nowMs = 0;
    client = createFakeClient('node');
    node = createRpcNode(client, { now: () => nowMs, onChange: () => undefined });
  });
  const lie = (): void => node.leave(new FalseAnswer(client, 'a test'));

  it('is left for 5 s again after a minute without a false answer', () => {
    for (const pauseMs of [5_000, 10_000, 20_000]) {
      lie();
      nowMs += pauseMs - 1;
      expect(node.isDue()).to.equal(false);
      nowMs += 1;
    }
    nowMs += 60_000;
    lie();
    nowMs += 5_000;
    expect(node.isDue()).to.equal(true);
  });

  it('is not left for long because the clock was ahead', async () => {
    nowMs = 1e12;
    lie();
    nowMs = 0;
    expect(node.isDue()).to.equal(true);
    expect(await node.check(expectation)).to.deep.equal({ number: 10, hash: hashOf('one', 10) });
  });
});
