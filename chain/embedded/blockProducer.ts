// Makes blocks, one transaction each: mined in memory, then synced to the journal, then acknowledged. Anything unexpected
// in between means that memory and disk may differ, so it is thrown as CHAIN_UNAVAILABLE and the chain stops for good.
import { LedgerError } from '../../ledger/errors.ts';
import { type Hex, toHex } from '../../ledger/hex.ts';
import { keccak256 } from '../../ledger/keccak.ts';
import type { BlockRef, MinedTransaction } from '../port.ts';
import { RpcError } from '../rpcError.ts';
import type { Edr } from './edr.ts';
import type { Journal } from './journal.ts';
import type { TimedRpcLog } from './recordLogReads.ts';

/** A block that is on the disk. */
export interface DurableBlock extends BlockRef {
  readonly timestampSeconds: number;
}

export interface ProducedTransaction extends MinedTransaction {
  /** Whether this very transaction was in an earlier block already, so that nothing was mined. */
  readonly isKnown: boolean;
}

export interface BlockProducer {
  readonly head: DurableBlock;
  /** Logs of the head; undefined when it was made before this producer. */
  readonly headLogs: readonly TimedRpcLog[] | undefined;
  /**
   * Mines the transaction in a block of its own. Must not run twice at once.
   * Rejects with TRANSACTION_REFUSED when nothing was mined; after any other rejection the chain must not go on.
   */
  produce(raw: Uint8Array): Promise<ProducedTransaction>;
}

interface MinedBlock {
  readonly number: Hex;
  readonly hash: Hex;
  readonly parentHash: Hex;
  readonly transactions: readonly Hex[];
}

interface Mined {
  readonly block: MinedBlock;
  readonly logs: readonly TimedRpcLog[];
}

const BLOB_TRANSACTION_TYPE = 0x03;

// Whatever was accepted within a second is accepted by its end, so a block is not older than the records that it carries.
const toEndOfSecond = (atMs: number): number => Math.floor(atMs / 1000) + 1;

const refuse = (message: string, cause?: unknown): LedgerError =>
  new LedgerError('TRANSACTION_REFUSED', { message, cause });

const fail = (message: string, cause?: unknown): LedgerError =>
  new LedgerError('CHAIN_UNAVAILABLE', { message, cause });

// The logs come in the same breath, because whoever follows the chain asks for them next.
const mineBlock = async (edr: Edr, raw: Uint8Array, timestampSeconds: number): Promise<Mined> => {
  const [, , block, logs] = await edr.requestAll([
    { method: 'evm_setNextBlockTimestamp', params: [timestampSeconds] },
    { method: 'eth_sendRawTransaction', params: [toHex(raw)] },
    { method: 'eth_getBlockByNumber', params: ['latest', false] },
    { method: 'eth_getLogs', params: [{ fromBlock: 'latest', toBlock: 'latest' }] },
  ]);
  return { block: block as MinedBlock, logs: logs as TimedRpcLog[] };
};

const assertFollows = (block: MinedBlock, head: BlockRef): void => {
  const isNext = Number(block.number) === head.number + 1 && block.parentHash === head.hash;
  if (!isNext || block.transactions.length !== 1) throw fail(`The block after ${head.number} is not what was mined`);
};

// After a refusal: the chain must be where it was. Tells where the transaction is if it was mined before.
const locate = async (edr: Edr, hash: Hex, head: BlockRef): Promise<MinedTransaction | undefined> => {
  const [number, found] = await edr.requestAll([
    { method: 'eth_blockNumber', params: [] },
    { method: 'eth_getTransactionByHash', params: [hash] },
  ]);
  if (Number(number) !== head.number) throw fail('A refused transaction left a block behind');
  const mined = found as { blockNumber: Hex | null } | null;
  return mined?.blockNumber ? { hash, blockNumber: Number(mined.blockNumber), outcome: 'unknown' } : undefined;
};

/**
 * Producer on top of a chain whose newest block is `head`. `now` is in milliseconds. A block is stamped with the end of the
 * current second, at most 1 s ahead of `now`, and is never older than its parent.
 * `onBlock` hears of each block once it is on the disk.
 */
export const createBlockProducer = (options: {
  edr: Edr;
  journal: Journal;
  head: DurableBlock;
  now: () => number;
  transactionBytesMax: number;
  onBlock: (head: BlockRef) => void;
}): BlockProducer => {
  const { edr, journal, now, transactionBytesMax, onBlock } = options;
  let { head } = options;
  let headLogs: readonly TimedRpcLog[] | undefined;

  const assertAcceptable = (raw: Uint8Array): void => {
    if (raw.length > transactionBytesMax) throw refuse(`The transaction is larger than ${transactionBytesMax} bytes`);
    if (raw[0] === BLOB_TRANSACTION_TYPE) throw refuse('The chain takes no blob transactions');
  };

  const explainRefusal = async (raw: Uint8Array, error: unknown): Promise<ProducedTransaction> => {
    if (!(error instanceof RpcError)) throw error;
    const known = await locate(edr, toHex(keccak256(raw)), head);
    if (known !== undefined) return { ...known, isKnown: true };
    throw refuse(error.message, error);
  };

  const persist = async (block: MinedBlock, raw: Uint8Array, timestampSeconds: number): Promise<DurableBlock> => {
    const durable = { number: Number(block.number), hash: block.hash, timestampSeconds };
    await journal.appendBlock({ ...durable, transaction: raw }).catch((cause: unknown) => {
      throw fail(`Block ${durable.number} could not be written to the journal`, cause);
    });
    return durable;
  };

  return {
    get head() {
      return head;
    },
    get headLogs() {
      return headLogs;
    },
    produce: async (raw) => {
      assertAcceptable(raw);
      const timestampSeconds = Math.max(head.timestampSeconds, toEndOfSecond(now()));
      let mined: Mined;
      try {
        mined = await mineBlock(edr, raw, timestampSeconds);
      } catch (error) {
        return explainRefusal(raw, error);
      }
      const { block, logs } = mined;
      assertFollows(block, head);
      head = await persist(block, raw, timestampSeconds);
      headLogs = logs;
      onBlock(head);
      // Only what succeeded logs anything; what logged nothing may have reverted.
      const outcome = logs.length > 0 ? 'succeeded' : 'unknown';
      return { hash: block.transactions[0]!, blockNumber: head.number, outcome, isKnown: false };
    },
  };
};
