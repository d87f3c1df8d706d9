// Headers of blocks, as the chain's node has them.
import { requestRpc } from './rpc.ts';

/** A block's height and its time. */
export interface BlockTime {
  readonly number: number;
  /** Seconds since the epoch, as its maker states. */
  readonly timestamp: number;
}

/** What a block's page shows of its header. */
export interface ShownHeader extends BlockTime {
  readonly hash: string;
  readonly parentHash: string;
  readonly stateRoot: string;
  readonly transactionsRoot: string;
  /** Address of its maker. */
  readonly miner: string;
  readonly gasUsed: number;
}

/** Requests at once; the server answers two. */
const CONCURRENT = 2;

type Answered = Record<keyof ShownHeader, string>;

/** A block's header; undefined if the node doesn't have the block. Rejects with ApiError. */
export const fetchBlockHeader = async (number: number, signal: AbortSignal): Promise<ShownHeader | undefined> => {
  const params = [`0x${number.toString(16)}`, false];
  const header = (await requestRpc('eth_getBlockByNumber', params, signal)) as Answered | null;
  if (header === null) return undefined;
  return { ...header, number, timestamp: Number(header.timestamp), gasUsed: Number(header.gasUsed) };
};

/** The blocks from `first` to `last`, both included; those that the node doesn't have are left out. */
export const fetchBlocks = async (first: number, last: number, signal: AbortSignal): Promise<BlockTime[]> => {
  const blocks: BlockTime[] = [];
  for (let next = first; next <= last; next += CONCURRENT) {
    const numbers = Array.from({ length: Math.min(CONCURRENT, last - next + 1) }, (_, index) => next + index);
    const found = await Promise.all(numbers.map((number) => fetchBlockHeader(number, signal)));
    blocks.push(...found.filter((block) => block !== undefined));
  }
  return blocks;
};
