// When the newest blocks were made.
import { requestRpc } from './rpc.ts';

/** A block's height and its time. */
export interface BlockTime {
  readonly number: number;
  /** Seconds since the epoch, as its maker states. */
  readonly timestamp: number;
}

/** Requests at once; the server answers two. */
const CONCURRENT = 2;

interface Header {
  readonly number: string;
  readonly timestamp: string;
}

const fetchBlock = async (number: number, signal: AbortSignal): Promise<BlockTime | undefined> => {
  const params = [`0x${number.toString(16)}`, false];
  const header = (await requestRpc('eth_getBlockByNumber', params, signal)) as Header | null;
  return header === null ? undefined : { number, timestamp: Number(header.timestamp) };
};

/** The blocks from `first` to `last`, both included; those that the node doesn't have are left out. */
export const fetchBlocks = async (first: number, last: number, signal: AbortSignal): Promise<BlockTime[]> => {
  const blocks: BlockTime[] = [];
  for (let next = first; next <= last; next += CONCURRENT) {
    const numbers = Array.from({ length: Math.min(CONCURRENT, last - next + 1) }, (_, index) => next + index);
    const found = await Promise.all(numbers.map((number) => fetchBlock(number, signal)));
    blocks.push(...found.filter((block) => block !== undefined));
  }
  return blocks;
};
