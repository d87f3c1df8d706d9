// Headers that lead to a final block, on a chain of 20,000 blocks and on those of Besu's engines.
import { expect } from 'chai';
import { FalseAnswer } from '../../../chain/jsonRpc/falseAnswer.ts';
import type { JsonRpcClient } from '../../../chain/jsonRpc/jsonRpcClient.ts';
import { createNodeMarks } from '../../../chain/jsonRpc/nodeMarks.ts';
import { createHeaderChain, type HeaderChain } from '../../../chain/network/headerChain.ts';
import type { BlockRef } from '../../../chain/port.ts';
import { type Hex, toHex } from '../../../ledger/encoding/hex.ts';
import { hashHeader } from '../../../ledger/evidence/blockHeader.ts';
import { toRlpNumber } from '../../../ledger/evidence/rlp.ts';
import { failureOf, rejectionOf } from '../../support/refusals.ts';
import { type Header, sealBft } from '../../support/sealedHeaders.ts';

const COUNT = 20_000;
const ZEROS = new Uint8Array(32);

const createBlocks = (count: number, variant: number, from = 0, before: readonly Header[] = []): Header[] => {
  const blocks = before.slice(0, from);
  for (let number = from; number < count; number += 1) {
    const parentHash = blocks[number - 1]?.hash ?? toHex(ZEROS);
    const header = {
      parentHash: Buffer.from(parentHash.slice(2), 'hex'),
      sha3Uncles: ZEROS,
      miner: new Uint8Array(20),
      stateRoot: new Uint8Array(32).fill(variant),
      transactionsRoot: ZEROS,
      receiptsRoot: ZEROS,
      logsBloom: new Uint8Array(256),
      difficulty: new Uint8Array(),
      number: toRlpNumber(number),
      gasLimit: toRlpNumber(1),
      gasUsed: new Uint8Array(),
      timestamp: toRlpNumber(1_000 + number),
      extraData: new Uint8Array(),
      mixHash: ZEROS,
      nonce: new Uint8Array(8),
    };
    const texts = Object.entries(header).map(([name, bytes]) => [name, toHex(bytes)]);
    const numbers = { difficulty: '0x0', number: `0x${number.toString(16)}`, gasLimit: '0x1', gasUsed: '0x0' };
    const timestamp = `0x${(1_000 + number).toString(16)}`;
    blocks.push({ ...Object.fromEntries(texts), ...numbers, timestamp, hash: toHex(hashHeader(header)) });
  }
  return blocks;
};

const one = createBlocks(COUNT, 1);

describe('a chain of headers', () => {
  let blocks: readonly (Header | undefined)[];
  let requested: number;
  let headers: HeaderChain;
  const answer = (number: unknown): Header | null => {
    requested += 1;
    return blocks[Number(number)] ?? null;
  };
  const client: JsonRpcClient = {
    name: 'node',
    marks: createNodeMarks(() => 0),
    request: async (_method, [number]) => answer(number),
    requestBatch: async (calls) => calls.map(({ params: [number] }) => answer(number)),
  };
  const refOf = (number: number, of: readonly (Header | undefined)[] = one): BlockRef => ({
    number,
    hash: of[number]!.hash as Hex,
  });
  const read = async (fromBlock: number, toBlock: number, final = refOf(COUNT - 1)): Promise<number[]> =>
    (await headers.fetchProven(client, { fromBlock, toBlock }, final)).map(({ number }) => number);
  const isFalse = async (...given: Parameters<typeof read>): Promise<boolean> =>
    (await failureOf(read(...given))) instanceof FalseAnswer;
  const rangeOf = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, at) => from + at);
  beforeEach(() => {
    blocks = one;
    requested = 0;
    headers = createHeaderChain();
  });

  it('leads to the final block, in parts when there are many, each read twice at most', async () => {
    for (let from = 1; from < COUNT; from += 1_000) {
      const to = Math.min(from + 999, COUNT - 1);
      expect(await read(from, to)).to.deep.equal(rangeOf(from, to));
      expect(headers.findHash(to)).to.equal(one[to]!.hash);
    }
    expect(requested).to.be.lessThan(2 * COUNT + 3_000);
  });

  it('is read once when there are few', async () => {
    for (let from = COUNT - 5_000; from < COUNT; from += 64) await read(from, Math.min(from + 63, COUNT - 1));
    expect(requested).to.equal(5_000);
    expect(
      (await headers.fetchProven(client, { fromBlock: COUNT - 1, toBlock: COUNT - 1 }, refOf(COUNT - 1)))[0],
    ).to.deep.include({
      timestampSeconds: 1_000 + COUNT - 1,
      hash: one.at(-1)!.hash,
    });
  });

  it('is refused when it leads elsewhere, at each distance from the final block', async () => {
    for (const from of [5, 15_000, COUNT - 3]) {
      blocks = createBlocks(COUNT, 2, from + 1, one);
      expect(await isFalse(from, from + 1)).to.equal(true);
      expect(headers.findHash(from)).to.equal(undefined);
    }
    blocks = one;
    expect(await read(5, 6)).to.deep.equal([5, 6]);
  });

  it('is refused when a header in the middle is of a forked chain', async () => {
    const fork = createBlocks(COUNT, 2, COUNT - 90, one);
    blocks = one.with(COUNT - 90, fork[COUNT - 90]!);
    expect(await isFalse(COUNT - 100, COUNT - 80)).to.equal(true);
  });

  it('continues the blocks that were read before', async () => {
    const final = refOf(99);
    expect(await read(90, 99, final)).to.deep.equal(rangeOf(90, 99));
    const fork = createBlocks(200, 2, 95, one);
    blocks = fork;
    expect(await isFalse(100, 101, refOf(150, fork))).to.equal(true);
    blocks = one;
    expect(await read(100, 101, refOf(150))).to.deep.equal([100, 101]);
  });

  it('contains the anchor', async () => {
    headers.setAnchor(refOf(95));
    expect(await read(90, 99, refOf(99))).to.deep.equal(rangeOf(90, 99));
    headers = createHeaderChain();
    headers.setAnchor({ number: 95, hash: refOf(94).hash });
    expect(await isFalse(90, 99, refOf(99))).to.equal(true);
  });

  it('lacks nothing: a node without a block has not answered', async () => {
    blocks = one.with(95, undefined as never);
    expect(await isFalse(90, 99, refOf(99))).to.equal(false);
    expect(await rejectionOf(read(90, 99, refOf(99)))).to.equal('CHAIN_UNAVAILABLE');
  });

  for (const engine of ['qbft', 'ibft2'] as const) {
    const seal = (number: number, parentHash: string, round = 3): Header =>
      sealBft(engine, { fields: { number: `0x${number.toString(16)}`, parentHash }, round });

    it(`has the hashes of ${engine}, whose rule stays fixed`, async () => {
      const first = seal(1, `0x${'00'.repeat(32)}`);
      const second = seal(2, first.hash!);
      blocks = [undefined, first, second, seal(3, second.hash!)];
      expect(await read(1, 2, refOf(2, blocks))).to.deep.equal([1, 2]);
      const other = createBlocks(4, 1);
      const ethereum = { ...other[3]!, parentHash: second.hash! };
      blocks = [...blocks.slice(0, 3), ethereum];
      expect(await isFalse(3, 3, refOf(3, blocks))).to.equal(true);
    });
  }

  it('does not fix the rule of a chain that leads elsewhere', async () => {
    const forged = sealBft('qbft', { fields: { number: '0x5a' } });
    blocks = one.with(90, forged);
    expect(await isFalse(90, 99, refOf(99))).to.equal(true);
    blocks = one;
    expect(await read(90, 99, refOf(99))).to.deep.equal(rangeOf(90, 99));
  });
});
