// Produces blocks of one transaction each: mined in memory, then synced to the journal, then acknowledged. If the
// journal fails to store a block, the block is kept, and nothing is mined on it until the journal has it. Any other
// unexpected error stops the chain.
import { type Hex, toHex } from '../../ledger/encoding/hex.ts';
import { keccak256 } from '../../ledger/encoding/keccak.ts';
import { LedgerError } from '../../ledger/errors.ts';
import { RpcError } from '../jsonRpc/rpcError.ts';
import type { BlockRef, MinedTransaction } from '../port.ts';
import type { Edr } from './engine/toEdr.ts';
import type { Journal } from './journal/journal.ts';
import type { JournalBlock } from './journal/journalBlock.ts';
import type { TimedRpcLog } from './readEmbeddedLogs.ts';

/** A block that is on the disk. */
export interface DurableBlock extends BlockRef {
  readonly timestampSeconds: number;
}

/** The result of a submission. */
export interface ProducedTransaction extends MinedTransaction {
  /** Whether an earlier block contains this very transaction, so that nothing was mined. */
  readonly isKnown: boolean;
  /** 0 when `isKnown`. */
  readonly gasUsed: number;
}

/** Tries a transaction elsewhere, as the block with this time. Rejects with RpcError when it must not be mined. */
export type TryFirst = (timestampSeconds: number) => Promise<void>;

/** Extends one chain, block by block. */
export interface BlockProducer {
  readonly head: DurableBlock;
  /** Logs of the head; undefined when the head is older than this producer. */
  readonly headLogs: readonly TimedRpcLog[] | undefined;
  /** Gas that the blocks of this producer have used. */
  gasUsed(): number;
  /**
   * Mines the transaction in a block of its own, after `tryFirst` has resolved. Must not run twice at once. Rejects
   * with TRANSACTION_REFUSED when nothing was mined; with `UnwrittenBlock` when `recover` has to resolve before
   * anything else; with `EngineEnded` when nothing was mined, as far as the journal and the next engine show; after any
   * other rejection the chain must stop.
   */
  produce(raw: Uint8Array, tryFirst?: TryFirst): Promise<ProducedTransaction>;
  /** Writes the block that the journal failed to store, and announces it. Rejects as `Journal.recoverBlock` does. */
  recover(): Promise<void>;
  /** Resolves when the journal has every block that was mined. */
  written(): Promise<void>;
}

/** A block was mined in memory, and the journal failed to store it. */
export class UnwrittenBlock extends LedgerError {
  constructor(number: number, cause: unknown) {
    super('CHAIN_UNAVAILABLE', { message: `Block ${number} could not be written to the journal`, cause });
  }
}

interface Unwritten {
  readonly block: JournalBlock;
  readonly logs: readonly TimedRpcLog[];
}

interface MinedBlock {
  readonly number: Hex;
  readonly hash: Hex;
  readonly parentHash: Hex;
  readonly transactions: readonly Hex[];
  readonly gasUsed: Hex;
}

interface Mined {
  readonly block: MinedBlock;
  readonly logs: readonly TimedRpcLog[];
}

const BLOB_TRANSACTION_TYPE = 0x03;

// A block is not older than its records: a record that is accepted within a second is accepted by the end of that
// second.
const toEndOfSecond = (atMs: number): number => Math.floor(atMs / 1000) + 1;

const refuse = (message: string, cause?: unknown): LedgerError =>
  new LedgerError('TRANSACTION_REFUSED', { message, cause });

const fail = (message: string, cause?: unknown): LedgerError =>
  new LedgerError('CHAIN_UNAVAILABLE', { message, cause });

const assertAcceptable = (raw: Uint8Array, bytesMax: number): void => {
  if (raw.length > bytesMax) throw refuse(`The transaction is larger than ${bytesMax} bytes`);
  if (raw[0] === BLOB_TRANSACTION_TYPE) throw refuse('The chain refuses blob transactions');
};

// Includes the logs, because the index requests them next.
const mineBlock = async (
  edr: Edr,
  raw: Uint8Array,
  timestampSeconds: number,
  tryFirst: TryFirst | undefined,
): Promise<Mined> => {
  await tryFirst?.(timestampSeconds);
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

const toRef = ({ block: { number, hash } }: Mined): BlockRef => ({ number: Number(number), hash });

const toProduced = ({ block, logs }: Mined): ProducedTransaction => {
  // A transaction with logs has succeeded; one without may have reverted.
  const outcome = logs.length > 0 ? 'succeeded' : 'unknown';
  const [hash] = block.transactions;
  const [blockNumber, gasUsed] = [Number(block.number), Number(block.gasUsed)];
  return { hash: hash!, blockNumber, outcome, isKnown: false, gasUsed };
};

// After a refusal the chain must have its old head. Finds the transaction if an earlier block contains it.
const locate = async (edr: Edr, hash: Hex, head: BlockRef): Promise<MinedTransaction | undefined> => {
  const [number, found] = await edr.requestAll([
    { method: 'eth_blockNumber', params: [] },
    { method: 'eth_getTransactionByHash', params: [hash] },
  ]);
  if (Number(number) !== head.number) throw fail('A refused transaction produced a block');
  const mined = found as { blockNumber: Hex | null } | null;
  return mined?.blockNumber ? { hash, blockNumber: Number(mined.blockNumber), outcome: 'unknown' } : undefined;
};

/**
 * A producer on top of a chain whose newest block is `head`. `now` is in milliseconds. A block's timestamp is the end
 * of the current second, at most 1 s ahead of `now`, and never before its parent's. `onBlock` is called for each block
 * once it is on the disk.
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
  let unwritten: Unwritten | undefined;
  let writing: PromiseWithResolvers<void> | undefined;
  let gasOfBlocks = 0;

  const explainRefusal = async (raw: Uint8Array, error: unknown): Promise<ProducedTransaction> => {
    if (!(error instanceof RpcError)) throw error;
    const known = await locate(edr, toHex(keccak256(raw)), head);
    if (known !== undefined) return { ...known, isKnown: true, gasUsed: 0 };
    throw refuse(error.message, error);
  };

  const advance = ({ block: { number, hash, timestampSeconds }, logs }: Unwritten): void => {
    unwritten = undefined;
    head = { number, hash, timestampSeconds };
    headLogs = logs;
    writing?.resolve();
    onBlock(head);
  };

  const persist = async (mined: Unwritten): Promise<void> => {
    writing = Promise.withResolvers();
    unwritten = mined;
    await journal.appendBlock(mined.block, mined.logs).catch((cause: unknown) => {
      throw new UnwrittenBlock(mined.block.number, cause);
    });
    advance(mined);
  };

  return {
    get head() {
      return head;
    },
    get headLogs() {
      return headLogs;
    },
    gasUsed: () => gasOfBlocks,
    produce: async (raw, tryFirst) => {
      assertAcceptable(raw, transactionBytesMax);
      const timestampSeconds = Math.max(head.timestampSeconds, toEndOfSecond(now()));
      let mined: Mined;
      try {
        mined = await mineBlock(edr, raw, timestampSeconds, tryFirst);
      } catch (error) {
        return explainRefusal(raw, error);
      }
      assertFollows(mined.block, head);
      const produced = toProduced(mined);
      gasOfBlocks += produced.gasUsed;
      await persist({ block: { ...toRef(mined), timestampSeconds, transaction: raw }, logs: mined.logs });
      return produced;
    },
    recover: async () => {
      if (unwritten === undefined) return;
      await journal.recoverBlock(unwritten.block, head);
      advance(unwritten);
    },
    written: async () => writing?.promise,
  };
};
