// How large the answers of nodes may be: each by its method, and all that are read at the same time together.

/** What is asked. */
interface Asked {
  readonly method: string;
  readonly params: readonly unknown[];
}

const MIB = 2 ** 20;
/** Answers with as much as one block, or a range of blocks, has. */
const LARGE = ['eth_getBlockReceipts', 'eth_getLogs', 'eth_getTransactionReceipt'];
/** An answer with a list of hashes, code, or a proof. */
const OTHER_BYTES_MAX = 4 * MIB;
/** All answers that are being read. */
const TOGETHER_BYTES_MAX = 192 * MIB;

const isLarge = ({ method, params }: Asked): boolean =>
  LARGE.includes(method) || (method.startsWith('eth_getBlockBy') && params[1] === true);

/** Bytes that the answer to these calls may have, at most `bytesMax`. */
export const toAnswerBytesMax = (calls: readonly Asked[], bytesMax: number): number =>
  calls.some(isLarge) ? bytesMax : Math.min(bytesMax, calls.length * OTHER_BYTES_MAX);

let bytesHeld = 0;

/** Room for the bytes of one answer, which is given back at the end. */
export const holdAnswer = () => {
  let own = 0;
  return {
    /** Whether so many more bytes have room. */
    take: (bytes: number): boolean => {
      if (bytesHeld + bytes > TOGETHER_BYTES_MAX) return false;
      own += bytes;
      bytesHeld += bytes;
      return true;
    },
    [Symbol.dispose]: (): void => {
      bytesHeld -= own;
      own = 0;
    },
  };
};
