// What a node is given: its conditions, and its place in the network.
import type { RpcError } from '../../../chain/jsonRpc/rpcError.ts';
import type { Hex } from '../../../ledger/encoding/hex.ts';
import type { TransactionPlace } from '../chain/chainView.ts';
import type { DecodedTransaction } from '../chain/transactions.ts';
import type { LossyEpisode } from './messageFaults.ts';
import type { Peer } from './peer.ts';

/** Conditions of a node, which faults change. */
export interface NodeConditions {
  /** A hung node receives requests and answers them when it runs again. */
  state: 'up' | 'hung' | 'down';
  /** Additional time of each answer, in virtual milliseconds. */
  slowMs: number;
  lagBlocks: number;
  lossy: LossyEpisode | undefined;
  /** A kind of `LIES`, and the share of the answers that it changes. */
  lie: { readonly kind: string; readonly rate: number } | undefined;
  /** A method that the node doesn't offer, and its error; it stays so when faults end. */
  refused: { readonly method: string; readonly error: RpcError } | undefined;
}

/** What a node needs from its network. */
export interface NodeOptions {
  readonly name: string;
  readonly peer: Peer;
  readonly tipPerGas: bigint;
  /** Longer than the clients' timeout, in virtual milliseconds. */
  readonly longDelayMs: number;
  readonly hasVanished: (hash: Hex) => boolean;
  /** Where a transaction was in a block that a reorg has replaced; undefined: nowhere. */
  readonly findReplaced: (hash: string) => TransactionPlace | undefined;
  readonly onAccepted: (transaction: DecodedTransaction) => void;
  /** Called for each faulty message and each lie. */
  readonly onFault: (kind: string) => void;
}
