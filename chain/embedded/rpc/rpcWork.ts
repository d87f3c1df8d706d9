// What JSON-RPC requests keep busy. Each kind of work has turns of its own, so that a long execution keeps nobody from
// a short read. The turns are those of the server (server/fairness/), given by the host.

/**
 * A kind of work: `reads` of blocks and state, ranges of `logs`, `executions` in the chain's own engine, calls in the
 * `sandbox`, and `transactions`.
 */
export type RpcWork = 'reads' | 'logs' | 'executions' | 'sandbox' | 'transactions';

/** Runs a part of a request when it's the turn of its client. Rejects with RpcError when too many of its parts wait. */
export type RunWork = <T>(work: RpcWork, task: () => Promise<T>) => Promise<T>;

/** Who sent a request. */
export interface RpcClient {
  /** The client's network, or what else takes turns with others. */
  readonly party: string;
  /** Aborts with an RpcError when the client has gone. */
  readonly signal?: AbortSignal;
}

/** The turns of a client. */
export type RpcTurns = (client: RpcClient) => RunWork;

/** Without turns: for the requests of this process. */
export const runAtOnce: RunWork = (_work, task) => task();
