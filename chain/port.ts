// The port between the ledger and whatever chain carries it. Everything outside chain/ sees a chain only through these types.

import type { Hex } from '../ledger/hex.ts';

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
  /** Whether the transaction logged something, and so succeeded. False says nothing: it may have reverted or changed nothing. */
  readonly emittedLogs: boolean;
}

/** A chain as the rest of the ledger needs it. Every method rejects with `CHAIN_UNAVAILABLE` when the chain is away. */
export interface ChainPort {
  readonly chainId: number;
  /** Largest signed transaction that the chain takes, in bytes. */
  readonly transactionBytesMax: number;
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
  submitTransaction(raw: Uint8Array): Promise<MinedTransaction>;
  /**
   * Any other JSON-RPC request; for deployment and tools, not for the hot path. Where the node answers with an error, rejects
   * with an error that has the node's `code`, `message` and `data`.
   */
  request(method: string, params: readonly unknown[]): Promise<unknown>;
  /** Calls the listener after each new final block. Returns the function that stops it. */
  onFinalHead(listener: (head: BlockRef) => void): () => void;
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
