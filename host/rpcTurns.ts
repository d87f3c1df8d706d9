// The turns that JSON-RPC requests of third parties take, by the kind of their work. A client with many requests delays
// another's by what is in progress at most, and an execution delays no read.
import type { RpcTurns, RpcWork } from '../chain/embedded/rpc/rpcWork.ts';
import { RPC_CODE, RpcError } from '../chain/jsonRpc/rpcError.ts';
import { createTurns, type RunInTurn } from '../server/fairness/turns.ts';

/** Parts of requests in progress at once. The engine and the sandbox execute one at a time, and mine one at a time. */
const AT_ONCE_MAX: Readonly<Record<RpcWork, number>> = {
  reads: 2,
  logs: 1,
  executions: 1,
  sandbox: 1,
  transactions: 2,
};

/** Parts of each kind of one client that may wait: at the chain's own port, and at the API's /rpc. */
export const PORT_WAITING_MAX = 256;
export const LEDGER_RPC_WAITING_MAX = 64;

const refuse = (): RpcError => new RpcError(RPC_CODE.LIMIT_EXCEEDED, 'too many requests at once');

/** The turns of one port. Of each client, `waitingMax` parts of each kind may wait. */
export const createRpcTurns = (waitingMax: number): RpcTurns => {
  const create = ([work, max]: [string, number]): [string, RunInTurn] => [
    work,
    createTurns({ max, waitingMax, refuse }),
  ];
  const turns = Object.fromEntries(Object.entries(AT_ONCE_MAX).map(create)) as Record<RpcWork, RunInTurn>;
  return ({ party, signal }) =>
    (work, task) =>
      turns[work](party, task, { signal });
};
