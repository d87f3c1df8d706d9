// Which logs of a contract a chain is asked for.
import type { Hex } from '../ledger/encoding/hex.ts';

/** The logs of a contract in the blocks `fromBlock` to `toBlock`, both included. */
export interface LogRange {
  readonly address: Hex;
  readonly fromBlock: number;
  readonly toBlock: number;
}

/** The same, with a proof of authors. */
export interface ContractLogQuery extends LogRange {
  /**
   * Lower-case addresses of accounts, each of whose records must be signed by its key; undefined: of none. The embedded
   * chain, which executes the contract, proves none.
   */
  readonly provenAuthors?: ReadonlySet<Hex> | undefined;
}
