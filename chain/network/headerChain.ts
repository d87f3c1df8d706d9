// Headers of blocks, proven by the hash of a later block: each has the hash that the next one names as its parent.
import type { Hex } from '../../ledger/encoding/hex.ts';
import type { HashRule } from '../../ledger/evidence/blockHash.ts';
import { refuseAnswer } from '../jsonRpc/decodeAnswer.ts';
import { assertHolds } from '../jsonRpc/falseAnswer.ts';
import { fetchAll } from '../jsonRpc/fetchAll.ts';
import type { JsonRpcClient } from '../jsonRpc/jsonRpcClient.ts';
import { toQuantity } from '../jsonRpc/toQuantity.ts';
import type { BlockRef } from '../port.ts';
import { decodeHashedHeader, type HashedHeader } from './decodeHeader.ts';

/** What a proven header states. */
export interface ProvenBlock extends BlockRef {
  readonly timestampSeconds: number;
  readonly transactionsRoot: Uint8Array;
  readonly receiptsRoot: Uint8Array;
  /** 256 bytes. */
  readonly logsBloom: Uint8Array;
}

/** Proven headers of one chain. It keeps those of the last request's blocks, up to some thousand after them. */
export interface HeaderChain {
  /**
   * The blocks `fromBlock` to `toBlock`, both included, proven by `final`, a block at or after them.
   * @throws FalseAnswer when the node's headers don't lead to `final`.
   */
  fetchProven(client: JsonRpcClient, range: BlockRange, final: BlockRef): Promise<ProvenBlock[]>;
  /** Hash of a block that is kept. */
  findHash(number: number): Hex | undefined;
  /** Requires this block of every chain of headers that reaches it. */
  setAnchor(anchor: BlockRef): void;
}

/** Blocks, both ends included. */
export interface BlockRange {
  readonly fromBlock: number;
  readonly toBlock: number;
}

/** Blocks whose headers are kept. More are read twice: first their hashes up to the final block, then in such parts. */
const PART_BLOCKS = 8_192;
/** Headers of one read. */
const READ_BLOCKS = 64;
/** Reads in progress. */
const READS = 3;

const fetchHeaders = async (
  client: JsonRpcClient,
  { fromBlock, toBlock }: BlockRange,
  toBlockOf: (answer: unknown, number: number) => HashedHeader,
): Promise<HashedHeader[]> => {
  const numbers = Array.from({ length: toBlock - fromBlock + 1 }, (_, at) => fromBlock + at);
  const calls = numbers.map((number) => ({ method: 'eth_getBlockByNumber', params: [toQuantity(number), false] }));
  const answers = await fetchAll(client, calls);
  return numbers.map((number, at) => {
    if (answers[at] === null) throw refuseAnswer(client, `no block ${number}`);
    return toBlockOf(answers[at], number);
  });
};

// Several reads are in progress, so that the node reads headers while those before them are hashed.
async function* readHeaders(
  client: JsonRpcClient,
  { fromBlock, toBlock }: BlockRange,
  toBlockOf: (answer: unknown, number: number) => HashedHeader,
): AsyncGenerator<HashedHeader> {
  const reads: Promise<HashedHeader[]>[] = [];
  for (let from = fromBlock; from <= toBlock || reads.length > 0; ) {
    while (reads.length < READS && from <= toBlock) {
      const to = Math.min(from + READ_BLOCKS - 1, toBlock);
      const read = fetchHeaders(client, { fromBlock: from, toBlock: to }, toBlockOf);
      // It is awaited later; until then a rejection must not count as unhandled.
      read.catch(() => undefined);
      reads.push(read);
      from = to + 1;
    }
    yield* await reads.shift()!;
  }
}

interface Path {
  readonly fromBlock: number;
  readonly end: BlockRef;
  /** Hash of the block before the first one, where it is known. */
  readonly before: Hex | undefined;
  readonly anchor: BlockRef | undefined;
  readonly rule: HashRule | undefined;
}

// Headers from a block to a proven one. Returns the rule by which they lead there.
const followHeaders = async (
  client: JsonRpcClient,
  { fromBlock, end, before: first, anchor, rule }: Path,
  onBlock: (block: HashedHeader) => void,
): Promise<HashRule | undefined> => {
  let found = rule;
  let before = first;
  const decode = (answer: unknown, number: number): HashedHeader => decodeHashedHeader(client, answer, number, found);
  for await (const block of readHeaders(client, { fromBlock, toBlock: end.number }, decode)) {
    const { number, hash, parentHash } = block;
    assertHolds(client, before === undefined || parentHash === before, `block ${number} has another parent`);
    assertHolds(client, anchor?.number !== number || anchor.hash === hash, `another block ${number}`);
    before = hash;
    if (number > 0) found ??= block.rule;
    onBlock(block);
  }
  assertHolds(client, before === end.hash, `its blocks don't lead to block ${end.number}, ${end.hash}`);
  return found;
};

const toProven = ({ number, hash, timestampSeconds, header }: HashedHeader): ProvenBlock => {
  const { transactionsRoot, receiptsRoot, logsBloom } = header;
  return { number, hash, timestampSeconds, transactionsRoot, receiptsRoot, logsBloom };
};

/** Creates a chain of headers. */
export const createHeaderChain = (): HeaderChain => {
  let anchor: BlockRef | undefined;
  let rule: HashRule | undefined;
  // Consecutive.
  let kept: readonly ProvenBlock[] = [];
  // Proven blocks at the ends of parts, in order.
  let marks: readonly BlockRef[] = [];

  const findKept = (number: number): ProvenBlock | undefined => kept[number - (kept[0]?.number ?? 0)];

  const link = async (
    client: JsonRpcClient,
    fromBlock: number,
    end: BlockRef,
    onBlock: (block: HashedHeader) => void,
  ): Promise<void> => {
    const before = findKept(fromBlock - 1)?.hash;
    rule = await followHeaders(client, { fromBlock, end, before, anchor, rule }, onBlock);
  };

  const markParts = async (client: JsonRpcClient, fromBlock: number, final: BlockRef): Promise<void> => {
    const found: BlockRef[] = [];
    await link(client, fromBlock, final, ({ number, hash }) => {
      if ((number - fromBlock + 1) % PART_BLOCKS === 0 || number === final.number) found.push({ number, hash });
    });
    marks = found;
  };

  const fetchPart = async (
    client: JsonRpcClient,
    fromBlock: number,
    end: BlockRef,
  ): Promise<readonly ProvenBlock[]> => {
    const blocks: ProvenBlock[] = [];
    await link(client, fromBlock, end, (block) => blocks.push(toProven(block)));
    kept = blocks;
    return blocks;
  };

  const fetchProven: HeaderChain['fetchProven'] = async (client, { fromBlock, toBlock }, final) => {
    if (findKept(fromBlock) !== undefined && findKept(toBlock) !== undefined) {
      return kept.slice(fromBlock - kept[0]!.number, toBlock - kept[0]!.number + 1);
    }
    // A request may cross the end of a part.
    const isNear = ({ number }: BlockRef): boolean => number >= toBlock && number - fromBlock < 2 * PART_BLOCKS;
    const findEnd = (): BlockRef | undefined => [...marks, final].find(isNear);
    if (findEnd() === undefined) await markParts(client, fromBlock, final);
    const blocks = await fetchPart(client, fromBlock, findEnd() ?? final);
    return blocks.slice(0, toBlock - fromBlock + 1);
  };

  return {
    fetchProven,
    findHash: (number) => findKept(number)?.hash,
    setAnchor: (block) => {
      anchor = block;
    },
  };
};
