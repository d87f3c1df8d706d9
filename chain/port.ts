// The port between the ledger and the chain that carries it. Everything outside chain/ sees a chain only through these
// types.
import type { Hex } from '../ledger/encoding/hex.ts';
import type { Commitment } from '../ledger/records/commitment.ts';
import type { LedgerRecord } from '../ledger/records/record.ts';
import type { ContractLogQuery, LogRange } from './logQueries.ts';

/** A block by number and hash. */
export interface BlockRef {
  readonly number: number;
  readonly hash: Hex;
}

/** One `RecordAppended` log of the contract, decoded, with its place in the chain. */
export interface RecordLog {
  readonly tenantKey: Hex;
  readonly streamKey: Hex;
  readonly recordKey: Hex;
  /** The author's address, lower-case. */
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

/** What the contract was made to log about a tenant by `attest`, with its place in the chain. */
export type AttestedLog = {
  readonly tenantKey: Uint8Array;
  readonly blockNumber: number;
  readonly transactionIndex: number;
  readonly logIndex: number;
  /** Size of all logs of its transaction, of any contract: `weighLogs`. */
  readonly receiptBytes: number;
} & (
  | { readonly event: 'TenantAttested'; readonly size: number; readonly root: Uint8Array }
  | {
      readonly event: 'StreamAttested' | 'RecordAttested';
      /** Key of the stream or record. */
      readonly key: Uint8Array;
      /** Head of the stream, or hash of the record: 28 bytes. */
      readonly hash: Uint8Array;
      /** Number of records of the stream, or position of the record in its stream; 0 if there is none. */
      readonly count: number;
    }
);

/** Logs of the contract, each kind in chain order. */
export interface ContractLogs {
  readonly records: RecordLog[];
  readonly attestations: AttestedLog[];
}

/** A transaction that is in a block. */
export interface MinedTransaction {
  readonly hash: Hex;
  readonly blockNumber: number;
  /** `unknown`: it may have reverted, or succeeded and changed nothing. */
  readonly outcome: 'succeeded' | 'reverted' | 'unknown';
  /** Undefined where it isn't known. */
  readonly gasUsed?: number | undefined;
}

/** A nonce of an account: of all transactions with it, a chain includes one. */
export interface AccountNonce {
  readonly address: Hex;
  readonly nonce: number;
}

/** Price of a unit of gas, in wei. `gasPrice` is for transactions from before EIP-1559. */
export type Fees =
  | { readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint }
  | { readonly gasPrice: bigint };

/** The gas limit and the fees that a transaction offers. */
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
  /** Wei; 0 where it is left out. */
  readonly value?: bigint;
  /** Enough gas for the call on a chain with Ethereum's gas costs. */
  readonly gasLimit: number;
  /** Whether the limit was measured: no node estimates it. */
  readonly isMeasured?: boolean;
  /** Gas limits of the account's transactions that aren't mined yet: its balance must cover them, too. */
  readonly gasInFlight?: number;
}

/** Options of one submission. */
export interface SubmitOptions {
  /** Ends the wait: the submission rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Returns the same transaction with the same nonce and a higher bid, when it stays unmined; undefined: none. */
  readonly replace?: () => Promise<Uint8Array | undefined>;
  /**
   * Returns the same transaction, with the same nonce, at the price of now. Called when the account can't pay for its
   * bid. Undefined: that price isn't lower.
   */
  readonly reprice?: () => Promise<Uint8Array | undefined>;
  /** The transaction's account and nonce. Without it, they are derived from the signature, which takes 1 to 2 ms. */
  readonly account?: AccountNonce;
  /** Called when a node has accepted the transaction: the account's next one may follow. */
  readonly onSent?: () => void;
  /**
   * Whether the transaction waits for a nonce that no transaction will take, when the account has `count` mined
   * transactions. Where that lasts, the submission and `awaitFinal` reject with `TRANSACTION_REFUSED`, although the
   * transaction can still be mined once another one has taken the missing nonce.
   */
  readonly isBehindGap?: (count: number) => boolean;
}

/** The part of a chain that the index uses. */
export type FollowedChain = Pick<ChainPort, 'fetchFinalHead' | 'fetchBlockHash' | 'fetchContractLogs'>;

/** A chain. Methods reject with CHAIN_UNAVAILABLE if no node answers, CHAIN_MISMATCH if only another chain's do. */
export interface ChainPort {
  readonly chainId: number;
  /** Hash of block 0. */
  readonly genesisHash: Hex;
  /** Size of the largest signed transaction that the chain accepts, in bytes. */
  readonly transactionBytesMax: number;
  /** Largest gas limit of a transaction. */
  readonly transactionGasMax: number;
  /** Largest gas limit of which several fit into a block, where a block has a limit. */
  readonly batchGasMax: number;
  /** The newest final block. */
  fetchFinalHead(): Promise<BlockRef>;
  /** Hash of a final block by number, on a network proven by the newest one; undefined when the chain has none. */
  fetchBlockHash(number: number): Promise<Hex | undefined>;
  /** The logs of records and attestations of blocks. Rejects with `UnprovenAuthor` where an author isn't proven. */
  fetchContractLogs(query: ContractLogQuery): Promise<ContractLogs>;
  /** The contract's `RecordAppended` logs of blocks, in chain order. */
  fetchRecordLogs(query: LogRange): Promise<RecordLog[]>;
  /** The account's next nonce: the number of its transactions that are mined. */
  fetchNonce(address: Hex): Promise<number>;
  /**
   * Submits a signed transaction and resolves when it is mined and durable, whether it succeeded or reverted. Rejects
   * with `TRANSACTION_REFUSED` when the chain refused it: nothing was mined.
   */
  submitTransaction(raw: Uint8Array, options?: SubmitOptions): Promise<MinedTransaction>;
  /**
   * Resolves when a transaction that `submitTransaction` resolved with is in a final block, with its place there;
   * another block may have replaced its first one. Rejects with `TRANSACTION_REFUSED` when the chain will never include
   * it.
   */
  awaitFinal(mined: MinedTransaction, signal?: AbortSignal): Promise<MinedTransaction>;
  /** The current price of a unit of gas. */
  fetchFees(): Promise<Fees>;
  /**
   * The bid with which a transaction is mined now. Rejects with `RELAYER_UNFUNDED` when the account's balance is below
   * its cost.
   */
  fetchBid(call: UnsignedCall): Promise<Bid>;
  /**
   * Sends any other JSON-RPC request; for deployment and tools, not for the hot path. When the node answers with an
   * error, rejects with an error that has the node's `code`, `message` and `data`.
   */
  request(method: string, params: readonly unknown[]): Promise<unknown>;
  /** @throws LedgerError CHAIN_MISMATCH or CHAIN_REPLACED when only nodes of another chain are known to answer. */
  assertSame(): void;
  /** Calls the listener after each new final block. Returns the function that removes it. */
  onFinalHead(listener: (head: BlockRef) => void): () => void;
  /** Ends everything that is in progress. */
  close(): Promise<void>;
}

/** Appends records to the ledger. */
export interface RecordAppender {
  /**
   * Accepts a record durably and waits for its commitment, up to the configured time; then resolves with `PENDING`.
   * When nothing was accepted, rejects; only after STORAGE_FULL or CHAIN_UNAVAILABLE may the record be on the chain.
   */
  append(tenantIdentity: string, record: LedgerRecord): Promise<Commitment>;
  /**
   * The same, but throws when the record is refused at once. It may still be refused later, because the disk refuses
   * it: then its promise rejects, and later records of its stream that were passed before are refused, too.
   */
  begin(tenantIdentity: string, record: LedgerRecord): Promise<Commitment>;
  /**
   * Resolves when every record that `append` got before is durable, and so shown by the view, or refused; rejects while
   * the disk refuses one that may be on the chain.
   */
  flush(): Promise<void>;
}

/** Progress of a node that is catching up, as the node reports it: block numbers. */
export interface NodeSyncing {
  readonly startingBlock: number;
  readonly currentBlock: number;
  readonly highestBlock: number;
}

/**
 * What a reachable node reports about itself and its chain. Keys are the 64 bytes x, y of a secp256k1 point; undefined
 * where unknown.
 */
export interface NodeStatus {
  readonly validatorKey: Uint8Array | undefined;
  /** Number of the newest block. */
  readonly height: number;
  readonly headAtSeconds: number;
  readonly genesisHash: Hex;
  readonly genesisStateRoot: Hex;
  readonly genesisAtSeconds: number;
  /** Undefined when the node isn't catching up, or doesn't report it. */
  readonly syncing: NodeSyncing | undefined;
  /** Nodes that it is connected to; empty where it doesn't report them. */
  readonly peers: readonly { readonly validatorKey: Uint8Array | undefined }[];
}

/** A validator of the chain, as far as the newest 100 blocks show it. */
export interface ValidatorStatus {
  /** Lower-case. */
  readonly address: Hex;
  /** 64 bytes x, y; undefined when it sealed none of them. */
  readonly key: Uint8Array | undefined;
  /** The newest of them that it sealed. */
  readonly lastSealed: { readonly number: number; readonly timestampSeconds: number } | undefined;
  /** Whether it sealed none of the newest two blocks for each validator. */
  readonly isSilent: boolean;
}

/** The validators of the chain. */
export interface ChainValidators {
  readonly engine: 'qbft' | 'ibft2' | 'clique';
  readonly all: readonly ValidatorStatus[];
  /** How many must work for the chain to make blocks; undefined when only those that sealed are known. */
  readonly needed: number | undefined;
}

/** A chain that makes no blocks, or doesn't include a transaction of this server. */
export interface ChainStall {
  /** Milliseconds since the epoch. */
  readonly sinceMs: number;
  /** Number of the newest block. */
  readonly blockNumber: number;
  readonly reason: string;
}

/** Whether a chain makes blocks. */
export interface ChainProgress {
  /** The newest block, final or not; undefined before the first one is read. */
  readonly head: { readonly number: number; readonly timestampSeconds: number } | undefined;
  /** Usual time between two blocks, in milliseconds; undefined when too few blocks are known. */
  readonly usualMs: number | undefined;
  readonly stall: ChainStall | undefined;
  /** Undefined where headers don't show who sealed them. */
  readonly validators: ChainValidators | undefined;
}

/** What a node of the ledger's chain last reported. */
export interface LastKnownStatus extends Pick<NodeStatus, 'validatorKey' | 'height' | 'headAtSeconds'> {
  /** When it did, in milliseconds since the epoch. */
  readonly atMs: number;
}

/** One configured node. */
export interface ReportedNode {
  /** Host of its URL, with the port where that isn't the scheme's; undefined for the embedded chain. */
  readonly host: string | undefined;
  /** Undefined when it can't be reached. */
  readonly status: NodeStatus | undefined;
  /** Only of a node that can't be reached, and that could since the start of this process. */
  readonly lastKnown: LastKnownStatus | undefined;
}

/** The state of all configured nodes. */
export interface NodeStates {
  /** Kind of node that carries the chain, such as `geth`; undefined when no node reports one. */
  readonly kind: string | undefined;
  /** One for each configured node, in their order. */
  readonly nodes: readonly ReportedNode[];
}

/** The same, with the progress of their chain. */
export interface NodeReport extends NodeStates {
  /** When it was read, in milliseconds since the epoch. */
  readonly atMs: number;
  /** Undefined on the embedded chain, which makes blocks on demand. */
  readonly progress?: ChainProgress | undefined;
}
