// The port between the ledger and whatever chain carries it. Everything outside chain/ sees a chain only through these types.

import type { Hex } from '../ledger/encoding/hex.ts';
import type { Commitment } from '../ledger/records/commitment.ts';
import type { LedgerRecord } from '../ledger/records/record.ts';

export interface BlockRef {
  readonly number: number;
  readonly hash: Hex;
}

/** One `RecordAppended` log of the contract, decoded, with its place in the chain. */
export interface RecordLog {
  readonly tenantKey: Hex;
  readonly streamKey: Hex;
  readonly recordKey: Hex;
  /** Author's address, lower-case. */
  readonly author: Hex;
  /** Position of the record in its stream, from 1. */
  readonly sequence: number;
  readonly digest: Hex;
  /** Head of the stream after this record, 28 bytes. */
  readonly head: Hex;
  readonly payload: Uint8Array;
  readonly blockNumber: number;
  readonly blockHash: Hex;
  readonly blockTimestampSeconds: number;
  readonly transactionHash: Hex;
  readonly transactionIndex: number;
  readonly logIndex: number;
}

export interface MinedTransaction {
  readonly hash: Hex;
  readonly blockNumber: number;
  /** `unknown`: it may have reverted, or succeeded and changed nothing. */
  readonly outcome: 'succeeded' | 'reverted' | 'unknown';
}

/** What a transaction pays for each unit of gas, in wei. With `gasPrice` it is one of before EIP-1559. */
export type Fees =
  | { readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint }
  | { readonly gasPrice: bigint };

export interface Bid {
  readonly gasLimit: number;
  readonly fees: Fees;
}

/** A transaction before it has a bid, a nonce and a signature. */
export interface UnsignedCall {
  readonly from: Hex;
  /** Undefined to create a contract. */
  readonly to: Hex | undefined;
  readonly data: Uint8Array;
  /** Wei. */
  readonly value?: bigint;
  /** More gas than it needs on a chain with the usual prices. */
  readonly gasLimit: number;
}

export interface SubmitOptions {
  /** Ends the waiting: the submission rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Gives the same transaction, same nonce, with a higher bid; asked when nobody mines it. Undefined: there is none. */
  readonly replace?: () => Promise<Uint8Array | undefined>;
}

/** What the index asks of a chain. */
export type FollowedChain = Pick<ChainPort, 'fetchFinalHead' | 'fetchBlockHash' | 'fetchRecordLogs'>;

/** A chain as the rest of the ledger needs it. Every method rejects with `CHAIN_UNAVAILABLE` when the chain is away, with `CHAIN_MISMATCH` when another answers. */
export interface ChainPort {
  readonly chainId: number;
  /** Hash of block 0. */
  readonly genesisHash: Hex;
  /** Largest signed transaction that the chain takes, in bytes. */
  readonly transactionBytesMax: number;
  /** Most gas that one transaction may ask for. */
  readonly transactionGasMax: number;
  /** The newest block that is final by this chain's rule. */
  fetchFinalHead(): Promise<BlockRef>;
  /** Hash of a block by number; undefined when the chain has no such block. */
  fetchBlockHash(number: number): Promise<Hex | undefined>;
  /** The contract's `RecordAppended` logs of the blocks `fromBlock` to `toBlock`, both included, in chain order. */
  fetchRecordLogs(query: { address: Hex; fromBlock: number; toBlock: number }): Promise<RecordLog[]>;
  /** Number of transactions that the account has had mined: its next nonce. */
  fetchNonce(address: Hex): Promise<number>;
  /**
   * Submits a signed transaction and resolves when it is mined and durable, whether it succeeded or reverted.
   * Rejects with `TRANSACTION_REFUSED` when the chain took it not: nothing was mined.
   */
  submitTransaction(raw: Uint8Array, options?: SubmitOptions): Promise<MinedTransaction>;
  /**
   * Resolves when a transaction that `submitTransaction` gave is in a final block, and says where it is then. Its block may have
   * been replaced by another in between. Rejects with `TRANSACTION_REFUSED` when the chain will never have it.
   */
  awaitFinal(mined: MinedTransaction, signal?: AbortSignal): Promise<MinedTransaction>;
  /** What the chain asks for a unit of gas now. */
  fetchFees(): Promise<Fees>;
  /**
   * What a transaction must bid to be mined now.
   * Rejects with `RELAYER_UNFUNDED` when the account has less than that costs.
   */
  fetchBid(call: UnsignedCall): Promise<Bid>;
  /**
   * Any other JSON-RPC request; for deployment and tools, not for the hot path. Where the node answers with an error, rejects
   * with an error that has the node's `code`, `message` and `data`.
   */
  request(method: string, params: readonly unknown[]): Promise<unknown>;
  /** @throws LedgerError CHAIN_MISMATCH when it is known that only another chain answers. */
  assertSame(): void;
  /** Calls the listener after each new final block. Returns the function that stops it. */
  onFinalHead(listener: (head: BlockRef) => void): () => void;
  /** Ends everything that is under way. */
  close(): Promise<void>;
}

/** Appends records to the ledger. */
export interface RecordAppender {
  /**
   * Accepts a record durably and waits for its commitment, up to the configured time; then resolves with `PENDING`.
   * Rejects with OUTBOX_FULL, RECORD_TOO_LARGE, RELAYER_UNFUNDED, CHAIN_MISMATCH or STOPPING when nothing was accepted.
   */
  append(tenantIdentity: string, record: LedgerRecord): Promise<Commitment>;
  /** Resolves when every record that was passed to `append` before this call is durable, and so shown by the view, or refused. */
  flush(): Promise<void>;
}

/** How far a node is with catching up, as it says itself: numbers of blocks. */
export interface NodeSyncing {
  readonly startingBlock: number;
  readonly currentBlock: number;
  readonly highestBlock: number;
}

/** What a node that answers says of itself and its chain. Keys are the 64 bytes x, y of a secp256k1 point; undefined: not known. */
export interface NodeStatus {
  readonly validatorKey: Uint8Array | undefined;
  /** Number of the newest block. */
  readonly height: number;
  readonly headAtSeconds: number;
  readonly genesisHash: Hex;
  readonly genesisStateRoot: Hex;
  readonly genesisAtSeconds: number;
  /** Undefined: it isn't catching up, or doesn't say. */
  readonly syncing: NodeSyncing | undefined;
  /** Nodes that it is connected to; empty where it doesn't say. */
  readonly peers: readonly { readonly validatorKey: Uint8Array | undefined }[];
}

export interface NodeReport {
  /** Kind of node that carries the chain, `geth` say; undefined when none says. */
  readonly kind: string | undefined;
  /** One for each configured node, in their order; undefined for one that can't be reached. */
  readonly nodes: readonly (NodeStatus | undefined)[];
}
