// One node: how long it is left, and what a check of it counts for.
import { expect } from 'chai';
import { FalseAnswer } from '../../../chain/jsonRpc/falseAnswer.ts';
import { createRpcNode, type Expectation, type RpcNode } from '../../../chain/network/rpcNode.ts';
import { LedgerError } from '../../../ledger/errors.ts';
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

  it('is left where the newest block that it names has another hash than its fields', async () => {
    const { eth_getBlockByNumber: answer } = client.methods;
    client.methods.eth_getBlockByNumber = (tag: never) => ({
      ...(answer!(tag) as object),
      ...(tag === 'latest' && { number: '0xb' }),
    });
    expect(await node.check(expectation)).to.equal(undefined);
    expect(node.failure).to.be.instanceOf(FalseAnswer);
  });

  it('is verified for a checkpoint that is set while it is checked', async () => {
    const asked = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    const { eth_getBlockByNumber: answer } = client.methods;
    client.methods.eth_getBlockByNumber = async (tag: never) => {
      asked.resolve();
      await held.promise;
      return answer!(tag);
    };
    client.methods.eth_getCode = () => '0x';
    const first = node.check(expectation);
    await asked.promise;
    const block = { number: 3, hash: hashOf('one', 3) };
    const second = node.check({ ...expectation, checkpoint: { contract: `0x${'c0'.repeat(20)}`, block } });
    held.resolve();
    expect(await first).to.deep.include({ number: 10 });
    expect(await second).to.equal(undefined);
    expect(node.failure?.code).to.equal('CHAIN_MISMATCH');
  });

  it('has the final block of a check that began after the call', async () => {
    await node.check(expectation);
    client.requested.length = 0;
    const asked = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    const { eth_getBlockByNumber: answer } = client.methods;
    client.methods.eth_getBlockByNumber = async (tag: never) => {
      const block = answer!(tag);
      asked.resolve();
      await held.promise;
      return block;
    };
    const first = node.check(expectation);
    await asked.promise;
    client.head = 11;
    const others = [node.check(expectation), node.check(expectation)];
    held.resolve();
    const found = await Promise.all([first, ...others]);
    expect(found.map((block) => block?.number)).to.deep.equal([10, 11, 11]);
    expect(client.requested).to.deep.equal(Array(2).fill('eth_getBlockByNumber'));
  });

  it('is not waited for twice when it fails', async () => {
    const asked = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    client.methods.eth_chainId = async () => {
      asked.resolve();
      await held.promise;
      throw new LedgerError('CHAIN_UNAVAILABLE');
    };
    const checks = [node.check(expectation)];
    await asked.promise;
    checks.push(node.check(expectation));
    held.resolve();
    expect(await Promise.all(checks)).to.deep.equal([undefined, undefined]);
    expect(client.requested.filter((method) => method === 'eth_chainId')).to.have.length(1);
  });

  it('is not left for long because the clock was ahead', async () => {
    nowMs = 1e12;
    lie();
    nowMs = 0;
    expect(node.isDue()).to.equal(true);
    expect(await node.check(expectation)).to.deep.equal({ number: 10, hash: hashOf('one', 10) });
  });
});
