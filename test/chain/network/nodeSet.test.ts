import { expect } from 'chai';
import { FalseAnswer } from '../../../chain/jsonRpc/falseAnswer.ts';
import { RpcError } from '../../../chain/jsonRpc/rpcError.ts';
import { createNodeSet, type NodeSet } from '../../../chain/network/nodeSet.ts';
import { type Confirmations, createRpcNode } from '../../../chain/network/rpcNode.ts';
import { LedgerError } from '../../../ledger/errors.ts';
import { createFakeClient, type FakeClient, hashOf } from '../../support/fakeClient.ts';
import { rejectionOf } from '../../support/refusals.ts';

describe('nodes of one chain', () => {
  let nowMs: number;
  let first: FakeClient;
  let second: FakeClient;
  let problems: string[];
  beforeEach(() => {
    nowMs = 0;
    first = createFakeClient('first');
    second = createFakeClient('second');
    problems = [];
  });
  const identity = { chainId: 1, genesisHash: hashOf('one', 0) };
  const open = (confirmations: Confirmations = 1, clients = [first, second], agreeing = 1): NodeSet => {
    const nodes = clients.map((client) =>
      createRpcNode(client, {
        now: () => nowMs,
        onChange: (failure) => problems.push(`${client.name} ${failure?.code ?? 'used'}`),
      }),
    );
    return createNodeSet({ nodes, identity, confirmations, agreeing });
  };
  const used = (nodes: NodeSet): Promise<string> =>
    nodes.use(async ({ name, request }) => {
      await request('eth_chainId', []);
      return name;
    });

  it('prefers the first node, skips it when it fails, and returns to it', async () => {
    const nodes = open();
    await nodes.checkAll();
    expect(await used(nodes)).to.equal('first');
    first.isDown = true;
    expect(await used(nodes)).to.equal('second');
    first.isDown = false;
    await nodes.checkAll();
    expect(await used(nodes)).to.equal('first');
  });

  describe('of which several must agree', () => {
    let third: FakeClient;
    beforeEach(() => {
      third = createFakeClient('third');
    });

    it('have the newest final block that enough of them name', async () => {
      const nodes = open(1, [first, second, third], 2);
      first.head = 7;
      second.head = 9;
      expect(await nodes.fetchFinal()).to.deep.equal({ number: 9, hash: hashOf('one', 9) });
      second.head = 12;
      third.head = 12;
      expect(await nodes.fetchFinal()).to.deep.equal({ number: 12, hash: hashOf('one', 12) });
      first.head = 13;
      await nodes.checkAll();
      expect(nodes.final?.number).to.equal(12);
    });

    it('leave the one that has another block than the others', async () => {
      const nodes = open(1, [first, second, third], 2);
      first.fork = { name: 'two', from: 6 };
      expect(await nodes.fetchFinal()).to.deep.equal({ number: 10, hash: hashOf('one', 10) });
      await nodes.checkAll();
      expect(problems).to.deep.equal(['first CHAIN_REPLACED']);
      expect(await nodes.useFinal(async ({ name }) => name)).to.equal('second');
    });

    it('have no final block while too many of them have different ones, and are named', async () => {
      const nodes = open(1, [first, second], 2);
      first.fork = { name: 'two', from: 6 };
      const error = (await nodes.fetchFinal().catch((caught: unknown) => caught)) as LedgerError;
      expect(error.code).to.equal('CHAIN_UNAVAILABLE');
      expect(error.message).to.include('first').and.include('second');
      expect(nodes.final).to.equal(undefined);
      first.fork = { name: 'one', from: 0 };
      expect((await nodes.fetchFinal()).number).to.equal(10);
    });

    it('have no final block while too few of them answer', async () => {
      const nodes = open(1, [first, second, third], 2);
      first.isDown = true;
      expect((await nodes.fetchFinal()).number).to.equal(10);
      second.isDown = true;
      third.head = 11;
      expect(await rejectionOf(nodes.fetchFinal())).to.equal('CHAIN_UNAVAILABLE');
      expect(nodes.final?.number).to.equal(10);
      expect(await used(nodes)).to.equal('third');
    });
  });

  it('leaves a node after a false answer at once, for longer each time, and names it each time', async () => {
    const nodes = open();
    await nodes.checkAll();
    const pausesMs: number[] = [];
    for (let times = 0; times < 6; times += 1) {
      const name = await nodes.use(async (client) => {
        if (client.name === 'first') throw new FalseAnswer(client, 'a test');
        return client.name;
      });
      expect(name).to.equal('second');
      expect(nodes.failures().map(({ code }) => code)).to.deep.equal(['CHAIN_UNAVAILABLE']);
      const leftMs = nowMs;
      while (nodes.failures().length > 0) {
        nowMs += 1_000;
        await nodes.checkAll();
      }
      pausesMs.push(nowMs - leftMs);
    }
    expect(pausesMs).to.deep.equal([5_000, 10_000, 20_000, 40_000, 60_000, 60_000]);
    expect(problems).to.deep.equal(Array(6).fill(['first CHAIN_UNAVAILABLE', 'first used']).flat());
  });

  it('leaves a node that answers with another final block than it named itself', async () => {
    const nodes = open(1, [first]);
    await nodes.fetchFinal();
    const { eth_getBlockByNumber: answer } = first.methods;
    first.methods.eth_getBlockByNumber = (tag: never) => ({
      ...(answer!(tag) as object),
      ...(tag === 'latest' ? {} : { hash: hashOf('two', 10) }),
    });
    expect(await rejectionOf(nodes.useFinal(async () => 'used'))).to.equal('CHAIN_UNAVAILABLE');
    await nodes.checkAll();
    expect(nodes.failures()).to.have.length(1);
    expect(problems).to.deep.equal(['first CHAIN_UNAVAILABLE']);
  });

  it('prefers a quick node that is up to date', async () => {
    const nodes = open();
    first.head = 7;
    await nodes.checkAll();
    expect(await used(nodes)).to.equal('second');
    first.head = 10;
    const { eth_getBlockByNumber: answer } = first.methods;
    first.methods.eth_getBlockByNumber = (tag: never) => {
      nowMs += 2_000;
      return answer!(tag);
    };
    await nodes.checkAll();
    expect(await used(nodes)).to.equal('second');
    first.methods.eth_getBlockByNumber = answer!;
    await nodes.checkAll();
    expect(await used(nodes)).to.equal('first');
  });

  it('queries a node that stays down less and less often, and reports it once', async () => {
    const nodes = open(1, [first]);
    await nodes.checkAll();
    first.isDown = true;
    for (let tries = 0; tries < 100; tries += 1) {
      expect(await rejectionOf(used(nodes))).to.equal('CHAIN_UNAVAILABLE');
      nowMs += 100;
    }
    expect(first.requested.length).to.be.lessThan(15);
    expect(problems).to.deep.equal(['first CHAIN_UNAVAILABLE']);
    first.isDown = false;
    nowMs += 5_000;
    expect(await used(nodes)).to.equal('first');
    expect(problems).to.deep.equal(['first CHAIN_UNAVAILABLE', 'first used']);
  });

  it('never reverts a final block, whichever node answers', async () => {
    const nodes = open(3);
    await nodes.checkAll();
    expect(await nodes.fetchFinal()).to.deep.equal({ number: 8, hash: hashOf('one', 8) });
    first.isDown = true;
    second.head = 9;
    expect((await nodes.fetchFinal()).number).to.equal(8);
    second.head = 7;
    expect(await rejectionOf(nodes.fetchFinal())).to.equal('CHAIN_UNAVAILABLE');
    second.head = 12;
    nowMs += 5_000;
    expect((await nodes.fetchFinal()).number).to.equal(10);
  });

  it('accepts other blocks above the final one', async () => {
    const nodes = open(3, [first]);
    await nodes.fetchFinal();
    first.fork = { name: 'two', from: 9 };
    first.head = 12;
    expect(await nodes.fetchFinal()).to.deep.equal({ number: 10, hash: hashOf('two', 10) });
  });

  it('queries final blocks of no node that still has others in their place', async () => {
    const nodes = open(3);
    first.fork = { name: 'two', from: 9 };
    second.head = 12;
    await nodes.checkAll();
    expect(await used(nodes)).to.equal('first');
    const usedForFinal = await nodes.useFinal(async ({ name }, final) => [name, final]);
    expect(usedForFinal).to.deep.equal(['second', { number: 10, hash: hashOf('one', 10) }]);
  });

  it('uses no node with another block in place of a final one, and reports a mismatch when there is no other node', async () => {
    const nodes = open(3);
    await nodes.checkAll();
    first.fork = { name: 'two', from: 7 };
    await nodes.checkAll();
    expect(await used(nodes)).to.equal('second');
    expect(() => nodes.assertSame()).to.not.throw();
    second.fork = { name: 'two', from: 7 };
    await nodes.checkAll();
    expect(() => nodes.assertSame())
      .to.throw(LedgerError)
      .with.property('code', 'CHAIN_REPLACED');
    expect(await rejectionOf(used(nodes))).to.equal('CHAIN_REPLACED');
    second.fork = { name: 'one', from: 0 };
    nowMs += 5_000;
    expect(await used(nodes)).to.equal('second');
  });

  it('uses no node with another chain id, another block 0 or without the contract', async () => {
    const contract = `0x${'c0'.repeat(20)}` as const;
    first.methods.eth_chainId = () => '0x2';
    second.fork = { name: 'two', from: 0 };
    const third = createFakeClient('third');
    third.methods.eth_getCode = () => '0x';
    const nodes = open(1, [first, second, third]);
    nodes.setCheckpoint({ contract, block: { number: 3, hash: hashOf('one', 3) } });
    await nodes.checkAll();
    expect(nodes.failures().map(({ code }) => code)).to.deep.equal(Array(3).fill('CHAIN_MISMATCH'));
    expect(problems).to.deep.equal(['first', 'second', 'third'].map((name) => `${name} CHAIN_MISMATCH`));
  });

  it('asks for the chain id and the contract again every minute', async () => {
    for (const { methods } of [first, second]) methods.eth_getCode = () => '0x01';
    const nodes = open();
    nodes.setCheckpoint({ contract: `0x${'c0'.repeat(20)}`, block: { number: 3, hash: hashOf('one', 3) } });
    await nodes.checkAll();
    first.methods.eth_chainId = () => '0x2';
    second.methods.eth_getCode = () => '0x';
    nowMs = 59_999;
    await nodes.checkAll();
    expect(nodes.failures()).to.deep.equal([]);
    nowMs = 60_000;
    await nodes.checkAll();
    expect(nodes.failures().map(({ code }) => code)).to.deep.equal(['CHAIN_MISMATCH', 'CHAIN_MISMATCH']);
  });

  const LOGS = 'eth_getLogs';
  const readLogs = (nodes: NodeSet): Promise<unknown> => nodes.use(({ request }) => request(LOGS, []));
  const refuseWith = (client: FakeClient, code: number, message: string): void => {
    client.methods[LOGS] = () => {
      throw new RpcError(code, message);
    };
  };

  // Codes and texts of geth, Besu, Erigon and Nethermind for what one node lacks.
  for (const [code, message] of [
    [-32000, 'missing trie node'],
    [4444, 'pruned history unavailable'],
    [-39001, 'Unknown block'],
    [-32601, 'the method eth_getLogs does not exist/is not available'],
    [-32604, 'Method not enabled'],
    [-32005, 'Requested range exceeds maximum RPC range limit'],
    [-32603, 'Internal error'],
  ] as const) {
    it(`requests from another node what one answers with: ${message}`, async () => {
      const nodes = open();
      await nodes.checkAll();
      refuseWith(first, code, message);
      second.methods[LOGS] = () => 'logs';
      expect(await readLogs(nodes)).to.equal('logs');
      // It still answers everything else.
      expect(await used(nodes)).to.equal('first');
    });
  }

  it('requests once from each node what all refuse, and rejects with the first error', async () => {
    const nodes = open();
    await nodes.checkAll();
    refuseWith(first, -32000, 'missing trie node');
    refuseWith(second, -32603, 'Internal error');
    expect(await readLogs(nodes).catch(({ message }) => message)).to.equal('missing trie node');
    for (const { requested } of [first, second]) {
      expect(requested.filter((method) => method === LOGS)).to.have.length(1);
    }
  });

  for (const [code, message] of [
    [3, 'execution reverted'],
    [-32000, 'Execution reverted'],
    [-32602, 'invalid argument 0: hex string has length 4'],
  ] as const) {
    it(`rejects with an error about the request itself: ${code}, ${message}`, async () => {
      const nodes = open();
      await nodes.checkAll();
      refuseWith(first, code, message);
      second.methods[LOGS] = () => 'logs';
      expect(await readLogs(nodes).catch((error) => error.message)).to.equal(message);
    });
  }
});
