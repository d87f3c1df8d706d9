// A node that answers falsely about final blocks: nothing of it enters the index, and the node is left and named.
import { expect } from 'chai';
import { createRandom } from '../../bench/random.ts';
import { createRpcChain, type RpcChain } from '../../chain/network/rpcChain.ts';
import type { RecordLog } from '../../chain/port.ts';
import { createMetrics } from '../../host/watching/metrics.ts';
import type { Hex } from '../../ledger/encoding/hex.ts';
import { toNetwork } from '../support/chainKinds.ts';
import { type ExternalNode, QUICK_NODE, startNode } from '../support/externalNode.ts';
import { FALSE_ANSWERS, type FalseAnswerKind, forkAt, forkWithHead, toHeaderKinds } from '../support/falseAnswers.ts';
import { createLyingProxy, type LyingProxy } from '../support/lyingProxy.ts';
import { openNetworkFixture } from '../support/networkFixture.ts';
import { NOT_REFUSED, rejectionOf } from '../support/refusals.ts';
import { until } from '../support/until.ts';

/** Those that are about headers. */
const HASH_KINDS = /header|block|forked|own (?:filter|time|roots|parent)/;
const OTHER_ADDRESS: Hex = `0x${'5a'.repeat(20)}`;
// Kinds that leave out whole receipts.
const LEFT_OUT = /^(?:no receipt|the last receipt left out)$/;
/** A clock that stands still: a node is left as long as a test lasts, also on a busy machine. */
const STANDING_MS = Date.now();
const NOTES = ['one', 'two', 'three', 'four'];

describe('a false answer of a node', () => {
  const closing: (() => Promise<unknown>)[] = [];
  const first = 1;
  let node: ExternalNode;
  let liar: LyingProxy;
  let dying: LyingProxy;
  let contract: Hex;
  let head: number;
  let truth: RecordLog[];
  let hashes: ReadonlyMap<number, Hex>;
  let kinds: readonly FalseAnswerKind[];
  let problems: string[];

  // Records in several blocks: some alone, some with others, the last one with another transaction.
  const record = async (): Promise<void> => {
    const fixture = await openNetworkFixture(node, toNetwork(node.url));
    const asset = await fixture.alpha.createAsset();
    for (const note of NOTES) await fixture.alpha.record(asset, note);
    await Promise.all(Array.from({ length: 12 }, (_, at) => fixture.alpha.record(asset, `some ${at}`)));
    await node.request('evm_setAutomine', [false]);
    const last = fixture.alpha.record(asset, 'last');
    const fetchWaiting = async () =>
      ((await node.request('eth_getBlockByNumber', ['pending', false])) as { transactions: unknown[] }).transactions;
    await until(async () => (await fetchWaiting()).length > 0);
    const [from] = (await node.request('eth_accounts', [])) as string[];
    await node.request('eth_sendTransaction', [{ from, to: from, value: '0x1' }]);
    await node.request('evm_mine', []);
    await node.request('evm_setAutomine', [true]);
    await last;
    ({ contract } = fixture.ledger);
    await fixture.close();
  };

  const connect = (...urls: string[]): Promise<RpcChain> => connectTo(urls, 1);
  const connectTo = async (
    urls: string[],
    agreeing: number | undefined,
    validators?: readonly Hex[],
  ): Promise<RpcChain> => {
    problems = [];
    const chain = await createRpcChain({
      urls,
      confirmations: 1,
      agreeing,
      validators,
      timeoutMs: 60_000,
      pollMs: 60_000,
      now: () => STANDING_MS,
      onProblem: (message, cause) => problems.push(`${message} ${(cause as Error | undefined)?.message ?? ''}`),
    });
    closing.unshift(chain.close);
    return chain;
  };
  const read = (chain: RpcChain, fromBlock = first, toBlock = head): Promise<RecordLog[]> =>
    chain.fetchRecordLogs({ address: contract, fromBlock, toBlock });
  const readHashes = async (): Promise<Map<number, Hex>> => {
    const numbers = Array.from({ length: head + 1 }, (_, number) => number);
    const blocks = await Promise.all(
      numbers.map((number) => node.request('eth_getBlockByNumber', [`0x${number.toString(16)}`, false])),
    );
    return new Map(blocks.map((block, number) => [number, (block as { hash: Hex }).hash]));
  };
  const hashOf = (number: number): Hex => hashes.get(number)!;
  const leftNames = (): string[] =>
    problems.filter((problem) => problem.includes(' is left ')).map((one) => one.split(' ')[0]!);

  before(async () => {
    node = await startNode(QUICK_NODE);
    closing.push(node.kill);
    await record();
    const chain = await connect(node.url);
    head = (await chain.fetchFinalHead()).number;
    truth = await read(chain);
    hashes = await readHashes();
    liar = await createLyingProxy(node.url);
    dying = await createLyingProxy(node.url);
    closing.unshift(liar.close, dying.close);
    const block = await node.request('eth_getBlockByNumber', [`0x${head.toString(16)}`, false]);
    // Hardhat answers single receipts alone, and one that it does not have is no false statement: it may lag.
    const stated = FALSE_ANSWERS.filter(({ name }) => QUICK_NODE === 'anvil' || !LEFT_OUT.test(name));
    kinds = [...stated, ...toHeaderKinds(block as Record<string, unknown>), forkAt(head - 3)];
  });
  afterEach(() => liar.answer(undefined));
  after(async () => {
    for (const close of closing) await close();
  });

  // Each kind that the chain's answers can have.
  const forEachKind = async (check: (kind: FalseAnswerKind) => Promise<void>): Promise<number> => {
    let stated = 0;
    for (const kind of kinds) {
      await check(kind);
      if (liar.lies > 0) stated += 1;
      liar.answer(undefined);
    }
    return stated;
  };
  const expectNamed = (kind: FalseAnswerKind): void => {
    if (liar.lies === 0) return;
    expect(leftNames(), kind.name).to.deep.equal([liar.url]);
    const [line] = problems.filter((problem) => problem.includes(' is left '));
    expect(line, kind.name).to.match(/^\S+ is left \S+ gave a false answer: .+$/);
  };

  it('has the logs of some blocks to be about', () => {
    const counts = Map.groupBy(truth, ({ blockNumber }) => blockNumber);
    expect(counts.size).to.be.greaterThan(5);
    expect(Math.max(...[...counts.values()].map(({ length }) => length))).to.be.greaterThan(3);
    expect(truth.at(-1)!.blockNumber).to.equal(head);
  });

  it('is not believed while the index is rebuilt: the node is left and named, and another one answers', async () => {
    const stated = await forEachKind(async (kind) => {
      const chain = await connect(liar.url, node.url);
      liar.answer(kind);
      expect(await read(chain), kind.name).to.deep.equal(truth);
      expectNamed(kind);
      const { requests } = liar;
      expect(await read(chain, first, first + 1)).to.deep.equal(truth.filter((log) => log.blockNumber <= first + 1));
      expect(liar.requests, kind.name).to.equal(liar.lies === 0 ? liar.requests : requests);
    });
    expect(stated).to.be.greaterThan(50);
  });

  it('is not believed while the index follows the head', async () => {
    const stated = await forEachKind(async (kind) => {
      const chain = await connect(liar.url, node.url);
      liar.answer(kind);
      for (let number = head - 5; number <= head; number += 1) {
        expect(await read(chain, number, number), kind.name).to.deep.equal(
          truth.filter(({ blockNumber }) => blockNumber === number),
        );
      }
      expectNamed(kind);
    });
    expect(stated).to.be.greaterThan(50);
  });

  it('is not believed of the node that replaces another one', async () => {
    const stated = await forEachKind(async (kind) => {
      dying = await createLyingProxy(node.url);
      const chain = await connect(dying.url, liar.url, node.url);
      await chain.fetchFinalHead();
      await dying.close();
      liar.answer(kind);
      expect(await read(chain, head - 5, head), kind.name).to.deep.equal(
        truth.filter(({ blockNumber }) => blockNumber >= head - 5),
      );
      if (liar.lies === 0) return;
      const lines = problems.filter((problem) => problem.startsWith(`${liar.url} is left`));
      expect(lines, kind.name).to.have.length(1);
      expect(lines[0], kind.name).to.match(/^.+ gave a false answer: .+$/);
    });
    expect(stated).to.be.greaterThan(50);
  });

  it('of the only node counts as no answer', async () => {
    const stated = await forEachKind(async (kind) => {
      const chain = await connect(liar.url);
      liar.answer(kind);
      const code = await rejectionOf(read(chain));
      expect(code, kind.name).to.equal(liar.lies > 0 ? 'CHAIN_UNAVAILABLE' : NOT_REFUSED);
      expectNamed(kind);
    });
    expect(stated).to.be.greaterThan(50);
  });

  it('about the hash of an old block is not believed, so that no index is wiped for it', async () => {
    const stated = await forEachKind(async (kind) => {
      if (!HASH_KINDS.test(kind.name)) return;
      const chain = await connect(liar.url, node.url);
      liar.answer(kind);
      for (const number of [head - 5, head - 2])
        expect(await chain.fetchBlockHash(number), kind.name).to.equal(hashOf(number));
      expectNamed(kind);
    });
    expect(stated).to.be.greaterThan(20);
  });

  it('about the blocks of the block log is not believed when many are asked for at once', async () => {
    const chain = await connect(liar.url, node.url);
    liar.answer(forkAt(head - 3));
    const numbers = Array.from({ length: head }, (_, at) => head - 1 - at);
    const hashes = await Promise.all(numbers.map((number) => chain.fetchBlockHash(number)));
    expect(hashes).to.deep.equal(numbers.map(hashOf));
    expect(leftNames()).to.deep.equal([liar.url]);
    expect(liar.requests).to.be.lessThan(10);
    expect(await chain.fetchBlockHash(head + 1)).to.equal(undefined);
  });

  it('among many, at random, changes nothing', async () => {
    const random = createRandom(20_261_123);
    const chain = await connect(liar.url, node.url);
    for (let times = 0; times < 30; times += 1) {
      liar.answer(kinds[Math.floor(random() * kinds.length)]);
      const from = first + Math.floor(random() * (head - first));
      const to = from + Math.floor(random() * (head - from + 1));
      expect(await read(chain, from, to)).to.deep.equal(
        truth.filter(({ blockNumber }) => blockNumber >= from && blockNumber <= to),
      );
    }
  });

  it('is counted by host, and the node as left', async () => {
    const chain = await connect(liar.url, node.url);
    const metrics = createMetrics();
    metrics.watchNodes(chain.readNodes);
    const read = async (): Promise<string[]> =>
      (await metrics.registry.metrics()).split('\n').filter((line) => /^ledger_chain_(?:false|nodes)/.test(line));
    const toLines = (falseAnswers: number, left: number): string[] => [
      `ledger_chain_false_answers_total{host="127.0.0.1"} ${falseAnswers}`,
      `ledger_chain_nodes_left ${left}`,
    ];
    expect(await read()).to.deep.equal(toLines(0, 0));
    liar.answer(forkAt(head - 3));
    await chain.fetchBlockHash(head - 5);
    expect(await read()).to.deep.equal(toLines(1, 1));
    expect(await read()).to.deep.equal(toLines(1, 1));
  });

  it("is possible about the final block where its finality is one node's word, which the chain states", async () => {
    expect((await connect(liar.url)).finality).to.equal("this node's word");
    expect((await connectTo([liar.url, node.url], 2)).finality).to.equal('the word of 2 of 2 nodes');
    const validators = [OTHER_ADDRESS, contract];
    const sealed = connectTo([node.url], undefined, validators);
    expect(await rejectionOf(sealed)).to.equal('CHAIN_UNAVAILABLE');
  });

  it('about the final block itself is not believed where a majority must agree', async () => {
    const honest = await createLyingProxy(node.url);
    closing.unshift(honest.close);
    liar.answer(forkWithHead(head - 2));
    const chain = await connectTo([liar.url, node.url, honest.url], 2);
    expect((await chain.fetchFinalHead()).hash).to.equal(truth.at(-1)!.blockHash);
    expect(await read(chain)).to.deep.equal(truth);
    expect(leftNames()).to.deep.equal([liar.url]);
    expect(await rejectionOf(connectTo([liar.url, node.url], 2))).to.equal('CHAIN_UNAVAILABLE');
    expect(liar.lies).to.be.greaterThan(0);
  });
});
