// Answers the bodies of JSON-RPC requests that arrive through the API: one read of the ledger each, in turns.
import { answerJsonRpc, type JsonRpcDeps } from '../embedded/rpc/answerJsonRpc.ts';
import type { RpcClient, RpcTurns } from '../embedded/rpc/rpcWork.ts';
import { RPC_CODE } from '../jsonRpc/rpcError.ts';
import { createLedgerReads, type ReadLedger } from './ledgerReads.ts';

/** Answers the body of a client's request; undefined for a notification, which has no answer. Never rejects. */
export type LedgerRpc = (body: string, client: RpcClient) => Promise<string | undefined>;

/** Parts of a ledger's answers. */
export interface LedgerRpcDeps {
  readonly turns: RpcTurns;
  /** Called with errors that are not refusals: faults of this program. */
  readonly onError: (error: unknown) => void;
}

/** Above any header, and any result of a view function. Also bounds the `id` that an answer repeats. */
const ANSWER_CHARACTERS_MAX = 65_536;

const BATCH = /^[\t\n\r ]*\[/;

const encodeRefusal = (code: number, message: string): string =>
  JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } });

/** The answers of a ledger. Batches are refused: each request counts for the limit of its address. */
export const createLedgerRpc = (ledger: ReadLedger, { turns, onError }: LedgerRpcDeps): LedgerRpc => {
  const read = createLedgerReads(ledger);
  const createAnswer = (client: RpcClient): JsonRpcDeps['answer'] => {
    const run = turns(client);
    return (method, params) =>
      run(method === 'eth_call' ? 'executions' : 'reads', async () => JSON.stringify(await read(method, params)));
  };
  const counter = { assertCapacity: () => undefined, add: () => undefined };
  return async (body, client) => {
    if (BATCH.test(body)) return encodeRefusal(RPC_CODE.INVALID_REQUEST, 'send one request at a time');
    const text = await answerJsonRpc(body, { answer: createAnswer(client), counter, onError });
    if (text === undefined || text.length <= ANSWER_CHARACTERS_MAX) return text;
    return encodeRefusal(RPC_CODE.LIMIT_EXCEEDED, 'the answer is too large');
  };
};
